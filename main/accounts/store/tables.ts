/** The tables of the accounts database after all migrations. Booleans are 0 and 1, times are milliseconds since 1970. */
import type { Generated, Kysely, Selectable } from 'kysely';

export interface AccountsTable {
  id: Generated<number>;
  /** The user name that callers send; unique. */
  name: string;
  /** 1: may see every job, account and setting. */
  operator: number;
  /** 1: the demo account, whose key is public. */
  demo: number;
  /** 1: the account of the desktop window, which has no key. */
  tray: Generated<number>;
  /** 1: the account of the hot folders, which has no key. */
  hot_folders: Generated<number>;
  /** All credits ever granted; null: unlimited. The balance is `granted - spent`. */
  granted: number | null;
  /** All credits ever charged; also counted for unlimited accounts. */
  spent: Generated<number>;
  /** The balance at the start of each period; null: no refill. */
  refill_credits: number | null;
  refill_period: 'day' | 'month' | null;
  refilled_at: number;
  /** Limit of concurrent jobs; null: no limit for this account. */
  jobs_at_once: number | null;
  /** Limit of jobs within any 60 seconds; null: no limit. */
  jobs_per_minute: number | null;
  /** 1: every job of the account gets a debug log. */
  debug_log: number;
  created_at: number;
}

interface KeysTable {
  /** Short and random. Operators use it to revoke the key. */
  id: string;
  account_id: number;
  /** The purpose of the key, in the operator's words. */
  name: string;
  /** In hex. */
  salt: string;
  /** HMAC-SHA-256 of the key with the salt, in hex (docs/decisions/0013-accounts.md). */
  hash: string;
  created_at: number;
  last_used_at: number | null;
  /** Null while the key is active. */
  revoked_at: number | null;
}

export type JobOutcome = 'converted' | 'failed' | 'caller gone' | 'interrupted';

interface JobsTable {
  /** Sortable by time. */
  id: string;
  account_id: number;
  tag: string | null;
  /** `url`, `file` or `text`; null until the form has been read. */
  input: string | null;
  output_format: string | null;
  /** JSON: the given options, with secrets masked and contents left out. */
  parameters: string | null;
  /** Null while the job runs. */
  outcome: JobOutcome | null;
  /** The HTTP status of the response. */
  status: number | null;
  reason: number | null;
  message: string | null;
  received_at: number;
  ended_at: number | null;
  /** JSON: duration of each stage in milliseconds. */
  stages: string | null;
  input_bytes: number | null;
  output_bytes: number | null;
  pages: number | null;
  total_pages: number | null;
  /** Credits that the job holds while it runs. */
  reserved: number;
  /** Credits charged for the job. */
  charged: number;
  /** Id of the job's debug log. */
  debug_log: string | null;
}

export interface Tables {
  accounts: AccountsTable;
  keys: KeysTable;
  jobs: JobsTable;
}

export type Database = Kysely<Tables>;
export type AccountRow = Selectable<AccountsTable>;
export type KeyRow = Selectable<KeysTable>;
export type JobRow = Selectable<JobsTable>;
