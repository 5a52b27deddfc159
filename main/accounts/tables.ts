/** The tables of the accounts database as they are now; migrations.ts says how they came to be. Truth values are 0 and 1, times milliseconds since 1970. */
import type { Generated, Kysely, Selectable } from 'kysely';

export interface AccountsTable {
  id: Generated<number>;
  /** As the caller sends it; unique. */
  name: string;
  /** 1: sees every job, account and setting. */
  operator: number;
  /** 1: the demo account, whose key everybody knows. */
  demo: number;
  /** 1: the account of the tray's own window, which has no key. */
  tray: Generated<number>;
  /** 1: the account of the hot folders' jobs, which has no key. */
  hot_folders: Generated<number>;
  /** All credits it ever got; null: unlimited. The balance is `granted - spent`. */
  granted: number | null;
  /** All credits it was ever charged; counted for unlimited accounts too. */
  spent: Generated<number>;
  /** Balance it starts each period with; null: it is not refilled. */
  refill_credits: number | null;
  refill_period: 'day' | 'month' | null;
  refilled_at: number;
  /** Jobs it may have under way at once; null: no limit of its own. */
  jobs_at_once: number | null;
  /** Jobs it may begin within any 60 seconds; null: no limit. */
  jobs_per_minute: number | null;
  /** 1: each of its jobs has a debug log, asked for or not. */
  debug_log: number;
  created_at: number;
}

export interface KeysTable {
  /** Short and random: how an operator names it to revoke it. */
  id: string;
  account_id: number;
  /** What it is for, in the operator's words. */
  name: string;
  /** Hex. */
  salt: string;
  /** Hex of the HMAC-SHA-256 of the key under the salt (docs/decisions/0013-accounts.md). */
  hash: string;
  created_at: number;
  last_used_at: number | null;
  /** Set: it opens nothing any more. */
  revoked_at: number | null;
}

export type Outcome = 'converted' | 'failed' | 'caller gone' | 'interrupted';

export interface JobsTable {
  /** Sortable by time. */
  id: string;
  account_id: number;
  tag: string | null;
  /** `url`, `file` or `text`; null until the form has been read. */
  input: string | null;
  output_format: string | null;
  /** JSON: the options that were given, secrets masked, contents left out. */
  parameters: string | null;
  /** Null while it is under way. */
  outcome: Outcome | null;
  /** As the caller was told. */
  status: number | null;
  reason: number | null;
  message: string | null;
  received_at: number;
  ended_at: number | null;
  /** JSON: milliseconds of each stage. */
  stages: string | null;
  input_bytes: number | null;
  output_bytes: number | null;
  pages: number | null;
  total_pages: number | null;
  /** Credits it holds while it is under way. */
  reserved: number;
  /** Credits it has cost. */
  charged: number;
  /** Id of its debug log. */
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
