/** The accounts database of a single node, with its maintenance. */
import { sql } from 'kysely';
import type { Database } from '../tables.ts';
import { shortenBusyTimeout } from '../write-retries.ts';
import type { Store, StoreOptions } from '../store.ts';
import { databasePath, openDatabase } from './sqlite-database.ts';

/** Opens and migrates the file in the data folder. @throws NewerDatabase; Error */
export async function openSqliteStore({ settings, report = () => {} }: StoreOptions): Promise<Store> {
  const database = await openDatabase(databasePath(settings.data));
  await shortenBusyTimeout(database);
  const checkpoints = await startCheckpoints(database, report);
  return {
    database,
    publicReads: database,
    isShared: false,
    problem: () => undefined,
    async [Symbol.asyncDispose]() {
      await checkpoints[Symbol.asyncDispose]();
      await database.destroy();
    },
  };
}

const checkpointIntervalMs = 5000;

/**
 * Runs SQLite's checkpoints from a timer (sqlite.org/wal.html#ckpt). SQLite itself would run a checkpoint at the end of a commit
 * and delay a job between its charge and its response (docs/decisions/0014-charging.md). Disposing of the result empties the WAL
 * file. `report` receives errors.
 */
export async function startCheckpoints(
  database: Database,
  report: (problem: unknown) => void,
): Promise<AsyncDisposable> {
  await sql`PRAGMA wal_autocheckpoint = 0`.execute(database);
  const timer = setInterval(() => {
    checkpoint(database).catch(report);
  }, checkpointIntervalMs);
  timer.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(database).catch(report);
    },
  };
}

/**
 * Writes all pages to the database file, and then empties the WAL file, in which deleted values would remain. While another process
 * reads or writes, the file is not emptied: waiting for it would block this process.
 */
async function checkpoint(database: Database): Promise<void> {
  const { rows } = await sql<{
    busy: number;
    log: number;
    checkpointed: number;
  }>`PRAGMA wal_checkpoint(PASSIVE)`.execute(database);
  const [{ busy, log, checkpointed }] = rows as [(typeof rows)[number]];
  if (busy === 0 && log > 0 && log === checkpointed)
    await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(database);
}
