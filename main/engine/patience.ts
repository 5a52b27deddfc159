/** How long loading waits for what has not arrived. Pure. */
import type { Job } from '../job/job.ts';
import { longestWait } from '../job/rules.ts';

/** Milliseconds since the window took the job, from `max_loading_time`; undefined when it was not given. */
export function longestLoading({ options }: Pick<Job, 'options'>, limit: number): number | undefined {
  const { max_loading_time } = options;
  // Beyond that too little would be left to convert what is there.
  return max_loading_time === undefined
    ? undefined
    : Math.min(max_loading_time * 1000, longestWait({ jobTimeout: limit }));
}

interface Loaded {
  readonly job: Pick<Job, 'options'>;
  /** The job limit in milliseconds. */
  readonly limit: number;
}

/** Milliseconds to wait from now: what is left of `max_loading_time`, without it that share of the job limit. */
export function patienceLeft({ job, limit }: Loaded, elapsed: number, share: number): number {
  const longest = longestLoading(job, limit);
  return longest === undefined ? limit * share : Math.max(0, longest - elapsed);
}
