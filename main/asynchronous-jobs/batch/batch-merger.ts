/**
 * Merges the documents of batches whose rows have ended. Any node merges: it claims the batch like a job, so that another node takes
 * over if this one ends before the merged document is stored. Accounts take turns, and a node merges one batch of an account at a time.
 */
import { createHash, randomBytes, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { WakeablePause } from '../../async/wakeable-pause.ts';
import type { ThisNode } from '../../accounts/nodes/this-node.ts';
import { totalsOfBatch } from '../../accounts/store/batch-records.ts';
import { currentTime, isPostgres } from '../../accounts/store/dialect.ts';
import type { Database } from '../../accounts/store/tables.ts';
import { isUnavailable } from '../../accounts/store/unavailable.ts';
import { retryWhileBusy } from '../../accounts/store/write-retries.ts';
import { noteFactsOfAll } from '../../conversion/note-facts.ts';
import type { Keyring } from '../../encryption/keyring.ts';
import { openJobFolder } from '../../conversion/job-folder.ts';
import { catalogue } from '../../failure/catalogue.ts';
import { toFailure, type Failure } from '../../failure/failure.ts';
import type { ServiceLog } from '../../log/service-log.ts';
import { mergePdfs } from '../../output/merge/merge-pdfs.ts';
import type { MergedSize } from '../../output/merge/pdf-merger.ts';
import type { AccountShares } from '../account-shares.ts';
import type { JobFiles } from '../files/job-files.ts';
import { removeUnneededFiles } from '../files/kept-files.ts';
import { emptyQueuePauseMs, hasOpenJobs, maxNodeLosses, startJob } from '../claim.ts';
import {
  lockAccountOf,
  requeueJob,
  nextRetryMs,
  updateClaimedJob,
  type ClaimedStart,
  type JobEnds,
} from '../job-end.ts';
import { readOutput, writeOutput, type StoredJobOutput } from '../stored-output.ts';
import { decryptRequest, type StoredRequest } from '../stored-request.ts';
import { archivedRows, type ArchivedRow } from './batch-archive.ts';
import { summaryOf } from './batch-end.ts';
import { hasPlaceholder } from './row-request.ts';

export interface BatchMergerDependencies {
  readonly database: Database;
  readonly files: JobFiles;
  readonly keyring: Keyring;
  readonly shares: Pick<AccountShares, 'measureDisk' | 'admitOutput'>;
  readonly ends: JobEnds;
  readonly node: Pick<ThisNode, 'id'>;
  /** Whether other nodes may use the database. */
  readonly isShared: boolean;
  /** Parent folder of the folders of running jobs. */
  readonly workFolder: string;
  /** Aborted when running jobs must end. */
  readonly shutdown: AbortSignal;
  /** Whether this node may begin jobs. */
  readonly mayBegin: () => boolean;
  readonly log: ServiceLog;
  /** Called when a batch has ended, after its callback has been written. */
  readonly onJobEnded: () => void;
}

/** How often a node looks for batches to merge while jobs are open. */
const intervalMs = 1000;
/** The number of merges at once. More than one, so that a large merge leaves room for those of other accounts. */
const maxMerges = 2;

interface ClaimedBatch extends ClaimedStart {
  readonly account: number;
  readonly request: StoredRequest;
}

export class BatchMerger implements AsyncDisposable {
  readonly #dependencies: BatchMergerDependencies;
  readonly #stop = new AbortController();
  readonly #pauses = Array.from({ length: maxMerges }, () => new WakeablePause());
  /** The accounts for which this node merges now. */
  readonly #accounts = new Set<number>();
  /** The accounts for which this node has merged, those served longest ago first. */
  readonly #served = new Set<number>();
  #loops: Promise<unknown> | undefined;

  constructor(dependencies: BatchMergerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Begins to merge. */
  begin(): void {
    this.#loops ??= Promise.all(this.#pauses.map((pause) => this.#run(pause)));
  }

  /** Looks for batches from now on, because a job was submitted. */
  wake(): void {
    for (const pause of this.#pauses) pause.wake();
  }

  /** Stops claiming, and waits for the merges under way, which end at the latest when the shutdown aborts them. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#loops;
  }

  async #run(pause: WakeablePause): Promise<void> {
    const { database, mayBegin, isShared } = this.#dependencies;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const isOpen = await hasOpenJobs(database).catch(() => true);
      if (!isOpen) await pause.wait(emptyQueuePauseMs(isShared), signal);
      else if (!mayBegin() || !(await this.#mergeNext())) await pause.wait(intervalMs, signal);
    }
  }

  /** Returns whether there was a batch. Never rejects. */
  async #mergeNext(): Promise<boolean> {
    const { database, log } = this.#dependencies;
    try {
      for (const account of this.#inTurn(await accountsWithMerges(database)))
        if (await this.#mergeFor(account)) return true;
      return false;
    } catch (problem) {
      if (!isUnavailable(problem))
        log.error({ err: problem }, 'cannot merge the documents of a batch; this is retried');
      return false;
    }
  }

  /** Returns the accounts in the order in which they are served. */
  #inTurn(accounts: readonly number[]): number[] {
    const served = [...this.#served].filter((account) => accounts.includes(account));
    return [...accounts.filter((account) => !this.#served.has(account)), ...served];
  }

  /** Returns whether there was a batch of the account that no other merge of this node prevents. */
  async #mergeFor(account: number): Promise<boolean> {
    const { database, onJobEnded, files } = this.#dependencies;
    if (this.#accounts.has(account)) return false;
    this.#accounts.add(account);
    try {
      const batch = await retryWhileBusy(() =>
        database.transaction().execute((transaction) => this.#claim(transaction, account)),
      );
      if (batch === undefined) return false;
      this.#served.delete(account);
      this.#served.add(account);
      await this.#merge(batch);
      onJobEnded();
      await removeUnneededFiles(database, files, batch.id);
      return true;
    } finally {
      this.#accounts.delete(account);
    }
  }

  async #claim(transaction: Database, account: number): Promise<ClaimedBatch | undefined> {
    const { node, ends, keyring } = this.#dependencies;
    const found = await transaction
      .selectFrom('asynchronous_jobs')
      .innerJoin('jobs', 'jobs.id', 'asynchronous_jobs.job_id')
      .select(['job_id', 'node_losses', 'request'])
      .where('batch_state', '=', 'merging')
      .where('asynchronous_jobs.account_id', '=', account)
      .where('available_at', '<=', currentTime(transaction))
      .where('jobs.started_at', 'is', null)
      .where('jobs.outcome', 'is', null)
      .orderBy('job_id')
      .limit(1)
      .$if(isPostgres(transaction), (query) => query.forUpdate('jobs').skipLocked())
      .executeTakeFirst();
    if (found === undefined) return undefined;
    const start = { id: found.job_id, node: node.id, startedAt: Date.now() };
    await startJob(transaction, start);
    const request = decryptRequest(keyring, found.job_id, found.request ?? '');
    if (found.node_losses < maxNodeLosses && request !== undefined) return { ...start, account, request };
    await ends.fail(transaction, start, mergeFailed());
    return undefined;
  }

  async #merge(batch: ClaimedBatch): Promise<void> {
    const { database, ends, shutdown, log } = this.#dependencies;
    try {
      const { output, size } = await this.#storeMerged(batch);
      await retryWhileBusy(() =>
        database.transaction().execute(async (transaction) => {
          await lockAccountOf(transaction, batch.id);
          const totals = await totalsOfBatch(transaction, batch.id);
          const ended = await updateClaimedJob(transaction, batch)
            .set({
              outcome: 'converted',
              status: 200,
              reason: 0,
              message: totals === undefined ? null : summaryOf(totals),
              output_bytes: size.bytes,
              pages: size.pages,
              total_pages: size.pages,
              ended_at: Date.now(),
            })
            .returning('id')
            .executeTakeFirst();
          if (ended !== undefined) await ends.endBatch(transaction, batch.id, output);
        }),
      );
    } catch (problem) {
      if (isUnavailable(problem)) throw problem;
      const failure = toFailure(problem);
      const isShareUsed = failure.kind === 'tooManyRequests';
      // The disk may be full because of another account.
      const retryMs = failure.kind === 'unavailable' ? nextRetryMs(batch.id) : undefined;
      if (!shutdown.aborted && !isShareUsed)
        log.error({ err: problem, job: batch.id }, 'the documents of a batch could not be merged');
      await retryWhileBusy(() =>
        database.transaction().execute(async (transaction) => {
          if (shutdown.aborted) await requeueJob(transaction, batch, 0);
          else if (retryMs !== undefined) await requeueJob(transaction, batch, retryMs);
          else await ends.fail(transaction, batch, isShareUsed ? failedWith(failure) : mergeFailed());
        }),
      );
    }
  }

  /** Merges the documents and stores the result under a new name, which becomes part of the job only with its end. */
  async #storeMerged({
    id,
    account,
    request,
  }: ClaimedBatch): Promise<{ output: StoredJobOutput; size: MergedSize }> {
    const { database, files, keyring, shares, workFolder, shutdown } = this.#dependencies;
    await using workspace = openJobFolder(join(workFolder, `${id}-merge`));
    const { rows } = await archivedRows(database, id);
    await shares.measureDisk();
    // The merged document is hardly larger than its parts, and their copies need as much room as they do.
    const bytes = rows.reduce((sum, { output }) => sum + output.bytes, 0);
    await shares.admitOutput(database, account, bytes);
    const documents: { path: string; title?: string; number: number }[] = [];
    for (const row of rows) {
      shutdown.throwIfAborted();
      const path = join(workspace.path(), `${row.row}.pdf`);
      await pipeline(
        readOutput({ files, keyring }, { job: row.job, ...row.output }),
        createWriteStream(path, { flags: 'wx', mode: 0o600 }),
      );
      documents.push({ path, number: row.row, ...titleOf(row, request) });
    }
    const out = join(workspace.path(), 'merged.pdf');
    const size = await mergePdfs({ documents, out }, shutdown);
    await shares.measureDisk();
    await shares.admitOutput(database, account, size.bytes);
    const file = `output-${randomBytes(8).toString('hex')}`;
    const key = keyring.newKeyName('results');
    const hash = createHash('sha256');
    await writeOutput({ files, keyring }, { job: id, file, key }, hashed(createReadStream(out), hash));
    const totals = await totalsOfBatch(database, id);
    const pages = { printed: size.pages, total: size.pages };
    const name = documentName(request);
    const receipt = { consumed: totals?.charged ?? 0 };
    const sha256 = hash.digest('base64');
    const contentType = 'application/pdf';
    const notes = noteFactsOfAll(rows.map(({ output }) => output));
    return {
      size,
      output: { file, key, bytes: size.bytes, sha256, contentType, ...name, receipt, pages, ...notes },
    };
  }
}

/** Yields the parts, and adds them to the hash. A listener for `data` would start the stream before it is read. */
async function* hashed(parts: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    hash.update(part);
    yield part;
  }
}

/** Returns the accounts with batches whose rows have ended. Idle nodes ask every second, so it reads only an index. */
async function accountsWithMerges(database: Database): Promise<number[]> {
  const rows = await database
    .selectFrom('asynchronous_jobs')
    .select('account_id')
    .distinct()
    .where('batch_state', '=', 'merging')
    .orderBy('account_id')
    .execute();
  return rows.map(({ account_id }) => account_id);
}

function failedWith({ status, reason, message }: Failure) {
  return { outcome: 'failed', status, reason, message, stages: {} } as const;
}

/** The documents of the rows can still be read one by one. */
function mergeFailed() {
  const { status, reason } = catalogue.internal;
  const message =
    'The documents of the rows could not be merged. The log of the service contains the details under this job id. GET /jobs?batch=ID lists the jobs of the rows, whose outputs are available.';
  return { outcome: 'failed', status, reason, message, stages: {} } as const;
}

function fieldOf(request: StoredRequest, name: string): string | undefined {
  return request.fields.find((field) => field.name === name && field.value !== '')?.value;
}

/** Returns the title of a row's bookmark if output_name gives it one. Otherwise it is the title of the document. */
function titleOf({ output }: ArchivedRow, request: StoredRequest): { readonly title?: string } {
  return hasPlaceholder(fieldOf(request, 'output_name')) ? { title: output.name.replace(/\.pdf$/i, '') } : {};
}

function documentName(request: StoredRequest): Pick<StoredJobOutput, 'name' | 'disposition'> {
  const name = fieldOf(request, 'output_name');
  const isInline = fieldOf(request, 'content_disposition')?.toLowerCase() === 'inline';
  return {
    name: name === undefined || hasPlaceholder(name) ? 'documents.pdf' : name,
    disposition: isInline ? 'inline' : 'attachment',
  };
}
