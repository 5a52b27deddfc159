/**
 * Limits how many jobs run and how many are queued, fairly between accounts (docs/decisions/0021-fair-queue.md). Accounts are only
 * names here. What the jobs wait for, such as windows, matters only in messages. Does not use Electron.
 */
import { Failure } from '../../failure/failure.ts';
import { FairQueue } from '../../async/fair-queue.ts';

/** What jobs wait for, as messages name it: singular and plural. */
const resources = { window: 'windows', 'input process': 'input processes' } as const;

export interface JobQueueLimits {
  /** Maximum number of jobs that run concurrently. */
  readonly workers: number;
  /** Maximum number of queued jobs. */
  readonly queue: number;
  /** Maximum wait in the queue, in milliseconds (setting queue-timeout). */
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

  /** Returns the Failure for a job of this account that arrives now; undefined if the job would get a slot or be queued. */
  refusalOf(account: string): Failure | undefined {
    if (this.#isClosed) return shuttingDown();
    if (!this.isFull || this.#jobs.accountWithMoreJobsThan(account) !== undefined) return undefined;
    return this.#unavailable(`All ${resources[this.#resource]} are busy and the queue is full.`);
  }

  /**
   * Waits for a slot.
   * @throws Failure unavailable if both limits are reached, the wait exceeds the queue timeout, a job of an account with fewer
   * jobs takes the job's place, or the queue is closed; the signal's reason
   */
  async enter(account: string, signal: AbortSignal): Promise<Slot> {
    signal.throwIfAborted();
    const refusal = this.refusalOf(account);
    if (refusal !== undefined) throw refusal;
    if (this.#jobs.running < this.#limits.workers) return this.#slotFor(account);
    if (this.isFull) this.#makeRoomFor(account);
    return await this.#wait(account, signal);
  }

  /** Waits for a slot, does the work and returns its result. @throws whatever `enter` and the work throw */
  async run<T>(account: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const slot = await this.enter(account, signal);
    try {
      return await work();
    } finally {
      slot.release();
    }
  }

  /** Refuses all queued jobs and all later jobs. */
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
    const heaviest = this.#jobs.accountWithMoreJobsThan(account);
    const message = 'The queue is full, and an account with fewer jobs took the place of this job.';
    if (heaviest !== undefined) this.#jobs.newestOf(heaviest)?.refuse(this.#unavailable(message));
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

  #unavailable(message: string): Failure {
    const retryAfter = this.#averageJobTime.secondsFor((this.#jobs.queued + 1) / this.#limits.workers);
    return new Failure('unavailable', `${message} Try again in a moment.`, { retryAfter });
  }
}

function shuttingDown(): Failure {
  return new Failure('unavailable', 'The service is shutting down.', { retryAfter: 10 });
}

/** Weight of the newest job in the moving average, which therefore covers about the last ten jobs. */
const averageWeight = 0.1;
const minRetryAfterSeconds = 1;
const maxRetryAfterSeconds = 60;

/** Moving average of the time for which jobs hold their slot. Retry-After is derived from it. */
class AverageJobTime {
  #milliseconds: number | undefined;

  add(milliseconds: number): void {
    const average = this.#milliseconds ?? milliseconds;
    this.#milliseconds = average + averageWeight * (milliseconds - average);
  }

  /** Returns how many whole seconds this many jobs take one after another, at least 1 and at most 60. */
  secondsFor(jobs: number): number {
    const seconds = Math.ceil(((this.#milliseconds ?? 0) * jobs) / 1000);
    return Math.min(maxRetryAfterSeconds, Math.max(minRetryAfterSeconds, seconds));
  }
}
