/**
 * Limits how many sources of all hot folders together are converted at the same time, and pauses while the service is overloaded.
 */
import { pause } from '../async/signals.ts';

export class JobLimiter {
  /** Number of free slots. */
  #free: number;
  #pausedUntil = 0;
  /** The calls that wait for a slot, oldest first. */
  readonly #queue: (() => void)[] = [];

  constructor(maxJobs: number) {
    this.#free = maxJobs;
  }

  /**
   * Waits for a slot; slots are given in the order of the calls. Returns a function that releases the slot.
   * @throws the signal's reason
   */
  async acquire(signal: AbortSignal): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      while (this.#pausedUntil > performance.now())
        await pause(this.#pausedUntil - performance.now(), signal);
      signal.throwIfAborted();
    } catch (problem) {
      this.#release();
      throw problem;
    }
    return () => {
      this.#release();
    };
  }

  /** Gives no slot during this time. */
  pauseFor(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + milliseconds);
  }

  #release(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
