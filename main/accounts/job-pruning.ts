/** Deletes old jobs from the record, with their debug logs. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from './store/tables.ts';

export interface Retention {
  /** Number of jobs to keep for each account. */
  readonly maxJobs: number;
  /** How long to keep a job, in milliseconds. */
  readonly maxAgeMs: number;
}

const minuteMs = 60_000;
const batchSize = 200;

/**
 * Deletes old jobs now and then every minute, until the result is disposed of. `removeLogs` receives the ids of the debug logs of
 * deleted jobs. `report` receives errors; the next run tries again.
 */
export async function startPruning(
  database: Database,
  retention: Retention,
  {
    removeLogs,
    report,
  }: { removeLogs: (ids: string[]) => Promise<void>; report: (problem: unknown) => void },
): Promise<AsyncDisposable> {
  const prune = async () => {
    try {
      for await (const logs of pruneJobs(database, retention, Date.now())) await removeLogs(logs);
    } catch (problem) {
      report(problem);
    }
  };
  let pruning = prune();
  await pruning;
  const timer = setInterval(() => {
    pruning = pruning.then(prune);
  }, minuteMs);
  timer.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await pruning;
    },
  };
}

/** Deletes old jobs in batches. Yields the ids of the debug logs of each batch. */
export async function* pruneJobs(
  database: Database,
  { maxJobs, maxAgeMs }: Retention,
  now: number,
): AsyncGenerator<string[]> {
  const accounts = await database.selectFrom('accounts').select(['id', 'jobs_per_minute']).execute();
  for (const { id, jobs_per_minute: limit } of accounts) {
    // Keeps the jobs that count towards the limit of jobs per minute.
    const minJobs = limit === null ? maxJobs : Math.max(maxJobs, limit);
    const minAgeMs = limit === null ? maxAgeMs : Math.max(maxAgeMs, minuteMs);
    const last = await database
      .selectFrom('jobs')
      .select('id')
      .where('account_id', '=', id)
      .orderBy('id', 'desc')
      .limit(1)
      .offset(minJobs)
      .executeTakeFirst();
    yield* deleteJobs(database, { account: id, upTo: last?.id ?? '', before: now - minAgeMs });
  }
}

interface PruneLimits {
  readonly account: number;
  /** Id of the newest job beyond the number to keep. */
  readonly upTo: string;
  /** Jobs received before this time are deleted, in milliseconds since 1970. */
  readonly before: number;
}

/** Deletes the jobs that exceed one of the limits. Starts with the oldest job, so that little is read if no job is old. */
async function* deleteJobs(
  database: Database,
  { account, upTo, before }: PruneLimits,
): AsyncGenerator<string[]> {
  for (;;) {
    const oldest = await database
      .selectFrom('jobs')
      .select(['id', 'received_at', 'debug_log'])
      .where('account_id', '=', account)
      .where('outcome', 'is not', null)
      .where('id', 'not in', keptJobs(database, account))
      .orderBy('id')
      .limit(batchSize)
      .execute();
    const old = oldest.filter((job) => job.id <= upTo || job.received_at < before);
    if (old.length === 0) return;
    const ids = old.map(({ id }) => id);
    await database.deleteFrom('jobs').where('id', 'in', ids).execute();
    yield old.map(({ debug_log: log }) => log).filter((log) => log !== null);
    // Lets other work run between two batches.
    await nextTurn();
  }
}

/** Selects the asynchronous jobs that wait or run, whose output is kept, or that belong to a batch of which this is true. */
function keptJobs(database: Database, account: number) {
  const kept = database
    .selectFrom('asynchronous_jobs')
    .where('account_id', '=', account)
    .where((eb) => eb.or([eb('request', 'is not', null), eb('expires_at', 'is not', null)]))
    .select('job_id');
  return kept.union(
    database
      .selectFrom('asynchronous_jobs')
      .where('account_id', '=', account)
      .where('batch_id', 'in', kept)
      .select('job_id'),
  );
}
