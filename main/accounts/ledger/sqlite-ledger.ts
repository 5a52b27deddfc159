/** The ledger of a single node: short transactions on SQLite, which runs one at a time. */
import { retryWhileBusy, writeForCaller } from '../store/write-retries.ts';
import type { Database } from '../store/tables.ts';
import { freeCredits, tooExpensive, type Receipt } from './credits.ts';
import {
  accountRemoved,
  JobAlreadyEnded,
  type JobCharge,
  type EnteredJob,
  type Ledger,
  type NewJob,
  type OutputFacts,
  type RunningJob,
} from './ledger.ts';
import { limitRefusal } from './limits.ts';
import { refillIfDue } from './refill.ts';
import { spend, updateRunningJob } from './running-jobs.ts';

export class SqliteLedger implements Ledger {
  readonly skipsNeedlessHolds = false;
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async enter(job: NewJob, node: string): Promise<EnteredJob> {
    return await writeForCaller(() =>
      this.#database.transaction().execute((transaction) => enter(transaction, job, node)),
    );
  }

  async hold(job: RunningJob, price: number, output: OutputFacts): Promise<Receipt> {
    return await writeForCaller(() =>
      this.#database.transaction().execute((transaction) => hold(transaction, { job, price, output })),
    );
  }

  async charge(job: RunningJob, { acknowledge, ...charge }: JobCharge): Promise<void> {
    // Keeps the connection until after the commit, so that no other job's transaction runs before `acknowledge`.
    await retryWhileBusy(() =>
      this.#database.connection().execute(async (connection) => {
        await connection
          .transaction()
          .execute((transaction) => chargeInTransaction(transaction, job, charge));
        acknowledge();
      }),
    );
  }
}

async function enter(database: Database, { id, account, now }: NewJob, node: string): Promise<EnteredJob> {
  const found = await database
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', account)
    .executeTakeFirst();
  if (found === undefined) throw accountRemoved();
  const row = await refillIfDue(database, found, now);
  const refusal = await limitRefusal(database, row, now);
  if (refusal !== undefined) throw refusal;
  const free = await freeCredits(database, row);
  await database
    .insertInto('jobs')
    .values({
      id,
      account_id: account,
      received_at: now,
      started_at: now,
      node_id: node,
      reserved: free >= 1 ? 1 : 0,
      charged: 0,
    })
    .execute();
  return { free: Math.max(0, free) };
}

interface HeldCredits {
  readonly job: RunningJob;
  readonly price: number;
  readonly output: OutputFacts;
}

async function hold(database: Database, { job, price, output }: HeldCredits): Promise<Receipt> {
  const row = await database
    .selectFrom('accounts')
    .innerJoin('jobs', 'jobs.account_id', 'accounts.id')
    .selectAll('accounts')
    .where('jobs.id', '=', job.id)
    .executeTakeFirst();
  if (row === undefined) return { consumed: price };
  // A refill may have become due since the job arrived.
  const account = await refillIfDue(database, row, Date.now());
  const free = await freeCredits(database, account, job.id);
  if (price > free) throw tooExpensive(price, free);
  await updateRunningJob(database, job)
    .set({ ...output, reserved: price })
    .execute();
  return { consumed: price, ...(free < Infinity && { remaining: free - price }) };
}

async function chargeInTransaction(
  database: Database,
  job: RunningJob,
  { stages, output, alsoWrite }: Omit<JobCharge, 'acknowledge'>,
): Promise<void> {
  const charged = await updateRunningJob(database, job)
    .set((row) => ({
      ...output,
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
  if (charged !== undefined) {
    await spend(database, charged);
    await alsoWrite?.(database);
  }
  // The row does not exist if its account was removed. If the row exists, another process has ended the job.
  else if (await jobExists(database, job.id)) throw new JobAlreadyEnded(job.id);
}

async function jobExists(database: Database, id: string): Promise<boolean> {
  const row = await database.selectFrom('jobs').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}
