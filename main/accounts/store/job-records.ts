/** Lists and finds jobs in the record. */
import { expressionBuilder, sql, type Expression, type SqlBool } from 'kysely';
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
};

/** Returns whether the job was submitted with POST /jobs. */
export function isAsynchronous({ keep_ms }: Pick<JobRecord, 'keep_ms'>): boolean {
  return keep_ms !== null;
}

export function stateOf({ outcome, started_at }: Pick<JobRow, 'outcome' | 'started_at'>): JobState {
  if (outcome === null) return started_at === null ? 'queued' : 'running';
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

export async function listJobs(database: Database, filter: JobFilter): Promise<JobPage> {
  const { account, before, outcome, state, text = '', limit } = filter;
  let query = records(database, account);
  if (before !== undefined) query = query.where('jobs.id', '<', before);
  if (outcome === 'under way') query = query.where('outcome', 'is', null);
  else if (outcome !== undefined) query = query.where('outcome', '=', outcome);
  if (state !== undefined) query = query.where(isInState(state));
  if (text !== '') query = query.where(contains(database, text));
  // One row more than the limit shows whether there is a next page.
  const found = await query
    .orderBy('jobs.id', 'desc')
    .limit(limit + 1)
    .execute();
  const jobs = found.slice(0, limit);
  return { jobs, next: found.length > limit ? (jobs.at(-1)?.id ?? null) : null };
}

/** Returns the condition of `stateOf`. */
function isInState(state: JobState): Expression<SqlBool> {
  const eb = expressionBuilder<Pick<Tables, 'jobs'>, 'jobs'>();
  if (state === 'queued' || state === 'running')
    return eb('jobs.outcome', 'is', null).and('jobs.started_at', state === 'queued' ? 'is' : 'is not', null);
  if (state === 'failed') return eb('jobs.outcome', 'not in', ['converted', 'canceled']);
  return eb('jobs.outcome', '=', state === 'done' ? 'converted' : 'canceled');
}

/**
 * Returns a condition that finds text in the tag, id or message of a job. SQLite's LIKE ignores case only in ASCII
 * (sqlite.org/lang_expr.html#like), so the condition also searches for the text in lower case and in upper case.
 */
function contains(database: Database, text: string): Expression<SqlBool> {
  const like = sql.raw(isPostgres(database) ? 'ilike' : 'like');
  const cases = [...new Set([text, text.toLowerCase(), text.toUpperCase()])];
  const patterns = cases.map((variant) => `%${variant.replace(/[\\%_]/g, '\\$&')}%`);
  const conditions = ['tag', 'jobs.id', 'message'].flatMap((column) =>
    patterns.map((pattern) => sql`${sql.ref(column)} ${like} ${pattern} escape '\\'`),
  );
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}

/** Returns whether a job's debug log can be read: while the job runs, and for `keepMs` after its end. */
export function hasReadableLog(job: JobRow, keepMs: number): boolean {
  if (job.debug_log === null) return false;
  return job.outcome === null || (job.ended_at ?? job.received_at) + keepMs > Date.now();
}

/** Returns the job, or undefined if the account has no job with this id. Without `account`, searches all accounts. */
export function findJob(database: Database, id: string, account?: number): Promise<JobRecord | undefined> {
  return records(database, account).where('jobs.id', '=', id).executeTakeFirst();
}

function records(database: Database, account: number | undefined) {
  const query = database
    .selectFrom('jobs')
    .innerJoin('accounts', 'accounts.id', 'jobs.account_id')
    .leftJoin('asynchronous_jobs', 'asynchronous_jobs.job_id', 'jobs.id')
    .selectAll('jobs')
    .select('accounts.name as account')
    .select(asynchronousColumns.map((column) => `asynchronous_jobs.${column}` as const));
  return account === undefined ? query : query.where('jobs.account_id', '=', account);
}
