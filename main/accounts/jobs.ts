/** The record of jobs: a job enters it as it arrives, with a credit reserved, and stays in it when it has ended. */
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../failure/failure.ts';
import type { Account } from './account.ts';
import { whenWritable } from './busy.ts';
import { freeCredits } from './credits.ts';
import { openEndings } from './endings.ts';
import { jobEntry, type JobEntry } from './job-entry.ts';
import { refuseBeyondLimits } from './job-limits.ts';
import { findJob, listJobs, type JobPage, type JobRecord, type Wanted } from './job-records.ts';
import { refillIfDue } from './refill.ts';
import type { Database } from './tables.ts';

export interface Arrival {
  /** Sortable by time. */
  readonly id: string;
  readonly account: Pick<Account, 'id'>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Disposed, it waits a moment for jobs whose answers are just going out. */
export interface Jobs extends AsyncDisposable {
  /**
   * Enters a job and reserves a credit for it, if one is free (JobEntry.require tells).
   * @throws Failure tooManyRequests, unauthorized when the account is gone, unavailable; then there is no entry
   */
  readonly begin: (arrival: Arrival) => Promise<JobEntry>;
  /** Why no job can be entered, as far as the last ones tell, and for a few seconds. */
  readonly problem: () => string | undefined;
  readonly list: (wanted: Wanted) => Promise<JobPage>;
  /** The job, or undefined when there is none of this id, or none of this account. */
  readonly find: (id: string, account?: number) => Promise<JobRecord | undefined>;
}

/** Longest wait for the last answers, in milliseconds. */
const patience = 5000;

/**
 * Opens the record: jobs that an earlier process left under way were interrupted, and give back what they held.
 * `report` is told of ends of jobs that cannot be written at once.
 */
export async function openJobs(database: Database, report: (problem: unknown) => void): Promise<Jobs> {
  await endInterrupted(database);
  const endings = openEndings(report);
  const open = new Set<string>();
  const watch = watchWriting();
  return {
    problem: watch.problem,
    async begin(arrival) {
      const { id } = arrival;
      const { credited } = await watch.observe(
        whenWritable(() => database.transaction().execute((within) => enter(within, arrival))),
      );
      open.add(id);
      return jobEntry(database, { id, credited, endings, closed: () => void open.delete(id) });
    },
    list: (wanted) => listJobs(database, wanted),
    find: (id, account) => findJob(database, id, account),
    async [Symbol.asyncDispose]() {
      const until = performance.now() + patience;
      while (open.size > 0 && performance.now() < until) await pause(10);
      await endings[Symbol.asyncDispose]();
    },
  };
}

/** Milliseconds; without jobs nobody would learn that it can be written again. */
const problemLasts = 10_000;

function watchWriting() {
  let failed = -Infinity;
  return {
    problem: () =>
      performance.now() - failed < problemLasts ? 'the record of jobs cannot be written' : undefined,
    async observe<T>(writing: Promise<T>): Promise<T> {
      try {
        const written = await writing;
        failed = -Infinity;
        return written;
      } catch (problem) {
        if (problem instanceof Failure && problem.kind === 'unavailable') failed = performance.now();
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
  { id, account: { id: account_id }, now }: Arrival,
): Promise<{ readonly credited: boolean }> {
  const row = await database
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', account_id)
    .executeTakeFirst();
  if (row === undefined) throw new Failure('unauthorized', 'The account has just been removed.');
  const account = await refillIfDue(database, row, now);
  await refuseBeyondLimits(database, account, now);
  const credited = (await freeCredits(database, account)) >= 1;
  await database
    .insertInto('jobs')
    .values({ id, account_id, received_at: now, reserved: credited ? 1 : 0, charged: 0 })
    .execute();
  return { credited };
}
