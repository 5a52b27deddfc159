/** The migrations of the accounts database, applied in the order of their names. Never edit a released migration. */
import type { Kysely, Migration } from 'kysely';

export const migrations: Readonly<Record<string, Migration>> = {
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
};

async function accounts({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('accounts')
    // Ids are never reused: a job of a removed account must not belong to a new account.
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('operator', 'integer', (column) => column.notNull())
    .addColumn('demo', 'integer', (column) => column.notNull())
    .addColumn('granted', 'integer')
    .addColumn('spent', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('refill_credits', 'integer')
    .addColumn('refill_period', 'text')
    .addColumn('refilled_at', 'integer', (column) => column.notNull())
    .addColumn('jobs_at_once', 'integer')
    .addColumn('jobs_per_minute', 'integer')
    .addColumn('debug_log', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
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
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('last_used_at', 'integer')
    .addColumn('revoked_at', 'integer')
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
    .addColumn('received_at', 'integer', (column) => column.notNull())
    .addColumn('ended_at', 'integer')
    .addColumn('stages', 'text')
    .addColumn('input_bytes', 'integer')
    .addColumn('output_bytes', 'integer')
    .addColumn('pages', 'integer')
    .addColumn('total_pages', 'integer')
    .addColumn('reserved', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('charged', 'integer', (column) => column.notNull().defaultTo(0))
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
