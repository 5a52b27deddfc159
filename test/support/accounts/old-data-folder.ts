/** Creates a data folder as written by Platen before version.json and hot folders existed. */
import { DatabaseSync } from '@photostructure/sqlite';
import { databasePath, openDatabase } from '../../../main/accounts/store/sqlite/sqlite-database.ts';
import { openBook } from './accounts.ts';

/** Resolves with the key of the only account, `ann`, which has 42 of 100 credits left. */
export async function createOldDataFolder(data: string): Promise<string> {
  const database = await openDatabase(databasePath(data));
  const key = await openBook(database).add({ name: 'ann', credits: 100 });
  await database.updateTable('accounts').set({ spent: 58 }).where('name', '=', 'ann').execute();
  await database.destroy();
  const file = new DatabaseSync(databasePath(data));
  file.exec(undoneMigrations);
  file.close();
  return key;
}

/** Undoes the migrations from 0003 on. */
const undoneMigrations = `
  ALTER TABLE accounts DROP COLUMN hot_folders;
  ALTER TABLE accounts DROP COLUMN webhook_secret;
  DROP TABLE encryption;
  DROP TABLE callbacks;
  DROP TABLE job_files;
  DROP TABLE idempotency_keys;
  DROP TABLE asynchronous_jobs;
  ALTER TABLE accounts DROP COLUMN kept_bytes;
  DROP TABLE schema_compatibility;
  DROP TABLE console_outputs;
  DROP TABLE debug_logs;
  DROP TABLE leases;
  DROP TABLE nodes;
  DROP INDEX jobs_running;
  DROP INDEX jobs_by_start;
  ALTER TABLE jobs DROP COLUMN started_at;
  ALTER TABLE jobs DROP COLUMN node_id;
  CREATE INDEX jobs_under_way ON jobs (account_id) WHERE outcome IS NULL;
  DELETE FROM kysely_migration WHERE name >= '0003';
`;
