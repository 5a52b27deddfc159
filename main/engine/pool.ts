/**
 * Two limits: how many may work at once, and how many may wait for that; shared fairly between accounts, which it knows by
 * their names only (decision 21). It counts; it does not know what a window is. Plain Node.
 */
import { Failure } from '../failure/failure.ts';
import { openLines, type Lines } from './lines.ts';
import { openPace } from './pace.ts';

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

/** One of the places to work in; whoever was admitted leaves it, and leaving twice is leaving once. */
export interface Place {
  readonly leave: () => void;
}

interface Waiter {
  readonly admit: () => void;
  readonly refuse: (reason: Error) => void;
}

export class Pool {
  readonly #limits: PoolLimits;
  readonly #lines: Lines<Waiter> = openLines();
  readonly #pace = openPace();
  #closed = false;

  constructor(limits: PoolLimits) {
    this.#limits = limits;
  }

  get state(): PoolState {
    return { working: this.#lines.working, waiting: this.#lines.waiting };
  }

  get full(): boolean {
    const { working, waiting } = this.#lines;
    return working >= this.#limits.workers && waiting >= this.#limits.queue;
  }

  /** Why somebody of this account who came now would be refused at once, or undefined. */
  refusalOf(account: string): Failure | undefined {
    if (this.#closed) return stopping();
    if (!this.full || this.#lines.heavierThan(account) !== undefined) return undefined;
    return this.#busy('All windows are busy and the queue is full.');
  }

  /**
   * Waits for its turn.
   * @throws Failure unavailable when both limits are reached, the wait is too long, others with fewer jobs need its place in
   *   the queue, or the pool is closed; the signal's reason when it aborts.
   */
  async enter(account: string, signal: AbortSignal): Promise<Place> {
    signal.throwIfAborted();
    const refusal = this.refusalOf(account);
    if (refusal !== undefined) throw refusal;
    if (this.#lines.working < this.#limits.workers) return this.#placeFor(account);
    if (this.full) this.#makeRoomFor(account);
    return await this.#wait(account, signal);
  }

  /** Does the work in a place of its own. @throws what `enter` and the work throw */
  async within<T>(account: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const place = await this.enter(account, signal);
    try {
      return await work();
    } finally {
      place.leave();
    }
  }

  /** Refuses all who wait and all who come. */
  close(): void {
    this.#closed = true;
    for (const waiter of this.#lines.all()) waiter.refuse(stopping());
  }

  #placeFor(account: string): Place {
    const began = performance.now();
    let here = true;
    this.#lines.begin(account);
    return {
      leave: () => {
        if (!here) return;
        here = false;
        this.#pace.took(performance.now() - began);
        this.#lines.end(account);
        this.#lines.next()?.admit();
      },
    };
  }

  #makeRoomFor(account: string): void {
    const heaviest = this.#lines.heavierThan(account);
    const sentence = 'The queue is full, and others with fewer jobs had to have a place in it.';
    if (heaviest !== undefined) this.#lines.newestOf(heaviest)?.refuse(this.#busy(sentence));
  }

  async #wait(account: string, signal: AbortSignal): Promise<Place> {
    return await new Promise<Place>((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.#lines.remove(account, waiter);
      };
      const waiter: Waiter = {
        admit: () => {
          settle();
          resolve(this.#placeFor(account));
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
        waiter.refuse(this.#busy('No window became free in time.'));
      }, this.#limits.queueTimeout);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#lines.add(account, waiter);
    });
  }

  #busy(sentence: string): Failure {
    const retryAfter = this.#pace.secondsFor((this.#lines.waiting + 1) / this.#limits.workers);
    return new Failure('unavailable', `${sentence} Try again in a moment.`, { retryAfter });
  }
}

function stopping(): Failure {
  return new Failure('unavailable', 'The service is shutting down.', { retryAfter: 10 });
}
