/** The ledger of several nodes: functions of PostgreSQL, one round trip each (store/postgres/functions.ts). */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../store/tables.ts';
import { isUnavailable } from '../store/unavailable.ts';
import { retryWhileBusy } from '../store/write-retries.ts';
import { tooExpensive, type Receipt } from './credits.ts';
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
import { tooManyAtOnce, tooManyPerMinute } from './limits.ts';
import { startOf } from './refill.ts';

export interface PostgresLedgerOptions {
  readonly database: Database;
  /** Called with a job that may have been entered although its caller got an error. */
  readonly onUncertain: (job: RunningJob) => void;
  /** Receives the charge of a job that cannot be written now, because the database cannot be reached. */
  readonly chargeLater: (job: RunningJob, charge: () => Promise<void>) => void;
}

const holdPatienceMs = 10_000;
const holdRetryMs = 500;

export class PostgresLedger implements Ledger {
  readonly skipsNeedlessHolds = true;
  readonly #options: PostgresLedgerOptions;

  constructor(options: PostgresLedgerOptions) {
    this.#options = options;
  }

  async enter(job: NewJob, node: string): Promise<EnteredJob> {
    const { id, account, now } = job;
    const entered = await this.#call<EnterResult>(
      sql`SELECT * FROM platen_enter_job_v1(${id}, ${account}, ${node}, ${now}, ${startOf('day', now)}, ${startOf('month', now)})`,
    ).catch((problem: unknown) => {
      if (isUnavailable(problem)) this.#options.onUncertain({ id, node });
      throw problem;
    });
    const { result, account_limit: limit, wait_ms: waitMs, free } = entered;
    if (result === 'removed') throw accountRemoved();
    if (result === 'jobs at once') throw tooManyAtOnce(Number(limit));
    if (result === 'jobs per minute') throw tooManyPerMinute(Number(limit), Number(waitMs));
    return { free: free === null ? Infinity : Math.max(0, free) };
  }

  async hold({ id, node }: RunningJob, price: number, output: OutputFacts): Promise<Receipt> {
    const now = Date.now();
    const { result, free } = await this.#retryWhileAway<HoldResult>(
      sql`SELECT * FROM platen_hold_credits_v1(${id}, ${node}, ${price}, ${output.output_bytes}, ${output.pages}, ${output.total_pages}, ${now}, ${startOf('day', now)}, ${startOf('month', now)})`,
    );
    if (result === 'too expensive') throw tooExpensive(price, Number(free));
    return { consumed: price, ...(free !== null && { remaining: free - price }) };
  }

  async charge(job: RunningJob, charge: JobCharge): Promise<void> {
    const { acknowledge, alsoWrite } = charge;
    if (alsoWrite !== undefined) {
      await retryWhileBusy(() =>
        this.#options.database.transaction().execute(async (transaction) => {
          if (await chargeJob(transaction, job, charge)) await alsoWrite(transaction);
        }),
      );
      acknowledge();
      return;
    }
    const write = async () => {
      await retryWhileBusy(() => chargeJob(this.#options.database, job, charge));
    };
    try {
      await write();
    } catch (problem) {
      if (!isUnavailable(problem)) throw problem;
      // The caller has the output, and the reservation keeps its credits until the charge is written.
      this.#options.chargeLater(job, write);
    }
    acknowledge();
  }

  /** A finished conversion is worth some patience, for example while the database restarts. */
  async #retryWhileAway<Result>(query: ReturnType<typeof sql<Result>>): Promise<Result> {
    const deadline = performance.now() + holdPatienceMs;
    for (;;) {
      try {
        return await this.#call(query);
      } catch (problem) {
        if (!isUnavailable(problem) || performance.now() > deadline) throw problem;
      }
      await pause(holdRetryMs);
    }
  }

  async #call<Result>(query: ReturnType<typeof sql<Result>>): Promise<Result> {
    const { rows } = await retryWhileBusy(() => query.execute(this.#options.database));
    if (rows[0] === undefined) throw new Error('a function of the database returned no row');
    return rows[0];
  }
}

interface EnterResult {
  readonly result: 'removed' | 'jobs at once' | 'jobs per minute' | 'entered';
  readonly account_limit: number | null;
  readonly wait_ms: number | null;
  readonly free: number | null;
}

interface HoldResult {
  readonly result: 'removed' | 'too expensive' | 'held';
  readonly free: number | null;
}

/** Returns whether this call has charged the job. @throws JobAlreadyEnded */
async function chargeJob(
  database: Database,
  { id, node }: RunningJob,
  { stages, output }: Pick<JobCharge, 'stages' | 'output'>,
): Promise<boolean> {
  const { rows } = await sql<{ readonly result: 'removed' | 'charged' | 'repeated' | 'ended' }>`
    SELECT platen_charge_job_v1(${id}, ${node}, ${Date.now()}, ${JSON.stringify(stages)},
      ${output?.output_bytes ?? null}, ${output?.pages ?? null}, ${output?.total_pages ?? null}) AS result`.execute(
    database,
  );
  if (rows[0]?.result === 'ended') throw new JobAlreadyEnded(id);
  return rows[0]?.result === 'charged';
}
