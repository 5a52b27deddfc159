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
  /** The encrypted secret that signs the account's callbacks; null: none yet. */
  webhook_secret: Generated<string | null>;
  /** The size of the kept outputs of asynchronous jobs, in bytes. Triggers keep it. */
  kept_bytes: Generated<number>;
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

/** `canceled`: an asynchronous job that its caller canceled. */
export type JobOutcome = 'converted' | 'failed' | 'caller gone' | 'interrupted' | 'canceled';

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
  /** Null while the job waits or runs. */
  outcome: JobOutcome | null;
  /** The HTTP status of the response. */
  status: number | null;
  reason: number | null;
  message: string | null;
  received_at: number;
  /** When a node began to run the job; null while an asynchronous job waits in the queue. */
  started_at: number | null;
  /** The node that runs or ran the job; null while an asynchronous job waits in the queue. */
  node_id: string | null;
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

/** One row for each start of a service: a restarted service is a new node. */
interface NodesTable {
  /** Random. */
  id: string;
  /** The setting `node-name`. */
  name: string;
  /** The version of Platen. */
  version: string;
  /** The number of windows. */
  windows: number;
  /** The number of jobs that the node was running at its last heartbeat. */
  running: number;
  /** 1: an operator has asked the node to accept no further jobs. */
  draining: number;
  /** Why the node accepts no jobs; null if it does. */
  problem: string | null;
  started_at: number;
  /** The time of the last heartbeat, by the clock of the database. */
  seen_at: number;
}

/** Work that only one node does at a time, such as watching a hot folder. */
interface LeasesTable {
  /** What the lease is for. */
  name: string;
  node_id: string;
  /** By the clock of the database. */
  expires_at: number;
}

/** Debug logs of a database that several nodes share. With SQLite, debug logs are files in the data folder. */
interface DebugLogsTable {
  /** The unguessable id of the log. */
  id: string;
  /** The events as JSON lines, compressed with gzip. */
  events: Buffer;
  created_at: number;
}

/** Outputs of console runs in a database that several nodes share, in parts. */
interface ConsoleOutputsTable {
  /** The unguessable id of the output. */
  id: string;
  /** The number of the part, from 0. */
  part: number;
  account_id: number;
  /** File name. */
  name: string;
  /** Media type. */
  type: string;
  bytes: Buffer;
  created_at: number;
}

/** 0: interactive, 1: batch. */
export type JobPriority = 0 | 1;

/**
 * What happens to a batch that has not ended. `receiving`: its rows are being inserted, and it is not visible yet. `running`: its rows wait
 * or run. `merging`: its documents wait for the merge, or are being merged. `closing`: it was canceled, and its rows are being canceled.
 */
export type BatchState = 'receiving' | 'running' | 'merging' | 'closing';

/** What only asynchronous jobs have. Each row belongs to a row of `jobs` and is deleted with it. */
interface AsynchronousJobsTable {
  job_id: string;
  account_id: number;
  priority: JobPriority;
  /** Encrypted JSON: the request (main/asynchronous-jobs/stored-request.ts). Null after the end of the job. */
  request: string | null;
  /** How many times a node began to run the job: counted by versions before 0006-suspects. */
  attempts: Generated<number>;
  /** How many times a node died while it ran the job. Above 0, the job is a suspect (docs/decisions/0064-suspects.md). */
  node_losses: Generated<number>;
  /** The earliest time of the next attempt. */
  available_at: number;
  /** How long the output is kept, in milliseconds. */
  keep_ms: number;
  /** JSON: the output's file and the headers of its response (main/asynchronous-jobs/stored-output.ts); null if there is none. */
  output_headers: string | null;
  /** When the output is deleted; null while there is none. */
  expires_at: number | null;
  /** 1: the output was deleted, by its caller or when it expired. */
  output_deleted: Generated<number>;
  /** Without its query, which is in the request. */
  callback_url: string | null;
  /** The batch to which the job belongs; null for other jobs. */
  batch_id: string | null;
  /** The number of the row from which the job of a batch is made, from 1; null for other jobs. */
  row_number: number | null;
  /** The number of rows of a batch; null for other jobs. */
  batch_rows: number | null;
  /** 1: a batch whose documents are merged into one. */
  batch_merge: Generated<number>;
  /** Null for other jobs, and for a batch that has ended. */
  batch_state: Generated<BatchState | null>;
  /** The size of the request and of its uploads, which are kept as long as `request` is not null, in bytes. */
  upload_bytes: Generated<number>;
  /** The size of the output in bytes, which is kept as long as `output_deleted` is 0; 0 while there is none. */
  kept_bytes: Generated<number>;
}

/** A request that is repeated with the same key gives the same job. */
interface IdempotencyKeysTable {
  account_id: number;
  key: string;
  /** Keyed hash (HMAC-SHA-256) of the request, in hex. */
  digest: string;
  job_id: string;
  created_at: number;
}

/** The files of asynchronous jobs, in parts, if they are stored in the database. Deleted with the job. */
interface JobFilesTable {
  job_id: string;
  /** `output-` and a random part, or the number of an uploaded file. */
  name: string;
  /** The number of the part, from 0. */
  part: number;
  /** Encrypted together with the other parts. */
  bytes: Buffer;
}

/** Callbacks that have not been delivered yet. */
interface CallbacksTable {
  /** The value of the header `webhook-id`; the same in every attempt. */
  id: string;
  job_id: string;
  /** The account of the job. A trigger sets it if a node of an older version inserts the row. */
  account_id: number;
  /** Encrypted. */
  url: string;
  /** Encrypted JSON. */
  body: string;
  attempts: Generated<number>;
  /** The time of the next attempt. */
  due_at: number;
  /** What prevented the last attempt; null before the first one. */
  problem: string | null;
}

/** The keys with which values are encrypted are outside the database. One row, from the first start on. */
interface EncryptionTable {
  /** Which key it is, without revealing it. */
  check_value: string;
  /** The hour of the first start, at which the chains of keys begin. */
  first_epoch: number;
}

/** One row. */
interface SchemaCompatibilityTable {
  /** The migration that a version of Platen must contain to use the schema. */
  oldest: string;
}

export interface Tables {
  accounts: AccountsTable;
  keys: KeysTable;
  jobs: JobsTable;
  nodes: NodesTable;
  leases: LeasesTable;
  debug_logs: DebugLogsTable;
  console_outputs: ConsoleOutputsTable;
  asynchronous_jobs: AsynchronousJobsTable;
  idempotency_keys: IdempotencyKeysTable;
  job_files: JobFilesTable;
  callbacks: CallbacksTable;
  encryption: EncryptionTable;
  schema_compatibility: SchemaCompatibilityTable;
}

export type Database = Kysely<Tables>;
export type AccountRow = Selectable<AccountsTable>;
export type KeyRow = Selectable<KeysTable>;
export type JobRow = Selectable<JobsTable>;
export type NodeRow = Selectable<NodesTable>;
export type AsynchronousJobRow = Selectable<AsynchronousJobsTable>;
export type CallbackRow = Selectable<CallbacksTable>;
