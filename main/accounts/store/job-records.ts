/** Lists and finds jobs in the record. */
import { expressionBuilder, sql, type Expression, type SqlBool } from 'kysely';
import { nextTurn } from '../../async/yielding.ts';
import { failuresOfBatch, totalsOfBatch, type BatchTotals, type RowFailure } from './batch-records.ts';
import { isPostgres } from './dialect.ts';
import type { AsynchronousJobRow, Database, JobRow, JobOutcome, Tables } from './tables.ts';

/** The state of a job. A synchronous job is never `queued`. */
export const jobStates = ['queued', 'running', 'done', 'failed', 'canceled'] as const;
export type JobState = (typeof jobStates)[number];

const asynchronousColumns = [
  'priority',
  'keep_ms',
  'output_headers',
  'expires_at',
  'output_deleted',
  'callback_url',
  'batch_id',
  'row_number',
  'batch_rows',
  'batch_merge',
] as const;
type AsynchronousColumn = (typeof asynchronousColumns)[number];

/** A job with the name of its account. The columns of asynchronous jobs are null for a synchronous job. */
export type JobRecord = JobRow & { readonly account: string } & {
  readonly [Column in AsynchronousColumn]: AsynchronousJobRow[Column] | null;
} & {
  /** Only for a batch. */
  readonly totals?: BatchTotals | undefined;
  /** The first failures of a batch. Absent in lists. */
  readonly failures?: readonly RowFailure[];
};

/** Returns whether the job was submitted with POST /jobs. */
export function isAsynchronous({ keep_ms }: Pick<JobRecord, 'keep_ms'>): boolean {
  return keep_ms !== null;
}

/** A batch runs from the start of its first row. */
export function stateOf({
  outcome,
  started_at,
  totals,
}: Pick<JobRecord, 'outcome' | 'started_at' | 'totals'>): JobState {
  if (outcome === null) return started_at === null && totals?.hasBegun !== true ? 'queued' : 'running';
  if (outcome === 'converted') return 'done';
  return outcome === 'canceled' ? 'canceled' : 'failed';
}

export interface JobFilter {
  /** Only jobs of this account. Default: jobs of all accounts. */
  readonly account?: number | undefined;
  /** Only jobs older than the job with this id. */
  readonly before?: string | undefined;
  /** Only jobs with this outcome. */
  readonly outcome?: JobOutcome | 'under way' | undefined;
  /** Only jobs in this state. */
  readonly state?: JobState | undefined;
  /** Only the jobs of the rows of this batch. Default: all jobs but those of rows. */
  readonly batch?: string | undefined;
  /** Only jobs whose tag, id or message contains this text, in any case. */
  readonly text?: string | undefined;
  /** Maximum number of jobs. */
  readonly limit: number;
}

export interface JobPage {
  /** Newest first. */
  readonly jobs: readonly JobRecord[];
  /** Id to pass as `before` for the next page; null on the last page. */
  readonly next: string | null;
}

/** Number of jobs that one query examines. SQLite blocks the main thread meanwhile, for some milliseconds. */
const examinedAtOnce = { default: 2000, withText: 100 } as const;
/** Number of jobs that one query returns. Each has up to 16 kB of parameters. */
const readAtOnce = 50;

