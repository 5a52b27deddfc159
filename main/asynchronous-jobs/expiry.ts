/** Deletes the outputs of asynchronous jobs: those that have expired, regularly, and one that its account no longer needs. */
import { currentTime } from '../accounts/store/dialect.ts';
import type { Database } from '../accounts/store/tables.ts';
import { retryWhileBusy } from '../accounts/store/write-retries.ts';
import type { JobFiles } from './files/job-files.ts';

export interface ExpiryDependencies {
  readonly database: Database;
  readonly files: JobFiles;
  /** Receives errors; the next run tries again. */
  readonly report: (problem: unknown) => void;
}

const expiryIntervalMs = 30_000;
const sweepIntervalMs = 3_600_000;
const batchSize = 100;

/** Deletes expired outputs and left-behind files, now and regularly until it is disposed of. */
export class Expiry implements AsyncDisposable {
  readonly #dependencies: ExpiryDependencies;
  readonly #timers: readonly NodeJS.Timeout[];
  #working: Promise<void> = Promise.resolve();

  constructor(dependencies: ExpiryDependencies) {
    const { database, files } = dependencies;
    this.#dependencies = dependencies;
    this.#timers = [
      this.#repeat(expiryIntervalMs, () => deleteExpiredOutputs(database, files)),
      this.#repeat(sweepIntervalMs, () => files.sweep()),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#working;
  }

  #repeat(intervalMs: number, work: () => Promise<void>): NodeJS.Timeout {
    const run = () => {
      this.#working = this.#working.then(work).catch(this.#dependencies.report);
    };
    run();
    return setInterval(run, intervalMs).unref();
  }
}

/** Deletes the outputs whose time has passed, by the clock of the database. */
export async function deleteExpiredOutputs(database: Database, files: JobFiles): Promise<void> {
  for (;;) {
    const expired = await database
      .selectFrom('asynchronous_jobs')
      .select('job_id')
      .where('expires_at', '<=', currentTime(database))
      .limit(batchSize)
      .execute();
    for (const { job_id: id } of expired) await deleteOutput(database, files, id);
    if (expired.length < batchSize) return;
  }
}

/** Deletes the output of a job, first from its row: a crash leaves only a file that the sweep deletes. */
export async function deleteOutput(database: Database, files: JobFiles, id: string): Promise<void> {
  await retryWhileBusy(() =>
    database
      .updateTable('asynchronous_jobs')
      .set({ output_deleted: 1, expires_at: null })
      .where('job_id', '=', id)
      .where('output_headers', 'is not', null)
      .execute(),
  );
  await files.remove(id);
}
