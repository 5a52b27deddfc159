/** The record of jobs. A job is recorded when it arrives, with one credit reserved, and stays in the record after its end. */
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../failure/failure.ts';
import type { Account } from './account.ts';
import { writeForCaller } from './store/write-retries.ts';
import { freeCredits } from './credits.ts';
import { openJobEndQueue, jobEntry, type JobEntry } from './job-entry.ts';
import { findJob, listJobs, type JobPage, type JobRecord, type JobFilter } from './store/job-records.ts';
import { refillIfDue } from './refill.ts';
import type { Database, AccountRow } from './store/tables.ts';
import { AccountProblem } from './account-problem.ts';
import type { AccountBook } from './accounts.ts';

interface NewJob {
  /** Sortable by time. */
  readonly id: string;
  readonly account: Pick<Account, 'id'>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Disposing of the record waits up to 5 s for jobs whose responses are being sent. */
export interface Jobs extends AsyncDisposable {
  /**
   * Records a job and reserves one credit if one is free; otherwise `JobEntry.requireCredit` throws later.
   * @throws Failure tooManyRequests, unauthorized if the account was removed, unavailable; the job is not recorded in that case
   */
  readonly begin: (arrival: NewJob) => Promise<JobEntry>;
  /** Returns why jobs cannot be recorded, for 10 s after a failed write. */
  readonly problem: () => string | undefined;
  readonly list: (filter: JobFilter) => Promise<JobPage>;
  /** Returns the job, or undefined if the account has no job with this id. Without `account`, searches all accounts. */
  readonly find: (id: string, account?: number) => Promise<JobRecord | undefined>;
}

/** How long disposing waits for the last responses. */
const closeTimeoutMs = 5000;

/**
 * Opens the record. Jobs that were running when an earlier process ended become interrupted and release their credits.
 * `report` receives an error for each job whose outcome cannot be recorded immediately.
 */
export async function openJobs(database: Database, report: (problem: unknown) => void): Promise<Jobs> {
  await endInterrupted(database);
  const endings = openJobEndQueue(report);
  const open = new Set<string>();
  const writes = watchWrites();
  return {
    problem: writes.problem,
    async begin(arrival) {
      const { id } = arrival;
      const { hasCredit } = await writes.observe(
        writeForCaller(() => database.transaction().execute((transaction) => enter(transaction, arrival))),
      );
      open.add(id);
      return jobEntry(database, { id, hasCredit, endings, onClosed: () => void open.delete(id) });
    },
    list: (filter) => listJobs(database, filter),
    find: (id, account) => findJob(database, id, account),
    async [Symbol.asyncDispose]() {
      const deadline = performance.now() + closeTimeoutMs;
      while (open.size > 0 && performance.now() < deadline) await pause(10);
      await endings[Symbol.asyncDispose]();
    },
  };
}

/** How long a failed write counts as a problem, unless a later write succeeds. Limited, because without jobs nothing is written. */
const problemDurationMs = 10_000;

function watchWrites() {
  let failedAt = -Infinity;
  return {
    problem: () =>
      performance.now() - failedAt < problemDurationMs ? 'cannot write to the record of jobs' : undefined,
    async observe<T>(write: Promise<T>): Promise<T> {
      try {
        const result = await write;
        failedAt = -Infinity;
        return result;
      } catch (problem) {
        if (problem instanceof Failure && problem.kind === 'unavailable') failedAt = performance.now();
        throw problem;
      }
    },
  };
}

async function endInterrupted(database: Database): Promise<void> {
  await database
    .updateTable('jobs')
    .set({ outcome: 'interrupted', reserved: 0, message: 'The service ended before the job did.' })
    .where('outcome', 'is', null)
    .execute();
}

async function enter(
  database: Database,
  { id, account: { id: account_id }, now }: NewJob,
): Promise<{ readonly hasCredit: boolean }> {
  const row = await database
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', account_id)
    .executeTakeFirst();
  if (row === undefined) throw new Failure('unauthorized', 'The account has been removed.');
  const account = await refillIfDue(database, row, now);
  await checkLimits(database, account, now);
  const hasCredit = (await freeCredits(database, account)) >= 1;
  await database
    .insertInto('jobs')
    .values({ id, account_id, received_at: now, reserved: hasCredit ? 1 : 0, charged: 0 })
    .execute();
  return { hasCredit };
}

// The limits of an account: concurrent jobs, and jobs per minute.

const minuteMs = 60_000;

/** @throws Failure tooManyRequests with the seconds after which the next job may start */
async function checkLimits(database: Database, account: AccountRow, now: number): Promise<void> {
  await checkConcurrentJobs(database, account);
  await checkJobsPerMinute(database, account, now);
}

async function checkConcurrentJobs(
  database: Database,
  { id, jobs_at_once: limit }: AccountRow,
): Promise<void> {
  if (limit === null) return;
  const { running } = await database
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('running'))
    .where('account_id', '=', id)
    .where('outcome', 'is', null)
    .executeTakeFirstOrThrow();
  if (running < limit) return;
  // The end of a job cannot be predicted, so the response asks for the shortest possible wait.
  throw new Failure(
    'tooManyRequests',
    `The account has reached its limit of ${limit} concurrent jobs. Try again when a job has ended.`,
    { retryAfter: 1 },
  );
}

/** Checks that, with a limit of N, the Nth last job is at least a minute old. @throws Failure tooManyRequests */
async function checkJobsPerMinute(
  database: Database,
  { id, jobs_per_minute: limit }: AccountRow,
  now: number,
): Promise<void> {
  if (limit === null) return;
  const first =
    limit < 1
      ? { received_at: now }
      : await database
          .selectFrom('jobs')
          .select('received_at')
          .where('account_id', '=', id)
          .orderBy('id', 'desc')
          .limit(1)
          .offset(limit - 1)
          .executeTakeFirst();
  const waitMs = first === undefined ? 0 : first.received_at + minuteMs - now;
  if (waitMs <= 0) return;
  throw new Failure(
    'tooManyRequests',
    `The account has reached its limit of ${limit} jobs per minute. Try again later.`,
    {
      // If the clock was set back, the account still waits no longer than a minute.
      retryAfter: Math.ceil(Math.min(waitMs, minuteMs) / 1000),
    },
  );
}

/**
 * Returns the id of the account whose jobs are requested, or undefined for all accounts. `requestedName` is the account that the
 * request names, if any. Callers may see the jobs of their own account; operators may see the jobs of all accounts.
 * @throws Failure valueNotAllowed
 */
export async function accountOfRequestedJobs(
  accounts: Pick<AccountBook, 'find'>,
  { id, name, operator }: Account,
  requestedName: string | undefined,
): Promise<number | undefined> {
  if (requestedName === name) return id;
  if (requestedName === undefined) return operator ? undefined : id;
  if (!operator) throw notAllowed(requestedName, 'your own account; only operators may name other accounts');
  try {
    return (await accounts.find(requestedName)).id;
  } catch (problem) {
    if (problem instanceof AccountProblem) throw notAllowed(requestedName, 'the name of an account');
    throw problem;
  }
}

function notAllowed(name: string, allowed: string): Failure {
  return new Failure(
    'valueNotAllowed',
    `The value '${name.slice(0, 100)}' of account is not allowed; allowed: ${allowed}.`,
  );
}
