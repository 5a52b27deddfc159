/** Lists and finds jobs in the record. */
import { sql, type Expression, type SqlBool } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Database, JobRow, JobOutcome } from './tables.ts';

/** A job with the name of its account. */
export type JobRecord = JobRow & { readonly account: string };

export interface JobFilter {
  /** Only jobs of this account. Default: jobs of all accounts. */
  readonly account?: number | undefined;
  /** Only jobs older than the job with this id. */
  readonly before?: string | undefined;
  /** Only jobs with this outcome. */
  readonly outcome?: JobOutcome | 'under way' | undefined;
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
  const { account, before, outcome, text = '', limit } = filter;
  let query = records(database, account);
  if (before !== undefined) query = query.where('jobs.id', '<', before);
  if (outcome === 'under way') query = query.where('outcome', 'is', null);
  else if (outcome !== undefined) query = query.where('outcome', '=', outcome);
  if (text !== '') query = query.where(contains(database, text));
  // One row more than the limit shows whether there is a next page.
  const found = await query
    .orderBy('jobs.id', 'desc')
    .limit(limit + 1)
    .execute();
  const jobs = found.slice(0, limit);
  return { jobs, next: found.length > limit ? (jobs.at(-1)?.id ?? null) : null };
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
    .selectAll('jobs')
    .select('accounts.name as account');
  return account === undefined ? query : query.where('jobs.account_id', '=', account);
}
