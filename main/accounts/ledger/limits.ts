/** The limits of an account: concurrent jobs, and jobs per minute. */
import { Failure } from '../../failure/failure.ts';
import type { AccountRow, Database } from '../store/tables.ts';

export const minuteMs = 60_000;

/** Returns why the account may begin no job now: Failure tooManyRequests with the seconds after which it may; undefined if it may. */
export async function limitRefusal(
  database: Database,
  { id, jobs_at_once: atOnce, jobs_per_minute: perMinute }: AccountRow,
  now: number,
): Promise<Failure | undefined> {
  if (atOnce !== null && (await countRunningJobs(database, id)) >= atOnce) return tooManyAtOnce(atOnce);
  if (perMinute === null) return undefined;
  const waitMs = await waitForMinute(database, { id, jobs_per_minute: perMinute }, now);
  return waitMs > 0 ? tooManyPerMinute(perMinute, waitMs) : undefined;
}

/** Returns the number of jobs of the account that run now, on all nodes. */
async function countRunningJobs(database: Database, account: number): Promise<number> {
  const { running } = await database
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('running'))
    .where('account_id', '=', account)
    .where('outcome', 'is', null)
    .where('started_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return running;
}

/**
 * Returns how long the account must wait until its next job, in milliseconds; 0 or less if it need not wait. With a limit of N, the
 * Nth last start must be a minute ago.
 */
async function waitForMinute(
  database: Database,
  { id, jobs_per_minute: limit }: { readonly id: number; readonly jobs_per_minute: number },
  now: number,
): Promise<number> {
  if (limit < 1) return minuteMs;
  const first = await database
    .selectFrom('jobs')
    .select('started_at')
    .where('account_id', '=', id)
    .where('started_at', 'is not', null)
    .orderBy('started_at', 'desc')
    .limit(1)
    .offset(limit - 1)
    .executeTakeFirst();
  return first === undefined ? 0 : (first.started_at ?? 0) + minuteMs - now;
}

export function tooManyAtOnce(limit: number): Failure {
  // The end of a job cannot be predicted, so the response asks for the shortest possible wait.
  return new Failure(
    'tooManyRequests',
    `The account has reached its limit of ${limit} concurrent jobs. Try again when a job has ended.`,
    { retryAfter: 1 },
  );
}

export function tooManyPerMinute(limit: number, waitMs: number): Failure {
  return new Failure(
    'tooManyRequests',
    `The account has reached its limit of ${limit} jobs per minute. Try again later.`,
    {
      // If the clock was set back, the account still waits no longer than a minute.
      retryAfter: Math.ceil(Math.min(waitMs, minuteMs) / 1000),
    },
  );
}
