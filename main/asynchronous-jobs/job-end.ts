/** The end of an asynchronous job: its state, its output and the callback that is then due, written in one transaction. */
import { randomBytes } from 'node:crypto';
import { jobJson } from '../accounts/job-json.ts';
import type { JobEnd } from '../accounts/ledger/job-entry.ts';
import { updateRunningJob } from '../accounts/ledger/running-jobs.ts';
import { currentTime, isPostgres } from '../accounts/store/dialect.ts';
import { encryptCallback } from '../accounts/store/callback-records.ts';
import { findJob, stateOf } from '../accounts/store/job-records.ts';
import type { Database } from '../accounts/store/tables.ts';
import type { Keyring } from '../encryption/keyring.ts';
import { catalogue } from '../failure/catalogue.ts';
import { timeOfJobId } from '../job/job.ts';
import { endingOfBatch, expireRows, failWaitingRows, sizeOfRows } from './batch/batch-end.ts';
import type { StoredArchive, StoredJobOutput } from './stored-output.ts';
import { decryptRequest } from './stored-request.ts';

/** A job as one node claimed it. If it is given back and claimed again, it has another start, also on the same node. */
export interface ClaimedStart {
  readonly id: string;
  /** The id of the node. */
  readonly node: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

export interface JobEndsOptions {
  readonly keyring: Keyring;
  /** How long debug logs are kept, in milliseconds. */
  readonly debugLogKeepMs: number;
}

/** What the row of an ended job gets. */
interface OutputValues {
  readonly output: StoredJobOutput | StoredArchive;
  /** How long the output is kept, in milliseconds. */
  readonly keepMs: number;
}

/** How much longer than an archive the outputs of its rows are kept, so that an archive that is being read stays complete. */
const rowMarginMs = 60_000;

export class JobEnds {
  readonly #options: JobEndsOptions;

  constructor(options: JobEndsOptions) {
    this.#options = options;
  }

  /** Completes the end of a converted job, in the transaction of its charge. */
  async complete(transaction: Database, id: string, { output, keepMs }: OutputValues): Promise<void> {
    await transaction
      .updateTable('asynchronous_jobs')
      .set(({ eb }) => ({
        output_headers: JSON.stringify(output),
        kept_bytes: 'kind' in output ? 0 : output.bytes,
        // The outputs of rows are kept as long as their batch runs.
        expires_at: eb
          .case()
          .when('batch_id', 'is', null)
          .then(eb(currentTime(transaction), '+', keepMs))
          .else(null)
          .end(),
      }))
      .where('job_id', '=', id)
      .execute();
    await this.#close(transaction, id);
  }

  /** Ends a running job without an output. Does nothing if the job has ended or was given back. */
  async fail(transaction: Database, job: ClaimedStart, ending: JobEnd): Promise<void> {
    if (await endClaimedJob(transaction, job, ending)) await this.#close(transaction, job.id);
  }

  /** Ends a running job that was found to end or hang its process, and stops its batch. Does nothing if the job has ended or was given back. */
  async failAsGuilty(transaction: Database, job: ClaimedStart, message: string): Promise<void> {
    const { status, reason } = catalogue.internal;
    const ending = { outcome: 'failed', status, reason, message, stages: {} } as const;
    if (!(await endClaimedJob(transaction, job, ending))) return;
    while (await failWaitingRows(transaction, job.id));
    await this.#close(transaction, job.id);
  }

  /** Stops the batch of a guilty job that still runs, a few rows at a time. Returns whether more rows may wait. */
  async stopBatch(transaction: Database, job: ClaimedStart): Promise<boolean> {
    await lockAccountOf(transaction, job.id);
    const running = await transaction
      .selectFrom('jobs')
      .select('id')
      .where('id', '=', job.id)
      .where('outcome', 'is', null)
      .where('node_id', '=', job.node)
      .where('started_at', '=', job.startedAt)
      .executeTakeFirst();
    return running !== undefined && (await failWaitingRows(transaction, job.id));
  }

