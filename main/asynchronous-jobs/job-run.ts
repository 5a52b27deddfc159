/** Runs one claimed job: restores its form, converts it like a synchronous job, and stores its output with its charge. */
import { randomBytes } from 'node:crypto';
import type { AsynchronousJobEntry, JobEnd } from '../accounts/ledger/job-entry.ts';
import { JobAlreadyEnded } from '../accounts/ledger/ledger.ts';
import type { Jobs } from '../accounts/jobs.ts';
import type { Database } from '../accounts/store/tables.ts';
import { sha256Of } from '../async/sha256.ts';
import {
  convertForm,
  type FinishedConversion,
  type FormConversionRequest,
  type FormDependencies,
} from '../conversion/convert-form.ts';
import { noteFactsOf } from '../conversion/note-facts.ts';
import { CallerDisconnected, reportJobFailure, type ClosingLogs } from '../conversion/job-log.ts';
import { catalogue } from '../failure/catalogue.ts';
import { toFailure } from '../failure/failure.ts';
import { requestedName, type JobFolder } from '../job/job.ts';
import type { Keyring } from '../encryption/keyring.ts';
import type { Form } from '../job/read-fields.ts';
import type { DebugLog } from '../log/debug-log.ts';
import { withJobFields } from '../log/service-log.ts';
import type { EndedJob, Metrics } from '../metrics/metrics.ts';
import type { AccountShares } from './account-shares.ts';
import type { ClaimedJob } from './claim.ts';
import { partsOf, type JobFiles } from './files/job-files.ts';
import { removeFilesAfterRun } from './files/kept-files.ts';
import { nextRetryMs, requeueJob, type JobEnds } from './job-end.ts';
import { writeOutput, type StoredJobOutput } from './stored-output.ts';
import { restoreForm, type BatchRequests, type StoredRequest } from './stored-request.ts';

export interface JobRunDependencies extends FormDependencies {
  readonly database: Database;
  readonly jobs: Pick<Jobs, 'begin' | 'entryOf'>;
  readonly closingLogs: ClosingLogs;
  readonly metrics: Pick<Metrics, 'jobEnded'>;
  readonly files: JobFiles;
  readonly batchRequests: BatchRequests;
  readonly keyring: Keyring;
  readonly shares: Pick<AccountShares, 'measureDisk' | 'admitOutput'>;
  readonly ends: JobEnds;
  /** Whether the service is shutting down. */
  readonly isStopping: () => boolean;
}

export class JobRun {
  readonly job: ClaimedJob;
  readonly #dependencies: JobRunDependencies;
  readonly #abort = new AbortController();
  readonly #startedAt = performance.now();
  #isReceiving = true;
  #isRequeued = false;
  #log: DebugLog | undefined;
  #tag: string | undefined;

  constructor(job: ClaimedJob, dependencies: JobRunDependencies) {
    this.job = job;
    this.#dependencies = dependencies;
  }

  /** Whether the job is not yet in a queue of the engine, which counts its jobs itself. */
  get isReceiving(): boolean {
    return this.#isReceiving;
  }

  /** Ends the work on a job that was canceled or given back: its row has already changed. */
  abort(reason: string): void {
    this.#abort.abort(new CallerDisconnected(reason));
  }

