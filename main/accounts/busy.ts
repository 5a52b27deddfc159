/**
 * Waiting for another process that writes to the accounts database, as SQLite lets only one at a time: without stopping this
 * process, and not for ever.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { Failure } from '../failure/failure.ts';
import type { Database } from './tables.ts';

/** Longest wait for another process, in milliseconds. */
const longest = 2000;

/** Between two tries, in milliseconds. */
const between = 50;

/** SQLite waits inside its call, and with it the whole process: long enough for a usual transaction of the command line. */
export async function blockBriefly(database: Database): Promise<void> {
  await sql`PRAGMA busy_timeout = 50`.execute(database);
}

/** Tries until no other process is writing. What is tried must do nothing when it fails, as a transaction does. */
export async function whenFree<T>(write: () => Promise<T>): Promise<T> {
  const until = performance.now() + longest;
  for (;;) {
    try {
      return await write();
    } catch (problem) {
      if (resultCodeOf(problem) !== busy || performance.now() >= until) throw problem;
    }
    // The connection is free meanwhile, so that others can read.
    await pause(between);
  }
}

/** As whenFree, where a caller waits. @throws Failure unavailable while the database cannot be written */
export async function whenWritable<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await whenFree(write);
  } catch (cause) {
    if (!unwritable.has(resultCodeOf(cause) ?? 0)) throw cause;
    const sentence = 'The service cannot write its record of jobs just now. Try again in a moment.';
    throw new Failure('unavailable', sentence, { cause, retryAfter: 5 });
  }
}

/** sqlite.org/rescode.html */
const busy = 5;

/** Busy, read-only, input or output failed, disk full, file cannot be opened. */
const unwritable: ReadonlySet<number> = new Set([busy, 8, 10, 13, 14]);

/** The primary one: the extended codes have more in their upper bits. */
function resultCodeOf(problem: unknown): number | undefined {
  if (!(problem instanceof Error && 'errcode' in problem)) return undefined;
  return Number(problem.errcode) & 0xff;
}
