/** The record of jobs. A job is recorded when it arrives, with one credit reserved, and stays in the record after its end. */
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../failure/failure.ts';
import type { Account } from './account.ts';
import { AccountProblem } from './account-problem.ts';
import type { AccountBook } from './accounts.ts';
import {
  jobEntry,
  openJobEndQueue,
  type AsynchronousJobEntry,
  type JobEndQueue,
  type JobEntry,
} from './ledger/job-entry.ts';
import { JobAlreadyEnded, type EnteredJob, type Ledger, type RunningJob } from './ledger/ledger.ts';
import { updateRunningJob } from './ledger/running-jobs.ts';
import { SqliteLedger } from './ledger/sqlite-ledger.ts';
import type { ThisNode } from './nodes/this-node.ts';
import { findJob, listJobs, type JobFilter, type JobPage, type JobRecord } from './store/job-records.ts';
import type { Store } from './store/store.ts';
import { isUnavailable } from './store/unavailable.ts';

interface ArrivingJob {
  /** Sortable by time. */
  readonly id: string;
  readonly account: Pick<Account, 'id'>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Disposing of the record waits up to 5 s for jobs whose responses are being sent. */
export interface Jobs extends AsyncDisposable {
  /**
   * Records a job and reserves one credit if one is free (`JobEntry.hasCredit`).
   * @throws Failure tooManyRequests, unauthorized if the account was removed, unavailable; the job is not recorded in that case
   */
  readonly begin: (arrival: ArrivingJob) => Promise<JobEntry>;
  /** Returns the entry of a job that was claimed from the queue of asynchronous jobs, and that already has a row. */
  readonly entryOf: (job: RunningJob, entered: EnteredJob) => AsynchronousJobEntry;
  /** Returns the number of jobs that run in this process. */
  readonly running: () => number;
  /** Returns why jobs cannot be recorded: while a shared database cannot be reached, or for 10 s after a failed write. */
  readonly problem: () => string | undefined;
  readonly list: (filter: JobFilter) => Promise<JobPage>;
  /** Returns the job, or undefined if the account has no job with this id. Without `account`, searches all accounts. */
  readonly find: (id: string, account?: number) => Promise<JobRecord | undefined>;
}

/** How long disposing waits for the last responses. */
const closeTimeoutMs = 5000;

interface JobsOptions {
  readonly store: Pick<Store, 'database' | 'isShared' | 'problem'>;
  readonly node: Pick<ThisNode, 'id'>;
  /** Receives an error for each job whose outcome or charge cannot be recorded immediately. */
  readonly report: (problem: unknown) => void;
}

/** Opens the record of jobs, after ThisNode.register has given back the jobs of earlier nodes. */
export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const { store, node, report } = options;
  const { database } = store;
  // The database itself reports that it cannot be reached.
  const endings = openJobEndQueue((problem) => {
    if (!isUnavailable(problem.cause)) report(problem);
  });
  const ledger = await openLedger(options, endings);
  const open = new Set<string>();
  const writes = watchWrites();
  const entryOf = (job: RunningJob, entered: EnteredJob) => {
    open.add(job.id);
    return jobEntry({ job, entered, database, ledger, endings, onClosed: () => void open.delete(job.id) });
  };
  return {
    problem: () => (store.problem() === undefined ? writes.problem() : 'cannot reach the database'),
    async begin({ id, account, now }) {
      const job = { id, node: node.id };
      const entered = await writes.observe(ledger.enter({ id, account: account.id, now }, job.node));
      return entryOf(job, entered);
    },
    entryOf,
    running: () => open.size,
    list: (filter) => listJobs(database, filter),
    find: (id, account) => findJob(database, id, account),
    async [Symbol.asyncDispose]() {
      const deadline = performance.now() + closeTimeoutMs;
      while (open.size > 0 && performance.now() < deadline) await pause(10);
      await endings[Symbol.asyncDispose]();
    },
  };
}

/** Loads the code for PostgreSQL only if the database is shared. */
async function openLedger(
  { store: { database, isShared }, report }: JobsOptions,
  endings: JobEndQueue,
): Promise<Ledger> {
  if (!isShared) return new SqliteLedger(database);
  const { PostgresLedger } = await import('./ledger/postgres-ledger.ts');
  return new PostgresLedger({
    database,
    onUncertain(job) {
      const ending = { outcome: 'interrupted' as const, reserved: 0, ended_at: Date.now() };
      endings.add(() => updateRunningJob(database, job).set(ending).execute());
    },
    chargeLater(job, charge) {
      void endings.write(job.id, () =>
        charge().catch((problem: unknown) => {
          if (!(problem instanceof JobAlreadyEnded)) throw problem;
          report(new Error(`job ${job.id} was delivered, but given back before it could be charged`));
        }),
      );
    },
  });
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
