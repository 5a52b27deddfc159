/** The database entry of one running job: the credits that the job reserves, and the outcome, which is written once. */
import { retryWhileBusy, writeForCaller } from './store/write-retries.ts';
import { noCredits, tooExpensive, freeCredits, type Receipt } from './credits.ts';
import { refillIfDue } from './refill.ts';
import type { Database, JobRow } from './store/tables.ts';

/** Data of a job that is known after its form has been read. */
export type JobData = Pick<
  JobRow,
  'tag' | 'input' | 'output_format' | 'parameters' | 'input_bytes' | 'debug_log'
>;

/** The size and the number of pages of an output. */
export type OutputFacts = Pick<JobRow, 'output_bytes' | 'pages' | 'total_pages'>;

/** The end of a job without an output. */
export interface JobEnd extends Pick<JobRow, 'status' | 'reason' | 'message'> {
  readonly outcome: 'failed' | 'caller gone';
  readonly stages: Stages;
}

/** Duration of each stage in milliseconds, by the stage's name. */
export type Stages = Readonly<Record<string, number>>;

/** Reserves the credits that a conversion costs. */
export interface Reservation {
  /** @throws Failure noCredits if no credit was free when the job arrived */
  readonly requireCredit: () => void;
  /**
   * Reserves the whole price and records the data of the output.
   * @throws Failure noCredits if the account has too few free credits, or unavailable; nothing is charged in that case
   */
  readonly hold: (price: number, output: OutputFacts) => Promise<Receipt>;
}

/** Disposing of an entry that has not ended records the job as interrupted and releases the credits that the job holds. */
export interface JobEntry extends Reservation, AsyncDisposable {
  /** Records the data of the job. @throws Failure unavailable */
  readonly describe: (facts: JobData) => Promise<void>;
  /**
   * Charges the reserved credits. Calls `acknowledge` immediately after the commit, in the same turn of the event loop.
   * @throws Error if the job has already ended, or the charge cannot be written; nothing is charged or acknowledged in that case
   */
  readonly charge: (stages: Stages, acknowledge: () => void) => Promise<void>;
  /** Records the end of a job without an output. Never rejects: a failed write is tried again later. */
  readonly fail: (ending: JobEnd) => Promise<void>;
  /** Refunds the charge, because the caller disconnected before the response was sent. Never rejects. */
  readonly refund: () => Promise<void>;
}

interface JobEntryOptions {
  readonly id: string;
  /** Whether a credit was free when the job arrived. */
  readonly hasCredit: boolean;
  readonly endings: JobEndQueue;
  /** Called once, when nothing more is written about the job. */
  readonly onClosed: () => void;
}

/** Returns the entry of an existing row. If the row is deleted with its account, the job still runs to its end. */
export function jobEntry(
  database: Database,
  { id, hasCredit, endings, onClosed }: JobEntryOptions,
): JobEntry {
  let ended = false;
  const end = async (ending: Partial<JobRow>) => {
    ended = true;
    const values = { ...ending, reserved: 0, ended_at: Date.now() };
    await endings.write(id, () => updateRunningJob(database, id).set(values).execute());
  };
  return {
    requireCredit() {
      if (!hasCredit) throw noCredits();
    },
    async describe(facts) {
      await writeForCaller(() => updateRunningJob(database, id).set(facts).execute());
    },
    hold: (price, output) =>
      writeForCaller(() =>
        database.transaction().execute((transaction) => hold(transaction, { id, price, output })),
      ),
    async charge(stages, acknowledge) {
      // Keeps the connection until after the commit, so that no other job's transaction runs before `acknowledge`.
      const chargeAndAcknowledge = async (connection: Database) => {
        await connection.transaction().execute((transaction) => charge(transaction, id, stages));
        acknowledge();
      };
      await retryWhileBusy(() => database.connection().execute(chargeAndAcknowledge));
      ended = true;
    },
    fail: ({ stages, ...ending }) => end({ ...ending, stages: JSON.stringify(stages) }),
    refund: () =>
      endings.write(id, () => database.transaction().execute((transaction) => refund(transaction, id))),
    async [Symbol.asyncDispose]() {
      if (!ended) await end({ outcome: 'interrupted' });
      onClosed();
    },
  };
}

function updateRunningJob(database: Database, id: string) {
  return database.updateTable('jobs').where('id', '=', id).where('outcome', 'is', null);
}

interface HeldCredits {
  readonly id: string;
  readonly price: number;
  readonly output: OutputFacts;
}

async function hold(database: Database, { id, price, output }: HeldCredits): Promise<Receipt> {
  const row = await database
    .selectFrom('accounts')
    .innerJoin('jobs', 'jobs.account_id', 'accounts.id')
    .selectAll('accounts')
    .where('jobs.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return { consumed: price };
  // A refill may have become due since the job arrived.
  const account = await refillIfDue(database, row, Date.now());
  const free = await freeCredits(database, account, id);
  if (price > free) throw tooExpensive(price, free);
  await updateRunningJob(database, id)
    .set({ ...output, reserved: price })
    .execute();
  return { consumed: price, ...(free < Infinity && { remaining: free - price }) };
}

async function charge(database: Database, id: string, stages: Stages): Promise<void> {
  const charged = await updateRunningJob(database, id)
    .set((row) => ({
      outcome: 'converted' as const,
      status: 200,
      reason: 0,
      ended_at: Date.now(),
      stages: JSON.stringify(stages),
      charged: row.ref('reserved'),
      reserved: 0,
    }))
    .returning(['account_id', 'charged'])
    .executeTakeFirst();
  if (charged !== undefined) await spend(database, charged);
  // The row does not exist if its account was removed. If the row exists, another process has ended the job.
  else if (await jobExists(database, id)) throw new Error(`job ${id} has already ended`);
}

async function spend(
  database: Database,
  { account_id, charged }: Pick<JobRow, 'account_id' | 'charged'>,
): Promise<void> {
  await database
    .updateTable('accounts')
    .set(({ eb }) => ({ spent: eb('spent', '+', charged) }))
    .where('id', '=', account_id)
    .execute();
}

async function jobExists(database: Database, id: string): Promise<boolean> {
  const row = await database.selectFrom('jobs').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
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
interface JobEndQueue extends AsyncDisposable {
  /** Resolves when `write` has succeeded or is pending. `write` may be called again after it has succeeded. */
  readonly write: (job: string, write: EntryWrite) => Promise<void>;
}

type EntryWrite = () => Promise<unknown>;

const retryIntervalMs = 1000;

/** `report` receives an error for each outcome that cannot be recorded immediately. */
export function openJobEndQueue(report: (problem: unknown) => void): JobEndQueue {
  const pending = new Set<EntryWrite>();
  let timer: NodeJS.Timeout | undefined;
  const writePending = async () => {
    for (const write of pending) {
      await write();
      pending.delete(write);
    }
  };
  const tryLater = () => {
    timer = setTimeout(() => {
      writePending().catch(tryLater);
    }, retryIntervalMs);
    timer.unref();
  };
  return {
    async write(job, write) {
      try {
        await retryWhileBusy(write);
      } catch (cause) {
        report(new Error(`cannot record the outcome of job ${job}`, { cause }));
        if (pending.size === 0) tryLater();
        pending.add(write);
      }
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      await retryWhileBusy(writePending).catch(report);
    },
  };
}
