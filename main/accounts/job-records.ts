/** Reading the record of jobs. */
import type { Database, JobRow } from './tables.ts';

/** A job, and the name of its account. */
export type JobRecord = JobRow & { readonly account: string };

export interface Wanted {
  /** Only those of this account; absent: of all. */
  readonly account?: number | undefined;
  /** Only those older than this job. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface JobPage {
  /** Newest first. */
  readonly jobs: readonly JobRecord[];
  /** The job before which the next page begins; null after the last page. */
  readonly next: string | null;
}

export async function listJobs(database: Database, { account, before, limit }: Wanted): Promise<JobPage> {
  let query = records(database, account);
  if (before !== undefined) query = query.where('jobs.id', '<', before);
  // One more than wanted tells whether there is a next page.
  const found = await query
    .orderBy('jobs.id', 'desc')
    .limit(limit + 1)
    .execute();
  const jobs = found.slice(0, limit);
  return { jobs, next: found.length > limit ? (jobs.at(-1)?.id ?? null) : null };
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
