/** How many jobs an account may have under way, and begin within a minute. */
import { Failure } from '../failure/failure.ts';
import type { AccountRow, Database } from './tables.ts';

const minute = 60_000;

/** @throws Failure tooManyRequests with the seconds after which the next job may begin */
export async function refuseBeyondLimits(
  database: Database,
  account: AccountRow,
  now: number,
): Promise<void> {
  await refuseBeyondJobsAtOnce(database, account);
  await refuseBeyondJobsPerMinute(database, account, now);
}

async function refuseBeyondJobsAtOnce(
  database: Database,
  { id, jobs_at_once: most }: AccountRow,
): Promise<void> {
  if (most === null) return;
  const { underWay } = await database
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('underWay'))
    .where('account_id', '=', id)
    .where('outcome', 'is', null)
    .executeTakeFirstOrThrow();
  if (underWay < most) return;
  // When one of them ends nobody knows; the shortest wait there is.
  throw new Failure(
    'tooManyRequests',
    `The account's limit of jobs under way at once, ${most}, is reached; wait until one ends.`,
    { retryAfter: 1 },
  );
}

/** The job as many places before this one as may begin within a minute must be a minute old. */
async function refuseBeyondJobsPerMinute(
  database: Database,
  { id, jobs_per_minute: most }: AccountRow,
  now: number,
): Promise<void> {
  if (most === null) return;
  const first =
    most < 1
      ? { received_at: now }
      : await database
          .selectFrom('jobs')
          .select('received_at')
          .where('account_id', '=', id)
          .orderBy('id', 'desc')
          .limit(1)
          .offset(most - 1)
          .executeTakeFirst();
  const wait = first === undefined ? 0 : first.received_at + minute - now;
  if (wait <= 0) return;
  throw new Failure(
    'tooManyRequests',
    `The account's limit of jobs a minute, ${most}, is reached; wait a moment.`,
    {
      // A clock that was put back must not shut the account out for longer.
      retryAfter: Math.ceil(Math.min(wait, minute) / 1000),
    },
  );
}
