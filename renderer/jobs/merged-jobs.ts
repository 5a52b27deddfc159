/** Merges a fresh first page of the job list into the jobs already loaded. Pure. */
import type { JobList, JobView } from '../../main/console/contract.ts';

/** Keeps the jobs older than the fresh page, unless there may be a gap between the two. */
export function mergedJobs(there: JobList, fresh: JobList): JobList {
  const ids = new Set(fresh.jobs.map(({ id }) => id));
  const last = there.jobs.findLastIndex(({ id }) => ids.has(id));
  const older: readonly JobView[] = there.jobs.slice(last + 1);
  // Without an overlap there may be unknown jobs in between. If the fresh page is also the last, it is the whole list.
  if (last === -1 || fresh.next === null || older.length === 0) return fresh;
  return { jobs: [...fresh.jobs, ...older], next: there.next };
}
