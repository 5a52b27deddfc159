/**
 * Tracks running and queued jobs by account. Decides which queued job is next and, when the queue is full, which account loses a
 * queued job (docs/decisions/0021-fair-queue.md).
 */

interface AccountJobs<T> {
  running: number;
  /** In order of arrival. */
  readonly queued: T[];
  /** Sequence number of the account's last admission; 0 before the first. */
  lastAdmission: number;
}

export class FairQueue<T> {
  readonly #accounts = new Map<string, AccountJobs<T>>();
  #running = 0;
  #queued = 0;
  #admissions = 0;

  get running(): number {
    return this.#running;
  }

  get queued(): number {
    return this.#queued;
  }

  /** Counts a job of the account as running. */
  begin(account: string): void {
    const jobs = this.#jobsOf(account);
    this.#admissions += 1;
    jobs.lastAdmission = this.#admissions;
    jobs.running += 1;
    this.#running += 1;
  }

  /** Counts a job of the account as finished. */
  end(account: string): void {
    this.#jobsOf(account).running -= 1;
    this.#running -= 1;
    // Accounts are kept while any job exists. If the entry of an account were deleted earlier, the account would count as never
    // admitted and come first.
    if (this.#running + this.#queued === 0) this.#accounts.clear();
  }

  add(account: string, job: T): void {
    this.#jobsOf(account).queued.push(job);
    this.#queued += 1;
  }

  /** Removes a queued job. Does nothing if the job is not queued. */
  remove(account: string, job: T): void {
    const { queued } = this.#jobsOf(account);
    const index = queued.indexOf(job);
    if (index < 0) return;
    queued.splice(index, 1);
    this.#queued -= 1;
  }

  /**
   * Returns the oldest queued job of the account with the fewest running jobs, among accounts with queued jobs. Ties go to the
   * account that was admitted longest ago. Returns undefined if no job is queued, or if that account has `maxRunning` running jobs.
   */
  next(maxRunning = Infinity): T | undefined {
    let first: AccountJobs<T> | undefined;
    for (const jobs of this.#accounts.values())
      if (jobs.queued.length > 0 && (first === undefined || isAheadOf(jobs, first))) first = jobs;
    return first !== undefined && first.running < maxRunning ? first.queued[0] : undefined;
  }

  /**
   * Among accounts with queued jobs, returns the account with the most running and queued jobs. Returns undefined if `account`
   * would have at least as many with one more job.
   */
  accountWithMoreJobsThan(account: string): string | undefined {
    let maxJobs = jobCount(this.#accounts.get(account)) + 1;
    let heaviest: string | undefined;
    for (const [name, jobs] of this.#accounts) {
      if (jobs.queued.length === 0 || jobCount(jobs) <= maxJobs) continue;
      maxJobs = jobCount(jobs);
      heaviest = name;
    }
    return heaviest;
  }

  newestOf(account: string): T | undefined {
    return this.#accounts.get(account)?.queued.at(-1);
  }

  all(): readonly T[] {
    return [...this.#accounts.values()].flatMap(({ queued }) => queued);
  }

  #jobsOf(account: string): AccountJobs<T> {
    const jobs = this.#accounts.get(account) ?? { running: 0, queued: [], lastAdmission: 0 };
    this.#accounts.set(account, jobs);
    return jobs;
  }
}

function isAheadOf(left: AccountJobs<unknown>, right: AccountJobs<unknown>): boolean {
  if (left.running !== right.running) return left.running < right.running;
  return left.lastAdmission < right.lastAdmission;
}

/** Returns the number of running and queued jobs of an account. */
function jobCount(jobs: AccountJobs<unknown> | undefined): number {
  return jobs === undefined ? 0 : jobs.running + jobs.queued.length;
}
