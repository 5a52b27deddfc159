/**
 * Retries writes that conflict with another process that writes to the accounts database. SQLite allows only one writer at a time;
 * PostgreSQL ends one of several transactions that wait for each other.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { Failure } from '../../failure/failure.ts';
import type { Database } from './tables.ts';

const retryTimeoutMs = 2000;
const retryIntervalMs = 50;

/**
 * Limits the time that SQLite itself waits for another writer to 50 ms, because this wait blocks the whole process. 50 ms are
 * enough for a usual transaction of the command line.
 */
export async function shortenBusyTimeout(database: Database): Promise<void> {
  await sql`PRAGMA busy_timeout = 50`.execute(database);
}

/** Retries `write` while another process writes. A failed `write` must leave no changes, like a transaction. */
export async function retryWhileBusy<T>(write: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + retryTimeoutMs;
  for (;;) {
    try {
      return await write();
    } catch (problem) {
      if (!isConflict(problem) || performance.now() >= deadline) throw problem;
    }
    // The connection is free during the pause, so that other queries can read.
    await pause(retryIntervalMs);
  }
}

/** Like retryWhileBusy, for writes that a caller waits for. @throws Failure unavailable if the database cannot be written */
export async function writeForCaller<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await retryWhileBusy(write);
  } catch (cause) {
    if (!unwritable.has(resultCodeOf(cause) ?? 0)) throw cause;
    const message = 'The service cannot write to its record of jobs at the moment. Try again later.';
    throw new Failure('unavailable', message, { cause, retryAfter: 5 });
  }
}

/** SQLITE_BUSY (sqlite.org/rescode.html). */
const busy = 5;

/** SQLITE_BUSY, READONLY, IOERR, FULL and CANTOPEN. */
const unwritable: ReadonlySet<number> = new Set([busy, 8, 10, 13, 14]);

/** Returns the primary result code, which is the low byte of an extended code. */
function resultCodeOf(problem: unknown): number | undefined {
  if (!(problem instanceof Error && 'errcode' in problem)) return undefined;
  return Number(problem.errcode) & 0xff;
}

/** PostgreSQL's serialization_failure and deadlock_detected (postgresql.org/docs/current/errcodes-appendix.html). */
const conflicts = ['40001', '40P01'];

function isConflict(problem: unknown): boolean {
  if (resultCodeOf(problem) === busy) return true;
  return problem instanceof Error && 'code' in problem && conflicts.includes(String(problem.code));
}
