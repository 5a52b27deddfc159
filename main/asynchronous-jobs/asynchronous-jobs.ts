/** Asynchronous jobs of a running service: submits, runs, cancels and deletes them, and reads their outputs. */
import { join, resolve } from 'node:path';
import type { Account } from '../accounts/account.ts';
import { isAsynchronous, type JobRecord } from '../accounts/store/job-records.ts';
import type { Store } from '../accounts/store/store.ts';
import type { Settings } from '../settings/table.ts';
import { writeForCaller } from '../accounts/store/write-retries.ts';
import type { Keyring } from '../encryption/keyring.ts';
import { AccountShares } from './account-shares.ts';
import { archivedRows, openArchive, type BatchArchive } from './batch/batch-archive.ts';
import { closeBatch } from './batch/closing-batches.ts';
import { BatchMerger } from './batch/batch-merger.ts';
import { deleteOutput, Expiry } from './expiry.ts';
import { FolderFiles } from './files/folder-files.ts';
import type { JobFiles } from './files/job-files.ts';
import { removeUnneededFiles } from './files/kept-files.ts';
import { TableFiles } from './files/table-files.ts';
import { JobEnds } from './job-end.ts';
import { notAsynchronous, resultOf, type JobResult } from './job-output.ts';
import { QueueRunner, type QueueRunnerDependencies } from './queue-runner.ts';
import { readOutput, type StoredJobOutput } from './stored-output.ts';
import { BatchRequests } from './stored-request.ts';
import { findIdempotencyKey, submitJob, type JobSubmission, type SubmitDependencies } from './submit.ts';

export interface AsynchronousJobsOptions
  extends
    Omit<
      QueueRunnerDependencies,
      'database' | 'isShared' | 'files' | 'batchRequests' | 'shares' | 'ends' | 'windows' | 'settings'
    >,
    Pick<SubmitDependencies, 'callbackNetwork'> {
  readonly store: Pick<Store, 'database' | 'isShared'>;
  readonly keyring: Keyring;
  readonly settings: Settings & { readonly data: string };
  /** Called when a job has ended here, after its callback has been written. */
  readonly onJobEnded: () => void;
}

export class AsynchronousJobs implements AsyncDisposable {
  /** The suspect that runs in its separate process, as a queue that a shutdown waits for. No job begins during a shutdown. */
  readonly suspects: { readonly close: () => void; readonly state: { readonly working: number } };
  readonly #options: AsynchronousJobsOptions;
  readonly #files: JobFiles;
  readonly #shares: AccountShares;
  readonly #ends: JobEnds;
  readonly #runner: QueueRunner;
  readonly #merger: BatchMerger;
  readonly #expiry: Expiry;

  constructor(options: AsynchronousJobsOptions) {
    const { settings, store, keyring, log } = options;
    const { database, isShared } = store;
    this.#options = options;
    this.#files = openFiles(options);
    this.#shares = new AccountShares({ settings, filesFolder: filesFolderOf(options) });
    this.#ends = new JobEnds({ keyring, debugLogKeepMs: settings['debug-log-keep'] });
    const dependencies = {
      ...options,
      database,
      isShared,
      files: this.#files,
      batchRequests: new BatchRequests(database, keyring),
      shares: this.#shares,
      ends: this.#ends,
    };
    this.#runner = new QueueRunner({ ...dependencies, windows: settings.workers });
    this.#merger = new BatchMerger(dependencies);
    const runner = this.#runner;
    this.suspects = {
      close() {},
      get state() {
        return { working: Number(runner.runsSuspect) };
      },
    };
    this.#expiry = new Expiry({
      database,
      files: this.#files,
      keyring,
      report(problem, what) {
        log.warn({ err: problem }, `cannot delete ${what}; this is retried`);
      },
    });
  }

  /** Begins to run queued jobs. */
  begin(): void {
    this.#runner.begin();
    this.#merger.begin();
  }

  /** Refuses a job that would be refused in any case, before its body is read. @throws those of AccountShares.admitJobs */
  async refuseEarly(account: Pick<Account, 'id'>, idempotencyKey: string | undefined): Promise<void> {
    const { database } = this.#options.store;
    // A repeated request gets its job also while the queue is full, and after its job has used the last credit.
    if ((await findIdempotencyKey(database, account, idempotencyKey)) !== undefined) return;
    await this.#shares.admitJobsEarly(database, account.id, { jobs: 1, bytes: 1 });
  }

  /** Submits a job and returns its id; see submitJob. @throws Failure */
  async submit(submission: JobSubmission): Promise<string> {
    const { store, keyring, settings, callbackNetwork, node } = this.#options;
    const id = await submitJob(submission, {
      database: store.database,
      files: this.#files,
      keyring,
      shares: this.#shares,
      settings,
      node,
      callbackNetwork,
    });
    this.#runner.wake();
    this.#merger.wake();
    return id;
  }

  /** Returns the result of a job; see resultOf. @throws Failure notFound, jobNotEnded, outputGone */
  resultOf(job: JobRecord): JobResult {
    return resultOf(job, Date.now());
  }

  /** Reads the output of a job in parts. @throws Error if it was deleted in the meantime */
  readOutput(job: string, { file, key }: StoredJobOutput): AsyncIterable<Uint8Array> {
    return readOutput({ files: this.#files, keyring: this.#options.keyring }, { job, file, key });
  }

  /** Opens the archive of a batch that has ended. */
  openArchive(batch: string): Promise<BatchArchive> {
    const { store, keyring } = this.#options;
    return openArchive({ database: store.database, files: this.#files, keyring }, batch);
  }

  /**
   * Cancels a job that waits or runs on any node, or deletes its output. Does nothing if there is none.
   * @throws Failure notFound for a synchronous job, unavailable
   */
  async remove(job: JobRecord): Promise<void> {
    if (!isAsynchronous(job)) throw notAsynchronous();
    const { database } = this.#options.store;
    const isCanceled = await writeForCaller(() =>
      database.transaction().execute((transaction) => this.#ends.cancel(transaction, job.id)),
    );
    if (!isCanceled) {
      await deleteOutput(database, this.#files, job.id);
      for (const { job: row } of job.batch_rows === null ? [] : (await archivedRows(database, job.id)).rows)
        await deleteOutput(database, this.#files, row);
      return;
    }
    this.#runner.abort(job.id);
    this.#options.onJobEnded();
    if (job.batch_rows !== null) await closeBatch(database, job.id);
    await removeUnneededFiles(database, this.#files, job.id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runner[Symbol.asyncDispose]();
    await this.#merger[Symbol.asyncDispose]();
    await this.#expiry[Symbol.asyncDispose]();
  }
}

/** Returns the files: in a folder, or in a shared database. */
export function openFiles(options: Pick<AsynchronousJobsOptions, 'settings' | 'store'>): JobFiles {
  const { database } = options.store;
  const folder = filesFolderOf(options);
  return folder === undefined ? new TableFiles(database) : new FolderFiles(folder, database);
}

/** Returns the folder of the setting `job-files`, or that in the data folder; undefined if a shared database stores the files. */
export function filesFolderOf({
  settings,
  store,
}: Pick<AsynchronousJobsOptions, 'settings' | 'store'>): string | undefined {
  const { data, 'job-files': folder } = settings;
  if (folder !== undefined) return resolve(data, folder);
  return store.isShared ? undefined : join(data, 'job-files');
}
