/** The first page of the record asked for anew, over what is there already. Pure. */
import type { JobList, JobView } from '../../main/console/contract.ts';

/** What is older than the fresh page stays, as long as nothing is missing between the two. */
export function mergedJobs(there: JobList, fresh: JobList): JobList {
  const ids = new Set(fresh.jobs.map(({ id }) => id));
  const last = there.jobs.findLastIndex(({ id }) => ids.has(id));
  const older: readonly JobView[] = there.jobs.slice(last + 1);
  // Without an overlap there may be jobs in between; and an end that is seen again is the end.
  if (last === -1 || fresh.next === null || older.length === 0) return fresh;
  return { jobs: [...fresh.jobs, ...older], next: there.next };
}
