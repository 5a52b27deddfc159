/**
 * The migrations of the accounts database, applied in the order of their names, to SQLite and to PostgreSQL. Never edit a released
 * migration. A migration may only add what an older version of Platen can ignore, because versions of nodes overlap during an
 * upgrade; a later version may remove what no supported version uses any more (docs/cluster.md, "Upgrades").
 */
import { sql, type Kysely, type Migration } from 'kysely';
import { addAccountShares } from './account-shares-migration.ts';
import { addAccountsToCallbacks } from './callback-accounts-migration.ts';
import { isPostgres } from './dialect.ts';
import { outputEpoch, requestEpoch } from './key-epochs.ts';
import { oldestCompatibleMigration, type migrationNames } from './migration-names.ts';

export const migrations: Readonly<Record<(typeof migrationNames)[number], Migration>> = {
  '0001-accounts-keys-jobs': {
    async up(database: Kysely<never>) {
      await accounts(database);
      await keys(database);
      await jobs(database);
    },
  },
  '0002-tray': {
    async up({ schema }: Kysely<never>) {
      await schema
        .alterTable('accounts')
        .addColumn('tray', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
    },
  },
  '0003-hot-folders': {
    async up({ schema }: Kysely<never>) {
      await schema
        .alterTable('accounts')
        .addColumn('hot_folders', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
    },
  },
  '0004-nodes': {
    async up(database: Kysely<never>) {
      await startsOfJobs(database);
      await nodes(database);
    },
  },
  '0005-asynchronous-jobs': {
    async up(database: Kysely<never>) {
      await asynchronousJobs(database);
      await callbacks(database);
      if (isPostgres(database)) await ledgerFunctions(database);
    },
  },
  '0006-suspects': {
    async up(database: Kysely<never>) {
      await suspects(database);
    },
  },
  '0007-account-shares': {
    up: addAccountShares,
  },
  '0008-encryption': {
    async up(database: Kysely<never>) {
      await database.schema
        .createTable('encryption')
        .addColumn('check_value', 'text', (column) => column.notNull())
        .addColumn('first_epoch', 'bigint', (column) => column.notNull())
        .execute();
      await deletePlainValues(database);
      await indexKeyEpochs(database);
    },
  },
  '0009-callbacks-of-accounts': {
    up: addAccountsToCallbacks,
  },
};

async function accounts(database: Kysely<never>): Promise<void> {
  await database.schema
    .createTable('accounts')
    // Ids are never reused: a job of a removed account must not belong to a new account.
    .addColumn('id', isPostgres(database) ? 'serial' : 'integer', (column) =>
      isPostgres(database) ? column.primaryKey() : column.primaryKey().autoIncrement(),
    )
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('operator', 'integer', (column) => column.notNull())
    .addColumn('demo', 'integer', (column) => column.notNull())
    .addColumn('granted', 'bigint')
    .addColumn('spent', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('refill_credits', 'bigint')
    .addColumn('refill_period', 'text')
    .addColumn('refilled_at', 'bigint', (column) => column.notNull())
    .addColumn('jobs_at_once', 'integer')
    .addColumn('jobs_per_minute', 'integer')
    .addColumn('debug_log', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
}

async function keys({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'integer', (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('salt', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();
  await schema.createIndex('keys_of_account').on('keys').column('account_id').execute();
}

async function jobs({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('jobs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'integer', (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('tag', 'text')
    .addColumn('input', 'text')
    .addColumn('output_format', 'text')
    .addColumn('parameters', 'text')
    .addColumn('outcome', 'text')
    .addColumn('status', 'integer')
    .addColumn('reason', 'integer')
    .addColumn('message', 'text')
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('stages', 'text')
    .addColumn('input_bytes', 'bigint')
    .addColumn('output_bytes', 'bigint')
    .addColumn('pages', 'integer')
    .addColumn('total_pages', 'integer')
    .addColumn('reserved', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('charged', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('debug_log', 'text')
    .execute();
  await schema.createIndex('jobs_of_account').on('jobs').columns(['account_id', 'id']).execute();
  // Each new job sums up the credits of the running jobs, which are few among many rows.
  await schema
    .createIndex('jobs_under_way')
    .on('jobs')
    .column('account_id')
    .where('outcome' as never, 'is', null)
    .execute();
}

/** Records when and where each job began. Jobs from before this migration began when they arrived. */
async function startsOfJobs(database: Kysely<never>): Promise<void> {
  const { schema } = database;
  await schema.alterTable('jobs').addColumn('started_at', 'bigint').execute();
  await schema.alterTable('jobs').addColumn('node_id', 'text').execute();
  await sql`UPDATE jobs SET started_at = received_at`.execute(database);
  await schema.dropIndex('jobs_under_way').execute();
  // Each new job sums up the credits of the running jobs, which are few among many rows.
  await sql`CREATE INDEX jobs_running ON jobs (account_id, reserved) WHERE outcome IS NULL AND started_at IS NOT NULL`.execute(
    database,
  );
  await schema.createIndex('jobs_by_start').on('jobs').columns(['account_id', 'started_at']).execute();
}

async function nodes(database: Kysely<never>): Promise<void> {
  const { schema } = database;
  await schema
    .createTable('nodes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('windows', 'integer', (column) => column.notNull())
    .addColumn('running', 'integer', (column) => column.notNull())
    .addColumn('draining', 'integer', (column) => column.notNull())
    .addColumn('problem', 'text')
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('leases')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('node_id', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('debug_logs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('events', bytesType(database), (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('debug_logs_by_time').on('debug_logs').column('created_at').execute();
  await schema
    .createTable('console_outputs')
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('account_id', 'integer', (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('bytes', bytesType(database), (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('console_outputs_pk', ['id', 'part'] as never)
    .execute();
  await schema.createIndex('console_outputs_by_time').on('console_outputs').column('created_at').execute();
  // A later migration that removes what an older version uses changes the row.
  await schema
    .createTable('schema_compatibility')
    .addColumn('oldest', 'text', (column) => column.notNull())
    .execute();
  await sql`INSERT INTO schema_compatibility (oldest) VALUES (${oldestCompatibleMigration})`.execute(
    database,
  );
}

async function asynchronousJobs(database: Kysely<never>): Promise<void> {
  const { schema } = database;
  await schema
    .createTable('asynchronous_jobs')
    .addColumn('job_id', 'text', (column) => column.primaryKey().references('jobs.id').onDelete('cascade'))
    .addColumn('account_id', 'integer', (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('priority', 'integer', (column) => column.notNull())
    .addColumn('request', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('available_at', 'bigint', (column) => column.notNull())
    .addColumn('keep_ms', 'bigint', (column) => column.notNull())
    .addColumn('output_headers', 'text')
    .addColumn('expires_at', 'bigint')
    .addColumn('output_deleted', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('callback_url', 'text')
    .addColumn('batch_id', 'text', (column) => column.references('jobs.id').onDelete('cascade'))
    .addColumn('row_number', 'integer')
    .addColumn('batch_rows', 'integer')
    .addColumn('batch_merge', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // The rows with a request are the jobs that wait or run: few among many.
  await sql`CREATE INDEX asynchronous_jobs_waiting ON asynchronous_jobs (account_id, priority, job_id) WHERE request IS NOT NULL`.execute(
    database,
  );
  await schema.createIndex('asynchronous_jobs_of_batch').on('asynchronous_jobs').column('batch_id').execute();
  await schema
    .createIndex('asynchronous_jobs_by_expiry')
    .on('asynchronous_jobs')
    .column('expires_at')
    .execute();
  await schema
    .createTable('idempotency_keys')
    .addColumn('account_id', 'integer', (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('job_id', 'text', (column) => column.notNull().references('jobs.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_pk', ['account_id', 'key'] as never)
    .execute();
  await schema.createIndex('idempotency_keys_of_job').on('idempotency_keys').column('job_id').execute();
  await schema
    .createTable('job_files')
    .addColumn('job_id', 'text', (column) => column.notNull().references('jobs.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('bytes', bytesType(database), (column) => column.notNull())
    .addPrimaryKeyConstraint('job_files_pk', ['job_id', 'name', 'part'] as never)
    .execute();
}

async function callbacks(database: Kysely<never>): Promise<void> {
  const { schema } = database;
  await schema.alterTable('accounts').addColumn('webhook_secret', 'text').execute();
  await schema
    .createTable('callbacks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('job_id', 'text', (column) => column.notNull().references('jobs.id').onDelete('cascade'))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('problem', 'text')
    .execute();
  await schema.createIndex('callbacks_by_time').on('callbacks').column('due_at').execute();
  await schema.createIndex('callbacks_of_job').on('callbacks').column('job_id').execute();
}

async function suspects(database: Kysely<never>): Promise<void> {
  await database.schema
    .alterTable('asynchronous_jobs')
    .addColumn('node_losses', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // Each claim asks which batches have a suspect. Usually the index is empty.
  await sql`CREATE INDEX asynchronous_jobs_suspects ON asynchronous_jobs (batch_id) WHERE request IS NOT NULL AND node_losses > 0`.execute(
    database,
  );
}

/** Deletes what was not encrypted before. Jobs that wait fail when a node claims them, because their requests cannot be decrypted. */
async function deletePlainValues(database: Kysely<never>): Promise<void> {
  await sql`UPDATE accounts SET webhook_secret = NULL`.execute(database);
  await sql`DELETE FROM callbacks`.execute(database);
  await sql`UPDATE asynchronous_jobs SET callback_url = NULL`.execute(database);
  await sql`UPDATE asynchronous_jobs SET output_deleted = 1, output_headers = NULL, expires_at = NULL WHERE output_headers IS NOT NULL`.execute(
    database,
  );
}

/** The oldest keys in use are searched regularly, and the requests of waiting jobs may have gigabytes. */
async function indexKeyEpochs(database: Kysely<never>): Promise<void> {
  await sql`CREATE INDEX asynchronous_jobs_request_epochs ON asynchronous_jobs (${requestEpoch()}) WHERE request IS NOT NULL`.execute(
    database,
  );
  await sql`CREATE INDEX asynchronous_jobs_output_epochs ON asynchronous_jobs (${outputEpoch(database)}) WHERE output_headers IS NOT NULL`.execute(
    database,
  );
}

function bytesType(database: Kysely<never>): 'bytea' | 'blob' {
  return isPostgres(database) ? 'bytea' : 'blob';
}

async function ledgerFunctions(database: Kysely<never>): Promise<void> {
  const { createLedgerFunctions } = await import('./postgres/functions.ts');
  for (const statement of createLedgerFunctions) await sql.raw(statement).execute(database);
}
