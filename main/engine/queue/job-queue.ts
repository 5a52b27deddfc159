/**
 * Limits how many jobs run and how many are queued, fairly between accounts (decision 21). It knows accounts by name
 * only, and of windows only the word. Plain Node.
 */
import { Failure } from '../../failure/failure.ts';
import { FairQueue } from './fair-queue.ts';

/** What the jobs of a queue wait for, in messages: the singular and the plural. */
const resources = { window: 'windows', 'input process': 'input processes' } as const;

export interface JobQueueLimits {
  /** Jobs that may run concurrently. */
  readonly workers: number;
  /** Jobs that may be queued. */
  readonly queue: number;
  /** The longest wait in the queue, in milliseconds. */
  readonly queueTimeoutMs: number;
}

export interface JobQueueState {
  readonly working: number;
  readonly waiting: number;
}

/** Permission for one job to run. */
export interface Slot {
  /** Releases the slot to the next job. Later calls do nothing. */
  readonly release: () => void;
}

interface QueuedJob {
  readonly admit: () => void;
  readonly refuse: (reason: Error) => void;
}

export class JobQueue {
  readonly #limits: JobQueueLimits;
  readonly #resource: keyof typeof resources;
  readonly #jobs = new FairQueue<QueuedJob>();
  readonly #averageJobTime = new AverageJobTime();
  #isClosed = false;

  constructor(limits: JobQueueLimits, resource: keyof typeof resources = 'window') {
    this.#limits = limits;
    this.#resource = resource;
  }

  get state(): JobQueueState {
    return { working: this.#jobs.running, waiting: this.#jobs.queued };
  }

  get isFull(): boolean {
    return this.#jobs.running >= this.#limits.workers && this.#jobs.queued >= this.#limits.queue;
  }

  /** Returns why a job of this account would be refused now, or undefined. */
  refusalOf(account: string): Failure | undefined {
    if (this.#isClosed) return shuttingDown();
    if (!this.isFull || this.#jobs.heavierThan(account) !== undefined) return undefined;
    return this.#unavailable(`All ${resources[this.#resource]} are busy and the queue is full.`);
  }

  /**
   * Waits for a slot.
   * @throws Failure unavailable when both limits are reached, the wait exceeds the queue timeout, an account with
   * fewer jobs takes the place, or the queue is closed; the signal's reason when it aborts
   */
  async enter(account: string, signal: AbortSignal): Promise<Slot> {
    signal.throwIfAborted();
    const refusal = this.refusalOf(account);
    if (refusal !== undefined) throw refusal;
    if (this.#jobs.running < this.#limits.workers) return this.#slotFor(account);
    if (this.isFull) this.#makeRoomFor(account);
    return await this.#wait(account, signal);
  }

  /** Does the work in a slot. @throws whatever `enter` and the work throw */
  async run<T>(account: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const slot = await this.enter(account, signal);
    try {
      return await work();
    } finally {
      slot.release();
    }
  }

  /** Refuses all queued and later jobs. */
  close(): void {
    this.#isClosed = true;
    for (const job of this.#jobs.all()) job.refuse(shuttingDown());
  }

  #slotFor(account: string): Slot {
    const began = performance.now();
    let isHeld = true;
    this.#jobs.begin(account);
    return {
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#averageJobTime.add(performance.now() - began);
        this.#jobs.end(account);
        this.#jobs.next()?.admit();
      },
    };
  }

  #makeRoomFor(account: string): void {
    const heaviest = this.#jobs.heavierThan(account);
    const sentence = 'The queue is full, and an account with fewer jobs took the place of this one.';
    if (heaviest !== undefined) this.#jobs.newestOf(heaviest)?.refuse(this.#unavailable(sentence));
  }

  async #wait(account: string, signal: AbortSignal): Promise<Slot> {
    return await new Promise<Slot>((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.#jobs.remove(account, job);
      };
      const job: QueuedJob = {
        admit: () => {
          settle();
          resolve(this.#slotFor(account));
        },
        refuse(reason) {
          settle();
          reject(reason);
        },
      };
      const onAbort = () => {
        job.refuse(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        job.refuse(this.#unavailable(`No ${this.#resource} became free in time.`));
      }, this.#limits.queueTimeoutMs);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#jobs.add(account, job);
    });
  }

  #unavailable(sentence: string): Failure {
    const retryAfter = this.#averageJobTime.secondsFor((this.#jobs.queued + 1) / this.#limits.workers);
    return new Failure('unavailable', `${sentence} Try again in a moment.`, { retryAfter });
  }
}

function shuttingDown(): Failure {
  return new Failure('unavailable', 'The service is shutting down.', { retryAfter: 10 });
}

/** Weight of the newest job in the moving average, which thus covers about the last ten jobs. */
const averageWeight = 0.1;
/** Seconds. */
const minRetryAfterSeconds = 1;
const maxRetryAfterSeconds = 60;

/** A moving average of the job time, for Retry-After. */
class AverageJobTime {
  #milliseconds: number | undefined;

  add(milliseconds: number): void {
    const average = this.#milliseconds ?? milliseconds;
    this.#milliseconds = average + averageWeight * (milliseconds - average);
  }

  /** Returns how many whole seconds this many jobs take in sequence: 1 to 60. */
  secondsFor(jobs: number): number {
    const seconds = Math.ceil(((this.#milliseconds ?? 0) * jobs) / 1000);
    return Math.min(maxRetryAfterSeconds, Math.max(minRetryAfterSeconds, seconds));
  }
}
