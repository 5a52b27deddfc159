/** The accounts database of a single node, with its maintenance. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openThreadPool } from '../../../async/threads.ts';
import { nextTurn } from '../../../async/yielding.ts';
import type { Database } from '../tables.ts';
import { shortenBusyTimeout } from '../write-retries.ts';
import type { Store, StoreOptions } from '../store.ts';
import { databasePath, openDatabase } from './sqlite-database.ts';

/** Opens and migrates the file in the data folder. @throws NewerDatabase; Error */
export async function openSqliteStore({ settings, report = () => {} }: StoreOptions): Promise<Store> {
  const path = databasePath(settings.data);
  const database = await openDatabase(path);
  await shortenBusyTimeout(database);
  const checkpoints = await startCheckpoints(database, { path, report });
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

/** A checkpoint of a longer WAL file, in bytes, runs in a thread. Only large batches write so much in one interval. */
const maxMainThreadBytes = 4_000_000;

interface CheckpointOptions {
  readonly path: string;
  /** Receives errors. */
  readonly report: (problem: unknown) => void;
  /** Default: the compiled program. */
  readonly threadFile?: string;
}

/**
 * Runs SQLite's checkpoints from a timer (sqlite.org/wal.html#ckpt). SQLite itself would run a checkpoint at the end of a commit
 * and delay a job between its charge and its response (docs/decisions/0014-charging.md). Disposing of the result empties the WAL
 * file.
 */
export async function startCheckpoints(
  database: Database,
  { path, report, threadFile }: CheckpointOptions,
): Promise<AsyncDisposable> {
  await sql`PRAGMA wal_autocheckpoint = 0`.execute(database);
  const filename = threadFile ?? join(import.meta.dirname, 'checkpoint-thread.cjs');
  const thread = openThreadPool<string, undefined>({ filename, minThreads: 0, maxThreads: 1 });
  const checkpoint = async () => {
    const { size } = await stat(`${path}-wal`);
    if (size > maxMainThreadBytes) await thread.run(path).catch(report);
    await emptyWal(database);
  };
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= checkpoint()
      .catch(report)
      .finally(() => (running = undefined));
  }, checkpointIntervalMs);
  timer.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await running;
      await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(database).catch(report);
      await thread[Symbol.asyncDispose]();
    },
  };
}

/**
 * Writes all pages to the database file, and then empties the WAL file, in which deleted values would remain. While another process
 * reads or writes, the file is not emptied: waiting for it would block this process.
 */
async function emptyWal(database: Database): Promise<void> {
  const { rows } = await sql<{
    busy: number;
    log: number;
    checkpointed: number;
  }>`PRAGMA wal_checkpoint(PASSIVE)`.execute(database);
  const [{ busy, log, checkpointed }] = rows as [(typeof rows)[number]];
  if (busy === 0 && log > 0 && log === checkpointed) {
    await nextTurn();
    await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(database);
  }
}
