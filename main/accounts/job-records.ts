/** Reading the record of jobs. */
import { sql, type Expression, type SqlBool } from 'kysely';
import type { Database, JobRow, Outcome } from './tables.ts';

/** A job, and the name of its account. */
export type JobRecord = JobRow & { readonly account: string };

export interface Wanted {
  /** Only those of this account; absent: of all. */
  readonly account?: number | undefined;
  /** Only those older than this job. */
  readonly before?: string | undefined;
  /** Only those that ended so. */
  readonly outcome?: Outcome | 'under way' | undefined;
  /** Stands in the tag, the id or the message, in upper or lower case. */
  readonly text?: string | undefined;
  readonly limit: number;
}

export interface JobPage {
  /** Newest first. */
  readonly jobs: readonly JobRecord[];
  /** The job before which the next page begins; null after the last page. */
  readonly next: string | null;
}

export async function listJobs(database: Database, wanted: Wanted): Promise<JobPage> {
  const { account, before, outcome, text = '', limit } = wanted;
  let query = records(database, account);
  if (before !== undefined) query = query.where('jobs.id', '<', before);
  if (outcome === 'under way') query = query.where('outcome', 'is', null);
  else if (outcome !== undefined) query = query.where('outcome', '=', outcome);
  if (text !== '') query = query.where(saying(text));
  // One more than wanted tells whether there is a next page.
  const found = await query
    .orderBy('jobs.id', 'desc')
    .limit(limit + 1)
    .execute();
  const jobs = found.slice(0, limit);
  return { jobs, next: found.length > limit ? (jobs.at(-1)?.id ?? null) : null };
}

/** LIKE knows the case of ASCII alone (sqlite.org/lang_expr.html#like): so the text is looked for in both. */
function saying(text: string): Expression<SqlBool> {
  const cases = [...new Set([text, text.toLowerCase(), text.toUpperCase()])];
  const patterns = cases.map((one) => `%${one.replace(/[\\%_]/g, '\\$&')}%`);
  const each = ['tag', 'jobs.id', 'message'].flatMap((column) =>
    patterns.map((pattern) => sql`${sql.ref(column)} like ${pattern} escape '\\'`),
  );
  return sql<SqlBool>`(${sql.join(each, sql` or `)})`;
}

/** Whether a job's debug log can be read: as long as the store keeps it, from the last line on. `keep`: milliseconds. */
export function hasReadableLog(job: JobRow, keep: number): boolean {
  if (job.debug_log === null) return false;
  return job.outcome === null || (job.ended_at ?? job.received_at) + keep > Date.now();
}

/** The job, or undefined when there is none of this id and account. */
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
