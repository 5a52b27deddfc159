/** Limits how many tasks run concurrently for each key, such as an account. */

interface KeyState {
  running: number;
  /** Starts the waiting tasks, in the order in which they arrived. */
  readonly waiting: (() => void)[];
}

export class ConcurrencyLimiter<Key> {
  readonly #maxConcurrent: number;
  readonly #states = new Map<Key, KeyState>();

  /** `maxConcurrent`: maximum number of running tasks for each key. */
  constructor(maxConcurrent: number) {
    this.#maxConcurrent = maxConcurrent;
  }

  /** Returns the number of waiting tasks of the key. */
  waitingCount(key: Key): number {
    return this.#states.get(key)?.waiting.length ?? 0;
  }

  /** Runs the task as soon as fewer than `maxConcurrent` tasks of the key are running. */
  async run<T>(key: Key, task: () => Promise<T>): Promise<T> {
    const state = this.#states.get(key) ?? { running: 0, waiting: [] };
    this.#states.set(key, state);
    if (state.running < this.#maxConcurrent) state.running += 1;
    // A task that ends passes its slot to the next one, so `running` stays the same.
    else await new Promise<void>((resolve) => state.waiting.push(resolve));
    try {
      return await task();
    } finally {
      const startNext = state.waiting.shift();
      if (startNext !== undefined) startNext();
      else state.running -= 1;
      if (state.running === 0) this.#states.delete(key);
    }
  }
}
