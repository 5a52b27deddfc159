/**
 * Limits how many sources of all hot folders together are converted at the same time, and pauses while the service is overloaded.
 */
import { pause } from '../async/signals.ts';

export interface JobLimiter {
  /**
   * Waits for a slot; slots are given in the order of the calls. Returns a function that releases the slot.
   * @throws the signal's reason
   */
  readonly acquire: (signal: AbortSignal) => Promise<() => void>;
  /** Gives no slot during this time. */
  readonly pauseFor: (milliseconds: number) => void;
}

export function openJobLimiter(maxJobs: number): JobLimiter {
  let free = maxJobs;
  let pausedUntil = 0;
  const queue: (() => void)[] = [];
  const release = () => {
    const next = queue.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    async acquire(signal) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => queue.push(resolve));
      try {
        while (pausedUntil > performance.now()) await pause(pausedUntil - performance.now(), signal);
        signal.throwIfAborted();
      } catch (problem) {
        release();
        throw problem;
      }
      return release;
    },
    pauseFor(milliseconds) {
      pausedUntil = Math.max(pausedUntil, performance.now() + milliseconds);
    },
  };
}
