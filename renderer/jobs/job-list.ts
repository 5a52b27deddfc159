/** The state of the job list: the filters, and the loaded jobs. It is kept while another view is shown. */
import { signal } from '@preact/signals';
import type { InputOf, JobListView, JobView } from '../../main/console/contract.ts';
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
export const jobList = signal<JobListView | undefined>(undefined);

/** The error of the last request; undefined if it succeeded. */
export const listProblem = signal<Error | undefined>(undefined);

/** Whether older jobs are loading. */
export const isLoadingMore = signal(false);

const pageSize = 50;
let lastRequest = 0;

/**
 * Loads the newest jobs. If `isNewList` (the filters changed), they replace the loaded jobs; otherwise, they are merged with the
 * loaded jobs.
 */
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

/** Loads the next page of older jobs. */
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

/**
 * Returns the newest page followed by the older loaded jobs. Drops the loaded jobs if there may be jobs in between that were never
 * loaded.
 */
export function mergedJobs(loaded: JobListView, newest: JobListView): JobListView {
  const ids = new Set(newest.jobs.map(({ id }) => id));
  const last = loaded.jobs.findLastIndex(({ id }) => ids.has(id));
  const older: readonly JobView[] = loaded.jobs.slice(last + 1);
  // Without an overlap, there may be jobs in between. A newest page that is also the last page is the complete list.
  if (last === -1 || newest.next === null || older.length === 0) return newest;
  return { jobs: [...newest.jobs, ...older], next: loaded.next };
}
