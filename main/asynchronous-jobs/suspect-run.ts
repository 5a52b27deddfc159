/**
 * Runs one claimed suspect in a process of its own. If that process dies or hangs, the job fails (docs/decisions/0064-suspects.md).
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { nextTurn } from '../async/yielding.ts';
import type { Jobs } from '../accounts/jobs.ts';
import type { Database } from '../accounts/store/tables.ts';
import { retryWhileBusy } from '../accounts/store/write-retries.ts';
import { linkSignals } from '../async/signals.ts';
import { withJobFields, type ServiceLog } from '../log/service-log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ClaimedJob } from './claim.ts';
import type { JobFiles } from './files/job-files.ts';
import { removeFilesAfterRun } from './files/kept-files.ts';
import { requeueJob, retryDelayMs, type ClaimedStart, type JobEnds } from './job-end.ts';

export interface SuspectRunDependencies {
  readonly database: Database;
  readonly jobs: Pick<Jobs, 'entryOf'>;
  readonly metrics: Pick<Metrics, 'jobEnded'>;
  readonly files: JobFiles;
  readonly ends: JobEnds;
  readonly log: ServiceLog;
  /** Parent folder of the folders of running jobs. */
  readonly workFolder: string;
  /** Aborted when running jobs must end. */
  readonly shutdown: AbortSignal;
  /**
   * Runs a claimed job in a process of its own, with its files in this folder. The signal kills the process. Resolves when the process
   * has ended: whether it had begun the job, and why it ended (the end of a sentence; undefined after a normal exit). Never rejects.
   */
  readonly isolate: (
    job: ClaimedStart & { readonly folder: string },
    signal: AbortSignal,
  ) => Promise<{ readonly hasBegun: boolean; readonly reason?: string | undefined }>;
}

export class SuspectRun {
  readonly job: ClaimedJob;
  readonly #dependencies: SuspectRunDependencies;
  readonly #abort = new AbortController();
  readonly #startedAt = performance.now();
  /** It uses no window of this process. */
  readonly isReceiving = false;

  constructor(job: ClaimedJob, dependencies: SuspectRunDependencies) {
    this.job = job;
    this.#dependencies = dependencies;
  }

  /** Ends the work on a job that was canceled or given back: its row has already changed. */
  abort(reason: string): void {
    this.#abort.abort(new Error(reason));
  }

  /** Resolves when the job has ended or waits again. Never rejects. */
  async run(): Promise<void> {
    const { jobs, shutdown, log } = this.#dependencies;
    const jobLog = withJobFields(log, { job: this.job.id, account: this.job.account.name });
    jobLog.warn('a node died while it ran this job, so the job runs in a separate process');
    await using entry = jobs.entryOf(this.job, { free: this.job.free });
    using stop = linkSignals([shutdown, this.#abort.signal]);
    const { hasBegun, reason } = await this.#isolate(stop.signal);
    const isStopped = stop.signal.aborted;
    const isGuilty = hasBegun && reason !== undefined && !isStopped;
    if (isGuilty) jobLog.error({ why: reason }, 'the separate process of this job ended, so the job fails');
    else if (reason !== undefined && !isStopped)
      jobLog.error({ why: reason }, 'the separate process of a job did not start; this is retried');
    if (isGuilty) await this.#stopBatch();
    await entry.endWith((transaction) => this.#end(transaction, isGuilty, isStopped ? 0 : retryDelayMs));
    await this.#count().catch(() => {});
    await removeFilesAfterRun(this.job, this.#dependencies);
  }

  async #isolate(signal: AbortSignal): ReturnType<SuspectRunDependencies['isolate']> {
    const { isolate, workFolder } = this.#dependencies;
    const { id, node, startedAt } = this.job;
    const folder = join(workFolder, `${id}-isolated`);
    try {
      return await isolate({ id, node, startedAt, folder }, signal);
    } finally {
      // What cannot be deleted now is deleted by the next start.
      await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
    }
  }

  /** Never rejects: the end of the job stops what is left. */
  async #stopBatch(): Promise<void> {
    const { database, ends } = this.#dependencies;
    const stopSomeRows = () =>
      database.transaction().execute((transaction) => ends.stopBatch(transaction, this.job));
    // The batch cannot go on meanwhile, because a row of it is a suspect that has not ended.
    while (await retryWhileBusy(stopSomeRows).catch(() => false)) await nextTurn();
  }

  /** Changes nothing if the separate process has ended the job or put it back. */
  async #end(transaction: Database, isGuilty: boolean, delayMs: number): Promise<void> {
    if (isGuilty) await this.#dependencies.ends.failAsGuilty(transaction, this.job, guilty);
    else await requeueJob(transaction, this.job, delayMs);
  }

  /** Counts the job if it has ended. @throws the error of the database */
  async #count(): Promise<void> {
    const { database, metrics } = this.#dependencies;
    const row = await database
      .selectFrom('jobs')
      .select(['outcome', 'reason', 'charged', 'stages'])
      .where('id', '=', this.job.id)
      .where('started_at', '=', this.job.startedAt)
      .where('outcome', 'is not', null)
      .executeTakeFirst();
    if (row === undefined) return;
    const { outcome, reason, charged, stages } = row;
    metrics.jobEnded({
      account: this.job.account.name,
      outcome: outcome === 'converted' || outcome === 'failed' ? outcome : 'caller_gone',
      ...(outcome === 'failed' && reason !== null && { reason }),
      durationMs: performance.now() - this.#startedAt,
      stages: JSON.parse(stages ?? '{}') as Record<string, number>,
      credits: charged,
    });
  }
}

const guilty =
  'This document ended or stopped the process that converted it: first the service, then a separate process. The service does not try it again. Its log contains the details under this job id.';
