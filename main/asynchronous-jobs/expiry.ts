/** Deletes the outputs of asynchronous jobs when they expire or their account deletes them, and the keys that nothing needs any more. */
import { sql } from 'kysely';
import { currentTime } from '../accounts/store/dialect.ts';
import { outputEpoch, requestEpoch } from '../accounts/store/key-epochs.ts';
import type { Database } from '../accounts/store/tables.ts';
import { retryWhileBusy } from '../accounts/store/write-retries.ts';
import { epochDigits, type Keyring } from '../encryption/keyring.ts';
import { closeLeftBatches } from './batch/closing-batches.ts';
import type { JobFiles } from './files/job-files.ts';
import { lockAccountOf } from './job-end.ts';

export interface ExpiryDependencies {
  readonly database: Database;
  readonly files: JobFiles;
  readonly keyring: Keyring;
  /** Receives errors; the next run tries again. */
  readonly report: (problem: unknown, what: string) => void;
}

const expiryIntervalMs = 30_000;
const sweepIntervalMs = 3_600_000;
const batchSize = 100;

/** Deletes expired outputs and left-behind batches and files, now and regularly until it is disposed of. */
export class Expiry implements AsyncDisposable {
  readonly #dependencies: ExpiryDependencies;
  readonly #timers: readonly NodeJS.Timeout[];
  #working: Promise<void> = Promise.resolve();

  constructor(dependencies: ExpiryDependencies) {
    const { database, files, keyring } = dependencies;
    this.#dependencies = dependencies;
    this.#timers = [
      this.#repeat(expiryIntervalMs, 'expired outputs of jobs', () => deleteExpiredOutputs(database, files)),
      this.#repeat(expiryIntervalMs, 'batches that were not received', () => closeLeftBatches(database)),
      this.#repeat(sweepIntervalMs, 'files of ended jobs', () => files.sweep()),
      this.#repeat(sweepIntervalMs, 'old keys from the key file', () => deleteOldKeys(database, keyring)),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#working;
  }

  #repeat(intervalMs: number, what: string, work: () => Promise<void>): NodeJS.Timeout {
    const run = () => {
      this.#working = this.#working.then(work).catch((problem: unknown) => {
        this.#dependencies.report(problem, what);
      });
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

/** Deletes the output of a job, first its key with its row: a crash leaves only a file that the sweep deletes. */
export async function deleteOutput(database: Database, files: JobFiles, id: string): Promise<void> {
  await retryWhileBusy(() =>
    database.transaction().execute(async (transaction) => {
      await lockAccountOf(transaction, id);
      await transaction
        .updateTable('asynchronous_jobs')
        .set({ output_deleted: 1, output_headers: null, expires_at: null })
        .where('job_id', '=', id)
        .where('output_headers', 'is not', null)
        .execute();
    }),
  );
  await files.remove(id);
}

/** Deletes the keys with which nothing in the database is encrypted any more. @throws the error of the key file or the database */
export async function deleteOldKeys(
  database: Database,
  keyring: Pick<Keyring, 'deleteOldKeys'>,
): Promise<void> {
  const { rows } = await sql<Record<'request' | 'output' | 'callback', string | null> & { now: number }>`
    SELECT
      (SELECT min(${requestEpoch()}) FROM asynchronous_jobs WHERE request IS NOT NULL) AS request,
      (SELECT min(${outputEpoch(database)}) FROM asynchronous_jobs WHERE output_headers IS NOT NULL) AS output,
      (SELECT min(substr(url, 1, ${epochDigits})) FROM callbacks) AS callback,
      ${currentTime(database)} AS now`.execute(database);
  const [{ request, output, callback, now }] = rows as [(typeof rows)[number]];
  const epochs = (...values: (string | null)[]) => values.filter((value) => value !== null).map(Number);
  await keyring.deleteOldKeys(
    { requests: Math.min(...epochs(request)), results: Math.min(...epochs(output, callback)) },
    now,
  );
}
