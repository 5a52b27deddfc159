/**
 * Moves what SQLite has written ahead into the file itself (sqlite.org/wal.html#ckpt), from a timer: left to itself SQLite
 * does it at the end of some commit, which would lie between a charge and its answer (docs/decisions/0014-charging.md).
 */
import { sql } from 'kysely';
import type { Database } from './tables.ts';

const every = 5000;

/** Takes the work over from SQLite; disposed, it empties the write-ahead file. `report` is told what went wrong. */
export async function keepCheckpointed(
  database: Database,
  report: (problem: unknown) => void,
): Promise<AsyncDisposable> {
  await sql`PRAGMA wal_autocheckpoint = 0`.execute(database);
  const timer = setInterval(() => {
    sql`PRAGMA wal_checkpoint(PASSIVE)`.execute(database).catch(report);
  }, every);
  timer.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(database).catch(report);
    },
  };
}
