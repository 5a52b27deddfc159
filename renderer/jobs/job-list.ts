/** State of the job list: the filters, and the loaded pages merged with the newest page. The state survives a switch to another view. */
import { signal } from '@preact/signals';
import type { InputOf, JobList, JobView } from '../../main/console/contract.ts';
import type { Bridge } from '../bridge/bridge.ts';

export type FilterOutcome = NonNullable<InputOf<'jobs'>['outcome']>;

export interface JobListFilter {
  readonly text: string;
  readonly outcome: FilterOutcome | '';
  readonly account: string;
}

export const noFilter: JobListFilter = { text: '', outcome: '', account: '' };

export const filter = signal<JobListFilter>(noFilter);

/** Undefined until the first page has loaded. */
export const jobList = signal<JobList | undefined>(undefined);

/** Why loading failed. */
export const listProblem = signal<Error | undefined>(undefined);

/** Whether older jobs are loading. */
export const isLoadingMore = signal(false);

const pageSize = 50;
let lastRequest = 0;

/** Loads the newest jobs. They replace the loaded jobs if `isNewList` (the filters changed); otherwise they are merged with them. */
export async function loadFirstJobs(bridge: Bridge, isNewList: boolean): Promise<void> {
  lastRequest += 1;
  const request = lastRequest;
  try {
    const newest = await bridge.call('jobs', { limit: pageSize, ...filterInput(filter.value) });
    if (request !== lastRequest) return;
    const loaded = jobList.value;
    jobList.value = isNewList || loaded === undefined ? newest : mergedJobs(loaded, newest);
    listProblem.value = undefined;
  } catch (problem) {
    if (request === lastRequest) listProblem.value = problem as Error;
  }
}

/** Loads the jobs older than the last one. */
export async function loadMoreJobs(bridge: Bridge): Promise<void> {
  const loaded = jobList.value;
  if (loaded?.next === undefined || loaded.next === null || isLoadingMore.value) return;
  lastRequest += 1;
  const request = lastRequest;
  isLoadingMore.value = true;
  try {
    const older = await bridge.call('jobs', {
      limit: pageSize,
      before: loaded.next,
      ...filterInput(filter.value),
    });
    if (request === lastRequest) jobList.value = { jobs: [...loaded.jobs, ...older.jobs], next: older.next };
  } catch (problem) {
    if (request === lastRequest) listProblem.value = problem as Error;
  } finally {
    isLoadingMore.value = false;
  }
}

function filterInput({ text, outcome, account }: JobListFilter): InputOf<'jobs'> {
  return {
    ...(text.trim() !== '' && { text: text.trim() }),
    ...(outcome !== '' && { outcome }),
    ...(account !== '' && { account }),
  };
}

/** Puts the newest page before the loaded jobs. Drops the loaded jobs if there may be unknown jobs between the two. */
export function mergedJobs(loaded: JobList, newest: JobList): JobList {
  const ids = new Set(newest.jobs.map(({ id }) => id));
  const last = loaded.jobs.findLastIndex(({ id }) => ids.has(id));
  const older: readonly JobView[] = loaded.jobs.slice(last + 1);
  // Without an overlap there may be unknown jobs in between. If the newest page is also the last, it is the complete list.
  if (last === -1 || newest.next === null || older.length === 0) return newest;
  return { jobs: [...newest.jobs, ...older], next: loaded.next };
}
