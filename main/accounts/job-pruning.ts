/** Deletes old jobs from the record, with their debug logs. */
import { sql } from 'kysely';
import { nextTurn } from '../async/yielding.ts';
import type { Database, JobRow } from './store/tables.ts';

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

/**
 * Deletes the jobs that exceed one of the limits. Reads a few jobs at a time, from the oldest one on, until none of them is old: SQLite
 * reads on the main thread, and an account may have very many jobs that are kept.
 */
async function* deleteJobs(database: Database, limits: PruneLimits): AsyncGenerator<string[]> {
  for (let after = ''; ;) {
    const { last, old } = await nextJobs(database, limits, after);
    if (last === null || old === 0) return;
    yield* deleteUnlessKept(database, limits, { after, last });
    after = last;
    await nextTurn();
  }
}

/** Returns the id of the last one of the next jobs, and how many of them exceed one of the limits. */
async function nextJobs(
  database: Database,
  { account, upTo, before }: PruneLimits,
  after: string,
): Promise<{ last: string | null; old: number }> {
  return await database
    .selectFrom(
      database
        .selectFrom('jobs')
        .select(['id', 'received_at'])
        .where('account_id', '=', account)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batchSize)
        .as('next_jobs'),
    )
    .select((eb) => [
      eb.fn.max<string | null>('id').as('last'),
      sql<number>`count(CASE WHEN id <= ${upTo} OR received_at < ${before} THEN 1 END)`.as('old'),
    ])
    .executeTakeFirstOrThrow();
}

/** Deletes those of the jobs from one id to another that have ended, exceed one of the limits and are not kept. */
async function* deleteUnlessKept(
  database: Database,
  { account, upTo, before }: PruneLimits,
  { after, last }: { readonly after: string; readonly last: string },
): AsyncGenerator<string[]> {
  const jobs = await database
    .selectFrom('jobs')
    .leftJoin('asynchronous_jobs', 'asynchronous_jobs.job_id', 'jobs.id')
    .select(['jobs.id', 'jobs.debug_log', 'batch_rows'])
    .where('jobs.account_id', '=', account)
    .where('jobs.id', '>', after)
    .where('jobs.id', '<=', last)
    .where('outcome', 'is not', null)
    .where((eb) => eb.or([eb('jobs.id', '<=', upTo), eb('received_at', '<', before)]))
    .where((eb) => eb.not(eb.exists(reasonToKeep(database))))
    .execute();
  const others = jobs.filter(({ batch_rows }) => batch_rows === null);
  if (others.length > 0) yield await deleteWithLogs(database, others);
  for (const batch of jobs.filter(({ batch_rows }) => batch_rows !== null)) {
    yield* deleteRows(database, batch.id);
    yield await deleteWithLogs(database, [batch]);
  }
}

/** Selects a row if the job waits or runs, if its output is kept, or if one of these is true of its batch. */
function reasonToKeep(database: Database) {
  return database
    .selectFrom('asynchronous_jobs as own')
    .leftJoin('asynchronous_jobs as batch', 'batch.job_id', 'own.batch_id')
    .select('own.job_id')
    .whereRef('own.job_id', '=', sql.ref('jobs.id'))
    .where((eb) =>
      eb.or([
        eb('own.request', 'is not', null),
        eb('own.expires_at', 'is not', null),
        eb('batch.request', 'is not', null),
        eb('batch.expires_at', 'is not', null),
      ]),
    );
}

/** Deletes the rows of a batch, a few at a time. Its own deletion would delete all of them in one statement. */
async function* deleteRows(database: Database, batch: string): AsyncGenerator<string[]> {
  for (;;) {
    const rows = await database
      .selectFrom('asynchronous_jobs')
      .innerJoin('jobs', 'jobs.id', 'asynchronous_jobs.job_id')
      .select(['jobs.id', 'jobs.debug_log'])
      .where('batch_id', '=', batch)
      .limit(batchSize)
      .execute();
    if (rows.length === 0) return;
    yield await deleteWithLogs(database, rows);
    await nextTurn();
  }
}

/** Deletes the jobs and returns the ids of their debug logs. */
async function deleteWithLogs(
  database: Database,
  jobs: readonly Pick<JobRow, 'id' | 'debug_log'>[],
): Promise<string[]> {
  const ids = jobs.map(({ id }) => id);
  await database.deleteFrom('jobs').where('id', 'in', ids).execute();
  return jobs.map(({ debug_log: log }) => log).filter((log) => log !== null);
}
