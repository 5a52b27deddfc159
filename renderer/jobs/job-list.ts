/** State of the job list: filters and loaded pages, merged with the newest page. It survives a switch to another view. */
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
export const askingMore = signal(false);

const page = 50;
let turn = 0;

/** Loads the newest jobs. `isNewList`: the filters changed, so the jobs replace the loaded ones instead of being merged with them. */
export async function loadFirstJobs(bridge: Bridge, isNewList: boolean): Promise<void> {
  turn += 1;
  const mine = turn;
  try {
    const fresh = await bridge.call('jobs', { limit: page, ...given(filter.value) });
    if (mine !== turn) return;
    const there = jobList.value;
    jobList.value = isNewList || there === undefined ? fresh : mergedJobs(there, fresh);
    listProblem.value = undefined;
  } catch (problem) {
    if (mine === turn) listProblem.value = problem as Error;
  }
}

/** Loads the jobs older than the last one. */
export async function loadMoreJobs(bridge: Bridge): Promise<void> {
  const there = jobList.value;
  if (there?.next === undefined || there.next === null || askingMore.value) return;
  turn += 1;
  const mine = turn;
  askingMore.value = true;
  try {
    const older = await bridge.call('jobs', { limit: page, before: there.next, ...given(filter.value) });
    if (mine === turn) jobList.value = { jobs: [...there.jobs, ...older.jobs], next: older.next };
  } catch (problem) {
    if (mine === turn) listProblem.value = problem as Error;
  } finally {
    askingMore.value = false;
  }
}

function given({ text, outcome, account }: JobListFilter): InputOf<'jobs'> {
  return {
    ...(text.trim() !== '' && { text: text.trim() }),
    ...(outcome !== '' && { outcome }),
    ...(account !== '' && { account }),
  };
}

/** Keeps the jobs older than the fresh page, unless there may be a gap between the two. */
export function mergedJobs(there: JobList, fresh: JobList): JobList {
  const ids = new Set(fresh.jobs.map(({ id }) => id));
  const last = there.jobs.findLastIndex(({ id }) => ids.has(id));
  const older: readonly JobView[] = there.jobs.slice(last + 1);
  // Without an overlap there may be unknown jobs in between. If the fresh page is also the last, it is the whole list.
  if (last === -1 || fresh.next === null || older.length === 0) return fresh;
  return { jobs: [...fresh.jobs, ...older], next: there.next };
}