/** Lists jobs in small steps, because an account may have a hundred thousand jobs that the filter excludes. */
export async function listJobs(database: Database, filter: JobFilter): Promise<JobPage> {
  const { limit } = filter;
  const jobs: JobRecord[] = [];
  // One job more than the limit shows whether there is a next page.
  for (let before = filter.before, oldest; jobs.length <= limit; before = oldest) {
    oldest = await oldestOf(database, { ...filter, before });
    jobs.push(...(await listRange(database, { ...filter, before, limit: limit + 1 - jobs.length }, oldest)));
    if (oldest === undefined) break;
  }
  const page = jobs.slice(0, limit);
  return { jobs: page, next: jobs.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/** Returns the id of the oldest job of those to be examined next; undefined if these are all that are left. */
async function oldestOf(
  database: Database,
  { account, before, outcome, state, text }: JobFilter,
): Promise<string | undefined> {
  let query = database.selectFrom('jobs').select('id');
  // An index contains the jobs that have not ended, which are few.
  if (outcome === 'under way' || state === 'queued' || state === 'running')
    query = query.where('outcome', 'is', null);
  if (account !== undefined) query = query.where('account_id', '=', account);
  if (before !== undefined) query = query.where('id', '<', before);
  const row = await query
    .orderBy('id', 'desc')
    .offset(examinedAtOnce[text === undefined ? 'default' : 'withText'] - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Lists the jobs down to the oldest one, newest first. Returns to the event loop after each read. */
async function listRange(
  database: Database,
  filter: JobFilter,
  oldest: string | undefined,
): Promise<JobRecord[]> {
  const jobs: JobRecord[] = [];
  let isComplete = false;
  while (!isComplete && jobs.length < filter.limit) {
    const limit = Math.min(readAtOnce, filter.limit - jobs.length);
    let query = filtered(database, { ...filter, before: jobs.at(-1)?.id ?? filter.before });
    if (oldest !== undefined) query = query.where('jobs.id', '>=', oldest);
    const found = await query.orderBy('jobs.id', 'desc').limit(limit).execute();
    for (const job of found) jobs.push(await withTotals(database, job));
    isComplete = found.length < limit;
    await nextTurn();
  }
  return jobs;
}

function filtered(database: Database, filter: JobFilter) {
  const { account, before, outcome, state, batch, text = '' } = filter;
  let query = records(database, account);
  query = batch === undefined ? query.where('batch_id', 'is', null) : query.where('batch_id', '=', batch);
  if (before !== undefined) query = query.where('jobs.id', '<', before);
  if (outcome === 'under way') query = query.where('outcome', 'is', null);
  else if (outcome !== undefined) query = query.where('outcome', '=', outcome);
  if (state !== undefined) query = query.where(isInState(state));
  if (text !== '') query = query.where(contains(database, text));
  return query;
}

/** The condition that a job, or the job of any row of a batch, has begun. */
const hasBegun = sql<SqlBool>`(jobs.started_at IS NOT NULL OR (asynchronous_jobs.batch_rows IS NOT NULL AND EXISTS (
  SELECT 1 FROM asynchronous_jobs AS row_jobs JOIN jobs AS begun ON begun.id = row_jobs.job_id
  WHERE row_jobs.batch_id = jobs.id AND (begun.started_at IS NOT NULL OR begun.outcome IS NOT NULL))))`;

/** Returns the condition of `stateOf`. */
function isInState(state: JobState): Expression<SqlBool> {
  const eb = expressionBuilder<Pick<Tables, 'jobs'>, 'jobs'>();
  if (state === 'queued') return eb('jobs.outcome', 'is', null).and(sql<SqlBool>`not ${hasBegun}`);
  if (state === 'running') return eb('jobs.outcome', 'is', null).and(hasBegun);
  if (state === 'failed') return eb('jobs.outcome', 'not in', ['converted', 'canceled']);
  return eb('jobs.outcome', '=', state === 'done' ? 'converted' : 'canceled');
}

/**
 * Returns a condition that finds text in the tag, id or beginning of the message of a job. SQLite's LIKE ignores case only in ASCII
 * (sqlite.org/lang_expr.html#like), so the condition also searches for other text in lower case and in upper case. LIKE takes time in
 * proportion to the length of the message times that of the text.
 */
function contains(database: Database, text: string): Expression<SqlBool> {
  const like = sql.raw(isPostgres(database) ? 'ilike' : 'like');
  const isAscii = /^[\0-\x7f]*$/.test(text);
  const cases = isAscii ? [text] : [...new Set([text, text.toLowerCase(), text.toUpperCase()])];
  const patterns = cases.map((variant) => `%${variant.replace(/[\\%_]/g, '\\$&')}%`);
  const message = sql`substr(message, 1, ${searchedLength})`;
  const conditions = [sql.ref('tag'), sql.ref('jobs.id'), message].flatMap((searched) =>
    patterns.map((pattern) => sql`${searched} ${like} ${pattern} escape '\\'`),
  );
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}

/** The number of characters of a message that are searched. */
const searchedLength = 300;

/** Returns whether a job's debug log can be read: while the job runs, and for `keepMs` after its end. */
export function hasReadableLog(job: JobRow, keepMs: number): boolean {
  if (job.debug_log === null) return false;
  return job.outcome === null || (job.ended_at ?? job.received_at) + keepMs > Date.now();
}

/** Maximum number of failures of a batch in its record. */
const maxFailures = 100;

/** Returns the job, or undefined if the account has no job with this id. Without `account`, searches all accounts. */
export async function findJob(
  database: Database,
  id: string,
  account?: number,
): Promise<JobRecord | undefined> {
  const found = await records(database, account).where('jobs.id', '=', id).executeTakeFirst();
  if (found === undefined || found.batch_rows === null) return found;
  const batch = await withTotals(database, found);
  const hasFailures = batch.totals !== undefined && batch.totals.failed > 0;
  return { ...batch, failures: hasFailures ? await failuresOfBatch(database, id, maxFailures) : [] };
}

async function withTotals(database: Database, job: JobRecord): Promise<JobRecord> {
  if (job.batch_rows === null) return job;
  const totals = await totalsOfBatch(database, job.id);
  if (totals === undefined || job.outcome !== 'canceled') return { ...job, totals };
  // The rows of a canceled batch are canceled after it.
  return { ...job, totals: { ...totals, canceled: totals.rows - totals.done - totals.failed } };
}

function records(database: Database, account: number | undefined) {
  const query = database
    .selectFrom('jobs')
    .innerJoin('accounts', 'accounts.id', 'jobs.account_id')
    .leftJoin('asynchronous_jobs', 'asynchronous_jobs.job_id', 'jobs.id')
    .selectAll('jobs')
    .select('accounts.name as account')
    .select(asynchronousColumns.map((column) => `asynchronous_jobs.${column}` as const))
    // A batch becomes visible when all of its rows have been inserted.
    .where((eb) =>
      eb.or([
        eb('jobs.outcome', 'is not', null),
        eb('batch_state', 'is', null),
        eb('batch_state', 'not in', ['receiving', 'closing']),
      ]),
    );
  return account === undefined ? query : query.where('jobs.account_id', '=', account);
}
