/**
 * Two limits: how many may work at once, and how many may wait for that. It counts; it does not know what a window is.
 * Plain Node.
 */
import { Failure } from '../failure/failure.ts';

export interface PoolLimits {
  readonly workers: number;
  readonly queue: number;
  /** Milliseconds. */
  readonly queueTimeout: number;
}

export interface PoolState {
  readonly working: number;
  readonly waiting: number;
}

interface Waiter {
  readonly admit: () => void;
  readonly refuse: (reason: Error) => void;
}

export class Pool {
  readonly #limits: PoolLimits;
  readonly #waiters: Waiter[] = [];
  #working = 0;
  #closed = false;

  constructor(limits: PoolLimits) {
    this.#limits = limits;
  }

  get state(): PoolState {
    return { working: this.#working, waiting: this.#waiters.length };
  }

  get full(): boolean {
    return this.#working >= this.#limits.workers && this.#waiters.length >= this.#limits.queue;
  }

  /**
   * Waits for its turn; whoever was admitted calls `leave` once.
   * @throws Failure unavailable when both limits are reached, the wait is too long, or the pool is closed;
   *   the signal's reason when it aborts.
   */
  async enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#closed) throw stopping();
    if (this.#working < this.#limits.workers) {
      this.#working += 1;
      return;
    }
    if (this.#waiters.length >= this.#limits.queue) throw busy('All windows are busy and the queue is full.');
    await this.#wait(signal);
  }

  /** Does the work in a place of its own. @throws what `enter` and the work throw */
  async within<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.enter(signal);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** Hands the place to the first in the queue. */
  leave(): void {
    const next = this.#waiters.shift();
    if (next === undefined) this.#working -= 1;
    else next.admit();
  }

  /** Refuses all who wait and all who come. */
  close(): void {
    this.#closed = true;
    for (const waiter of this.#waiters.splice(0)) waiter.refuse(stopping());
  }

  async #wait(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        const place = this.#waiters.indexOf(waiter);
        if (place >= 0) this.#waiters.splice(place, 1);
      };
      const waiter: Waiter = {
        admit() {
          settle();
          resolve();
        },
        refuse(reason) {
          settle();
          reject(reason);
        },
      };
      const onAbort = () => {
        waiter.refuse(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        waiter.refuse(busy('No window became free in time.'));
      }, this.#limits.queueTimeout);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiters.push(waiter);
    });
  }
}

function busy(sentence: string): Failure {
  return new Failure('unavailable', `${sentence} Try again in a moment.`, { retryAfter: 1 });
}

function stopping(): Failure {
  return new Failure('unavailable', 'The service is shutting down.', { retryAfter: 10 });
}
