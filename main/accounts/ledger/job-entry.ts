/** The database entry of one running job: the credits that the job reserves, and the outcome, which is written once. */
import { retryWhileBusy, writeForCaller } from '../store/write-retries.ts';
import type { Database, JobRow } from '../store/tables.ts';
import type { Receipt } from './credits.ts';
import {
  JobAlreadyEnded,
  type EnteredJob,
  type JobData,
  type Ledger,
  type OutputFacts,
  type RunningJob,
  type Stages,
} from './ledger.ts';
import { spend, updateRunningJob } from './running-jobs.ts';

/** The end of a job without an output. */
export interface JobEnd extends Pick<JobRow, 'status' | 'reason' | 'message'> {
  readonly outcome: 'failed' | 'caller gone';
  readonly stages: Stages;
}

/** Reserves the credits that a conversion costs. */
export interface Reservation {
  /**
   * Reserves the whole price and records the data of the output.
   * @throws Failure noCredits if the account has too few free credits, or unavailable; nothing is charged in that case
   */
  readonly hold: (price: number, output: OutputFacts) => Promise<Receipt>;
}

/** Disposing of an entry that has not ended records the job as interrupted and releases the credits that the job holds. */
export interface JobEntry extends Reservation, AsyncDisposable {
  /** Whether a credit was free when the job arrived. */
  readonly hasCredit: boolean;
  /** Records the data of the job. @throws Failure unavailable */
  readonly describe: (facts: JobData) => Promise<void>;
  /**
   * Charges the reserved credits. Calls `acknowledge` immediately after the commit, in the same turn of the event loop. `alsoWrite`
   * writes in the same transaction.
   * @throws Error if the job has already ended, or the charge cannot be written; nothing is charged or acknowledged in that case
   */
  readonly charge: (
    stages: Stages,
    acknowledge: () => void,
    alsoWrite?: (transaction: Database) => Promise<void>,
  ) => Promise<void>;
  /** Records the end of a job without an output. Never rejects: a failed write is tried again later. */
  readonly fail: (ending: JobEnd) => Promise<void>;
  /** Refunds the charge, because the caller disconnected before the response was sent. Never rejects. */
  readonly refund: () => Promise<void>;
}

/** The entry of an asynchronous job, whose end also changes other tables. */
export interface AsynchronousJobEntry extends JobEntry {
  /**
   * Ends the job with the writes of `write`, in one transaction. Never rejects: a failed write is tried again later. `write` may be
   * called again after it has succeeded, so it must change only a job that still runs on its node.
   */
  readonly endWith: (write: (transaction: Database) => Promise<void>) => Promise<void>;
}

interface JobEntryOptions {
  readonly job: RunningJob;
  /** What the ledger answered when the job was entered. */
  readonly entered: EnteredJob;
  readonly database: Database;
  readonly ledger: Ledger;
  readonly endings: JobEndQueue;
  /** Called once, when nothing more is written about the job. */
  readonly onClosed: () => void;
}

/** Returns the entry of an existing row. If the row is deleted with its account, the job still runs to its end. */
export function jobEntry({
  job,
  entered,
  database,
  ledger,
  endings,
  onClosed,
}: JobEntryOptions): AsynchronousJobEntry {
  let ended = false;
  let hasHeld = false;
  /** The data of an output whose `hold` was skipped. */
  let output: OutputFacts | undefined;
  const end = async (ending: Partial<JobRow>) => {
    ended = true;
    const values = { ...ending, reserved: 0, ended_at: Date.now() };
    await endings.write(job.id, () => updateRunningJob(database, job).set(values).execute());
  };
  return {
    hasCredit: entered.free >= 1,
    async describe(facts) {
      await writeForCaller(() => updateRunningJob(database, job).set(facts).execute());
    },
    async hold(price, facts) {
      const isReserved = !hasHeld && price === 1 && entered.free >= 1;
      if (isReserved && ledger.skipsNeedlessHolds) {
        output = facts;
        return { consumed: price, ...(entered.free < Infinity && { remaining: entered.free - price }) };
      }
      hasHeld = true;
      return await ledger.hold(job, price, facts);
    },
    async charge(stages, acknowledge, alsoWrite) {
      if (ended) throw new JobAlreadyEnded(job.id);
      await ledger.charge(job, { stages, output, acknowledge, alsoWrite });
      ended = true;
    },
    fail: ({ stages, ...ending }) => end({ ...ending, stages: JSON.stringify(stages) }),
    async endWith(write) {
      ended = true;
      await endings.write(job.id, () => database.transaction().execute(write));
    },
    refund: () =>
      endings.write(job.id, () =>
        database.transaction().execute((transaction) => refund(transaction, job.id)),
      ),
    async [Symbol.asyncDispose]() {
      if (!ended) await end({ outcome: 'interrupted' });
      onClosed();
    },
  };
}

async function refund(database: Database, id: string): Promise<void> {
  const job = await database
    .selectFrom('jobs')
    .select(['account_id', 'charged'])
    .where('id', '=', id)
    .where('outcome', '=', 'converted')
    .executeTakeFirst();
  if (job === undefined) return;
  await database
    .updateTable('jobs')
    .set({ outcome: 'caller gone', status: null, reason: null, charged: 0 })
    .where('id', '=', id)
    .execute();
  await spend(database, { ...job, charged: -job.charged });
}

/**
 * Records the outcomes of jobs, and retries failed writes until they succeed, because a job holds its credits until its outcome is
 * recorded. Disposing tries pending writes once more. The next start records the remaining jobs as interrupted.
 */
export interface JobEndQueue extends AsyncDisposable {
  /** Resolves when `write` has succeeded or is pending. `write` may be called again after it has succeeded. */
  readonly write: (job: string, write: EntryWrite) => Promise<void>;
  /** Adds a write that is tried later. */
  readonly add: (write: EntryWrite) => void;
}

type EntryWrite = () => Promise<unknown>;

const retryIntervalMs = 1000;

/** `report` receives an error for each outcome that cannot be recorded immediately. */
export function openJobEndQueue(report: (problem: Error) => void): JobEndQueue {
  const pending = new Set<EntryWrite>();
  let timer: NodeJS.Timeout | undefined;
  // An outcome that cannot be written must not block the outcomes of other jobs.
  const writePending = async () => {
    let problem: unknown;
    for (const write of [...pending]) {
      try {
        await write();
        pending.delete(write);
      } catch (thrown) {
        problem = thrown;
      }
    }
    if (pending.size > 0) throw problem;
  };
  const tryLater = () => {
    timer = setTimeout(() => {
      writePending().catch(tryLater);
    }, retryIntervalMs);
    timer.unref();
  };
  const add = (write: EntryWrite) => {
    if (pending.size === 0) tryLater();
    pending.add(write);
  };
  return {
    add,
    async write(job, write) {
      try {
        await retryWhileBusy(write);
      } catch (cause) {
        report(new Error(`cannot record the outcome of job ${job}`, { cause }));
        add(write);
      }
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      await retryWhileBusy(writePending).catch((cause: unknown) => {
        report(new Error('cannot record the outcome of all jobs', { cause }));
      });
    },
  };
}