  /** Resolves when the job has ended or waits again. Never rejects. */
  async run(): Promise<void> {
    const { jobs } = this.#dependencies;
    try {
      const entry = jobs.entryOf(this.job, { free: this.job.free });
      const conversion = await convertForm(this.#conversionRequest(entry), this.#dependencies);
      if (conversion === undefined) this.#count({ outcome: 'caller_gone' });
      else this.#count({ outcome: 'converted', credits: conversion.receipt.consumed });
    } catch (problem) {
      this.#reportFailure(problem);
    }
    // While the database is unavailable, a later row releases the request.
    await this.#dependencies.batchRequests.releaseIfEnded(this.job.request).catch(() => {});
    await removeFilesAfterRun(this.job, this.#dependencies);
  }

  #conversionRequest(entry: AsynchronousJobEntry): FormConversionRequest<FinishedConversion> {
    const { id, account, request } = this.job;
    return {
      id,
      account,
      entry: { ...entry, fail: (ending) => this.#fail(entry, ending) },
      callerDisconnected: this.#abort.signal,
      receive: async (folder) => ({ form: await this.#restoreForm(request, folder) }),
      onReceived: ({ log, tag }) => {
        this.#log = log;
        this.#tag = tag;
      },
      onValid: () => {
        this.#isReceiving = false;
      },
      deliver: (conversion) => this.#deliver(conversion),
    };
  }

  async #restoreForm(request: StoredRequest, folder: JobFolder): Promise<Form> {
    const { database, batchRequests, files, shares } = this.#dependencies;
    await shares.measureDisk();
    // A window does not make an output that could not be kept.
    await shares.admitOutput(database, this.job.account.id, 1);
    return await restoreForm(await batchRequests.wholeRequest(request), folder, files);
  }

  /**
   * Stores the output, then charges the job. The file has a new name in each attempt and is part of the job only with the charge: another
   * node may run a job that this node no longer owns.
   */
  async #deliver(conversion: FinishedConversion): Promise<FinishedConversion> {
    const { database, files, keyring, shares, ends, closingLogs } = this.#dependencies;
    const { id, account, keepMs } = this.job;
    const { entry, log } = conversion;
    const output = await storedOutputOf(conversion, keyring);
    await shares.measureDisk();
    await shares.admitOutput(database, account.id, output.bytes);
    await writeOutput({ files, keyring }, { job: id, ...output }, partsOf(conversion.output.bytes));
    await entry.charge(
      log.durations,
      () => {
        closingLogs.begin(log.id);
      },
      async (transaction) => {
        // Other jobs of the account may have stored outputs since.
        await shares.admitOutput(transaction, account.id, output.bytes);
        await ends.complete(transaction, id, { output, keepMs });
      },
    );
    return conversion;
  }

  async #fail(entry: AsynchronousJobEntry, ending: JobEnd): Promise<void> {
    const { ends, isStopping } = this.#dependencies;
    const retryMs = isTransient(ending) ? nextRetryMs(this.job.id) : undefined;
    this.#isRequeued = retryMs !== undefined;
    await entry.endWith(async (transaction) => {
      if (retryMs !== undefined) await requeueJob(transaction, this.job, isStopping() ? 0 : retryMs);
      // The row of an aborted job has already changed.
      else if (ending.outcome === 'failed') await ends.fail(transaction, this.job, ending);
    });
  }

  #reportFailure(problem: unknown): void {
    const { log } = this.#dependencies;
    const { id, account } = this.job;
    const facts = { id, account: account.name, tag: this.#tag, debugLog: this.#log };
    if (problem instanceof JobAlreadyEnded) {
      withJobFields(log, { job: id, account: account.name, tag: this.#tag }).info(
        'the job was canceled or given back before it could be charged',
      );
      this.#count({ outcome: 'caller_gone' });
      return;
    }
    const failure = toFailure(problem);
    reportJobFailure(failure, log, facts);
    if (!this.#isRequeued) this.#count({ outcome: 'failed', reason: failure.reason });
  }

  #count(ended: Pick<EndedJob, 'outcome' | 'reason' | 'credits'>): void {
    this.#dependencies.metrics.jobEnded({
      account: this.job.account.name,
      durationMs: performance.now() - this.#startedAt,
      stages: this.#log?.durations ?? {},
      ...ended,
    });
  }
}

/** Returns whether the service could not convert the job at the moment, for a reason that the job does not cause. */
function isTransient({ outcome, status }: JobEnd): boolean {
  return outcome === 'failed' && status === catalogue.unavailable.status;
}

async function storedOutputOf(
  { output, receipt, job, log }: FinishedConversion,
  keyring: Keyring,
): Promise<StoredJobOutput> {
  const { bytes, contentType, pages } = output;
  return {
    file: `output-${randomBytes(8).toString('hex')}`,
    key: keyring.newKeyName('results'),
    bytes: bytes.length,
    sha256: await sha256Of(bytes, 'base64'),
    contentType,
    name: requestedName(job.options),
    disposition: job.options.content_disposition,
    receipt,
    ...(pages && { pages }),
    ...noteFactsOf(log),
  };
}
