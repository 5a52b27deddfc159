/**
 * The migration that counts what each account uses of the queue and of the disk, and that lets a batch become visible last
 * (docs/decisions/0065-account-shares.md).
 */
import { sql, type Kysely } from 'kysely';
import { isPostgres } from './dialect.ts';

export async function addAccountShares(database: Kysely<never>): Promise<void> {
  await addColumns(database);
  // Counting the waiting jobs of an account and their uploads reads only this index: in SQLite, reading a column of a row with a large
  // request means reading the request.
  await sql`DROP INDEX asynchronous_jobs_waiting`.execute(database);
  await sql`CREATE INDEX asynchronous_jobs_waiting
    ON asynchronous_jobs (account_id, priority, job_id, batch_id, batch_state, node_losses, upload_bytes) WHERE request IS NOT NULL`.execute(
    database,
  );
  await sql`CREATE INDEX asynchronous_jobs_open_batches
    ON asynchronous_jobs (batch_state, account_id, job_id, batch_rows) WHERE batch_state IS NOT NULL`.execute(
    database,
  );
  // The totals of a batch are read in parts.
  await sql`DROP INDEX asynchronous_jobs_of_batch`.execute(database);
  await sql`CREATE INDEX asynchronous_jobs_of_batch ON asynchronous_jobs (batch_id, row_number, job_id)`.execute(
    database,
  );
  for (const statement of isPostgres(database) ? postgresTriggers : sqliteTriggers)
    await sql.raw(statement).execute(database);
}

async function addColumns(database: Kysely<never>): Promise<void> {
  for (const column of [
    'asynchronous_jobs ADD COLUMN batch_state text',
    'asynchronous_jobs ADD COLUMN upload_bytes bigint NOT NULL DEFAULT 0',
    'asynchronous_jobs ADD COLUMN kept_bytes bigint NOT NULL DEFAULT 0',
    'accounts ADD COLUMN kept_bytes bigint NOT NULL DEFAULT 0',
  ])
    await sql.raw(`ALTER TABLE ${column}`).execute(database);
  await sql`UPDATE asynchronous_jobs
    SET batch_state = CASE WHEN available_at < ${Number.MAX_SAFE_INTEGER} THEN 'merging' ELSE 'running' END
    WHERE batch_rows IS NOT NULL AND request IS NOT NULL`.execute(database);
}

// Triggers keep the size of the outputs of an account, because an account may keep a million outputs, and because no deletion, of
// whatever rows, can then be forgotten.

const sizeOf = (row: 'OLD' | 'NEW') =>
  `(CASE ${row}.output_deleted WHEN 0 THEN ${row}.kept_bytes ELSE 0 END)`;
const addChange = `UPDATE accounts SET kept_bytes = kept_bytes + ${sizeOf('NEW')} - ${sizeOf('OLD')} WHERE id = NEW.account_id`;
const subtract = `UPDATE accounts SET kept_bytes = kept_bytes - ${sizeOf('OLD')} WHERE id = OLD.account_id`;
const onChange = 'AFTER UPDATE OF kept_bytes, output_deleted ON asynchronous_jobs FOR EACH ROW';
const onDeletion = `AFTER DELETE ON asynchronous_jobs FOR EACH ROW WHEN (${sizeOf('OLD')} > 0)`;

const sqliteTriggers = [
  `CREATE TRIGGER asynchronous_jobs_output ${onChange} BEGIN ${addChange}; END`,
  `CREATE TRIGGER asynchronous_jobs_output_row ${onDeletion} BEGIN ${subtract}; END`,
];

const postgresTriggers = [
  `CREATE FUNCTION platen_output_changed_v1() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${addChange}; RETURN NULL; END $$`,
  `CREATE FUNCTION platen_output_removed_v1() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${subtract}; RETURN NULL; END $$`,
  `CREATE TRIGGER asynchronous_jobs_output ${onChange} EXECUTE FUNCTION platen_output_changed_v1()`,
  `CREATE TRIGGER asynchronous_jobs_output_row ${onDeletion} EXECUTE FUNCTION platen_output_removed_v1()`,
];
