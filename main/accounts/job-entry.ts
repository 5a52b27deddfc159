/** One job in the record while it is under way: what it holds, and how it ends. It ends once. */
import { whenFree, whenWritable } from './busy.ts';
import { noCredits, tooDear, freeCredits, type Receipt } from './credits.ts';
import type { Endings } from './endings.ts';
import { refillIfDue } from './refill.ts';
import type { Database, JobRow } from './tables.ts';

/** What is known once the form has been read. */
export type JobFacts = Pick<
  JobRow,
  'tag' | 'input' | 'output_format' | 'parameters' | 'input_bytes' | 'debug_log'
>;

/** What has been made, and what the caller will be told of it. */
export type OutputFacts = Pick<JobRow, 'output_bytes' | 'pages' | 'total_pages'>;

/** How a job ended that made no answer with an output. */
export interface Ending extends Pick<JobRow, 'status' | 'reason' | 'message'> {
  readonly outcome: 'failed' | 'caller gone';
  readonly stages: Stages;
}

/** Milliseconds by the stage's name. */
export type Stages = Readonly<Record<string, number>>;

/** What a conversion does with credits. */
export interface Reservation {
  /** @throws Failure noCredits when no credit was free as the job came */
  readonly require: () => void;
  /**
   * Reserves the whole price.
   * @throws Failure noCredits when it is more than is free, unavailable; nothing is charged then
   */
  readonly hold: (price: number, made: OutputFacts) => Promise<Receipt>;
}

/** Disposed without having ended, it was interrupted: it gives back what it holds. */
export interface JobEntry extends Reservation, AsyncDisposable {
  /** @throws Failure unavailable */
  readonly describe: (facts: JobFacts) => Promise<void>;
  /**
   * Charges what is held; `acknowledge` is called as soon as that is certain, in the same turn.
   * @throws Error when the job has ended otherwise, or it cannot be written; nothing is charged or acknowledged then
   */
  readonly charge: (stages: Stages, acknowledge: () => void) => Promise<void>;
  /** Never rejects: what cannot be written now is written later. */
  readonly fail: (ending: Ending) => Promise<void>;
  /** Gives back what was charged, because the caller was gone after all. Never rejects. */
  readonly refund: () => Promise<void>;
}

interface EntryParts {
  readonly id: string;
  /** Whether a credit was free as it came. */
  readonly credited: boolean;
  readonly endings: Endings;
  /** Told once, when nothing more will be written of it. */
  readonly closed: () => void;
}

/** The entry of a row that is there. A row that goes with its account takes nothing from the job. */
export function jobEntry(database: Database, { id, credited, endings, closed }: EntryParts): JobEntry {
  let ended = false;
  const end = async (ending: Partial<JobRow>) => {
    ended = true;
    const values = { ...ending, reserved: 0, ended_at: Date.now() };
    await endings.write(id, () => underWay(database, id).set(values).execute());
  };
  return {
    require() {
      if (!credited) throw noCredits();
    },
    async describe(facts) {
      await whenWritable(() => underWay(database, id).set(facts).execute());
    },
    hold: (price, made) =>
      whenWritable(() => database.transaction().execute((within) => hold(within, { id, price, made }))),
    async charge(stages, acknowledge) {
      // The connection is kept over the end of the transaction, or another job's would come between.
      const chargeNow = async (one: Database) => {
        await one.transaction().execute((within) => charge(within, id, stages));
        acknowledge();
      };
      await whenFree(() => database.connection().execute(chargeNow));
      ended = true;
    },
    fail: ({ stages, ...ending }) => end({ ...ending, stages: JSON.stringify(stages) }),
    refund: () => endings.write(id, () => database.transaction().execute((within) => refund(within, id))),
    async [Symbol.asyncDispose]() {
      if (!ended) await end({ outcome: 'interrupted' });
      closed();
    },
  };
}

function underWay(database: Database, id: string) {
  return database.updateTable('jobs').where('id', '=', id).where('outcome', 'is', null);
}

interface Held {
  readonly id: string;
  readonly price: number;
  readonly made: OutputFacts;
}

async function hold(database: Database, { id, price, made }: Held): Promise<Receipt> {
  const row = await database
    .selectFrom('accounts')
    .innerJoin('jobs', 'jobs.account_id', 'accounts.id')
    .selectAll('accounts')
    .where('jobs.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return { consumed: price };
  // Midnight may have passed since the job came.
  const account = await refillIfDue(database, row, Date.now());
  const free = await freeCredits(database, account, id);
  if (price > free) throw tooDear(price, free);
  await underWay(database, id)
    .set({ ...made, reserved: price })
    .execute();
  return { consumed: price, ...(free < Infinity && { remaining: free - price }) };
}

async function charge(database: Database, id: string, stages: Stages): Promise<void> {
  const charged = await underWay(database, id)
    .set((row) => ({
      ...{ outcome: 'converted', status: 200, reason: 0, ended_at: Date.now() },
      ...{ stages: JSON.stringify(stages), charged: row.ref('reserved'), reserved: 0 },
    }))
    .returning(['account_id', 'charged'])
    .executeTakeFirst();
  if (charged !== undefined) await spend(database, charged);
  // The account may have been removed, and its jobs with it. A job that is there has been ended by another process.
  else if (await isThere(database, id)) throw new Error(`job ${id} has ended already`);
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

async function isThere(database: Database, id: string): Promise<boolean> {
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
