/** Keeps the record of jobs from growing for ever: old jobs go, and the debug log of each with it. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from './tables.ts';

export interface Keeping {
  /** Jobs of each account that are kept. */
  readonly jobs: number;
  /** Milliseconds for which a job is kept. */
  readonly time: number;
}

const minute = 60_000;
const batch = 200;

/**
 * Prunes now and every minute. `removeLogs` is given the ids of the debug logs of jobs that are gone, and
 * `report` what went wrong, which is tried again.
 */
export async function keepPruned(
  database: Database,
  keeping: Keeping,
  {
    removeLogs,
    report,
  }: { removeLogs: (ids: string[]) => Promise<void>; report: (problem: unknown) => void },
): Promise<AsyncDisposable> {
  const sweep = async () => {
    try {
      for await (const logs of pruneJobs(database, keeping, Date.now())) await removeLogs(logs);
    } catch (problem) {
      report(problem);
    }
  };
  let sweeping = sweep();
  await sweeping;
  const timer = setInterval(() => {
    sweeping = sweeping.then(sweep);
  }, minute);
  timer.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await sweeping;
    },
  };
}

/** Deletes, a batch at a time, and yields the ids of the debug logs of what it deleted. */
export async function* pruneJobs(
  database: Database,
  { jobs, time }: Keeping,
  now: number,
): AsyncGenerator<string[]> {
  const accounts = await database.selectFrom('accounts').select(['id', 'jobs_per_minute']).execute();
  for (const { id, jobs_per_minute: limit } of accounts) {
    // What the limit counts must stay.
    const [keep, until] = limit === null ? [jobs, time] : [Math.max(jobs, limit), Math.max(time, minute)];
    const last = await database
      .selectFrom('jobs')
      .select('id')
      .where('account_id', '=', id)
      .orderBy('id', 'desc')
      .limit(1)
      .offset(keep)
      .executeTakeFirst();
    yield* deleteJobs(database, { account: id, upTo: last?.id ?? '', before: now - until });
  }
}

interface Old {
  readonly account: number;
  /** Id of the newest job that is one too many. */
  readonly upTo: string;
  readonly before: number;
}

/** From the oldest on, so that where nothing is old little is read. */
async function* deleteJobs(database: Database, { account, upTo, before }: Old): AsyncGenerator<string[]> {
  for (;;) {
    const oldest = await database
      .selectFrom('jobs')
      .select(['id', 'received_at', 'debug_log'])
      .where('account_id', '=', account)
      .where('outcome', 'is not', null)
      .orderBy('id')
      .limit(batch)
      .execute();
    const old = oldest.filter((job) => job.id <= upTo || job.received_at < before);
    if (old.length === 0) return;
    const ids = old.map(({ id }) => id);
    await database.deleteFrom('jobs').where('id', 'in', ids).execute();
    yield old.map(({ debug_log: log }) => log).filter((log) => log !== null);
    // Others have work too.
    await turn();
  }
}