  /** Ends a job that waits or runs on any node. Returns whether it has ended by this. The rows of a batch are left to closeBatch. */
  async cancel(transaction: Database, id: string): Promise<boolean> {
    await lockAccountOf(transaction, id);
    const ended = await transaction
      .updateTable('jobs')
      .set({ outcome: 'canceled', message: 'The job was canceled.', reserved: 0, ended_at: Date.now() })
      .where('id', '=', id)
      .where('outcome', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (ended === undefined) return false;
    await this.#close(transaction, id);
    await transaction
      .updateTable('asynchronous_jobs')
      .set({ batch_state: 'closing' })
      .where('job_id', '=', id)
      .where('batch_rows', 'is not', null)
      .execute();
    return true;
  }

  /** Removes the request, with which its uploads are lost too, creates the callback, and ends the batch if this was its last row. */
  async #close(transaction: Database, id: string): Promise<void> {
    const row = await transaction
      .selectFrom('asynchronous_jobs')
      .select(['callback_url', 'request', 'batch_id'])
      .where('job_id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return;
    const { callback_url: shownUrl, request: encrypted, batch_id: batch } = row;
    const request =
      shownUrl === null || encrypted === null
        ? undefined
        : decryptRequest(this.#options.keyring, id, encrypted);
    await transaction
      .updateTable('asynchronous_jobs')
      .set({ request: null, batch_state: null })
      .where('job_id', '=', id)
      .execute();
    if (request?.callbackUrl !== undefined)
      await this.#addCallback(transaction, { id, url: request.callbackUrl, baseUrl: request.baseUrl });
    if (batch !== null) await this.#endBatchOfLastRow(transaction, batch);
  }

  /** Ends the batch if this was its last row. */
  async #endBatchOfLastRow(transaction: Database, batch: string): Promise<void> {
    const ending = await endingOfBatch(transaction, batch);
    if (ending === undefined) return;
    const { archive, ...columns } = ending;
    await transaction
      .updateTable('jobs')
      .set({ ...columns, ...(await sizeOfRows(transaction, batch)), ended_at: Date.now() })
      .where('id', '=', batch)
      .execute();
    await this.endBatch(transaction, batch, archive);
  }

  /** Completes the end of a batch: its output, if there is one, is kept from now on. */
  async endBatch(
    transaction: Database,
    batch: string,
    output: StoredJobOutput | StoredArchive | undefined,
  ): Promise<void> {
    const { keep_ms: keepMs } = await transaction
      .selectFrom('asynchronous_jobs')
      .select('keep_ms')
      .where('job_id', '=', batch)
      .executeTakeFirstOrThrow();
    await expireRows(transaction, batch, keepMs + rowMarginMs);
    if (output === undefined) await this.#close(transaction, batch);
    else await this.complete(transaction, batch, { output, keepMs });
  }

  async #addCallback(
    transaction: Database,
    { id, url, baseUrl }: { readonly id: string; readonly url: string; readonly baseUrl: string },
  ): Promise<void> {
    const job = await findJob(transaction, id);
    if (job === undefined) return;
    const body = {
      type: `job.${stateOf(job)}`,
      timestamp: new Date(job.ended_at ?? Date.now()).toISOString(),
      data: jobJson(job, { baseUrl, debugLogKeepMs: this.#options.debugLogKeepMs }),
    };
    const callback = `msg_${randomBytes(16).toString('hex')}`;
    await transaction
      .insertInto('callbacks')
      .values({
        id: callback,
        job_id: id,
        account_id: job.account_id,
        ...encryptCallback(this.#options.keyring, callback, { url, body: JSON.stringify(body) }),
        due_at: currentTime(transaction),
      })
      .execute();
  }
}

/**
 * Locks the account of a job. Claims and charges lock the account before its jobs, and so must all that changes several rows: PostgreSQL
 * locks the account also to check a foreign key, so another order could lead to a deadlock.
 */
export async function lockAccountOf(transaction: Database, job: string): Promise<void> {
  if (!isPostgres(transaction)) return;
  await transaction
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', (account) => account.selectFrom('jobs').where('id', '=', job).select('account_id'))
    .forNoKeyUpdate()
    .execute();
}

/** Returns whether the job has ended by this: not if it had ended before or was given back. */
async function endClaimedJob(
  transaction: Database,
  job: ClaimedStart,
  { stages, ...ending }: JobEnd,
): Promise<boolean> {
  await lockAccountOf(transaction, job.id);
  const ended = await updateClaimedJob(transaction, job)
    .set({ ...ending, reserved: 0, ended_at: Date.now(), stages: JSON.stringify(stages) })
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

/** Pause before a job is tried again that the service could not complete at the moment, in milliseconds. */
export const retryDelayMs = 5000;
const maxRetryDelayMs = 300_000;
/** A job that still fails for such a reason so long after its submission fails for good. */
const maxRetryAgeMs = 86_400_000;

/**
 * Returns the pause before the next attempt of a job that the service could not convert at the moment: a tenth of its age, because
 * the job itself may be the reason, as one that needs most of the disk. Undefined if it is not tried again.
 */
export function nextRetryMs(job: string, now = Date.now()): number | undefined {
  const age = now - timeOfJobId(job);
  if (age > maxRetryAgeMs) return undefined;
  return Math.min(maxRetryDelayMs, Math.max(retryDelayMs, age / 10));
}

/**
 * Puts a running job back into the queue. Does nothing if the job has ended or was given back.
 * `delayMs`: the earliest time of the next attempt from now, in milliseconds.
 */
export async function requeueJob(transaction: Database, job: ClaimedStart, delayMs: number): Promise<void> {
  const requeued = await updateClaimedJob(transaction, job)
    .set({
      started_at: null,
      node_id: null,
      reserved: 0,
      output_bytes: null,
      pages: null,
      total_pages: null,
    })
    .returning('id')
    .executeTakeFirst();
  if (requeued === undefined) return;
  await transaction
    .updateTable('asynchronous_jobs')
    .set(({ eb }) => ({ available_at: eb(currentTime(transaction), '+', delayMs) }))
    .where('job_id', '=', job.id)
    .execute();
}

export function updateClaimedJob(database: Database, { id, node, startedAt }: ClaimedStart) {
  return updateRunningJob(database, { id, node }).where('started_at', '=', startedAt);
}
