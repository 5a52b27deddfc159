/**
 * Submits asynchronous jobs: validates the request, stores its files, and writes the job in one transaction. The rows of a batch are
 * written in further ones, and the last one makes the batch visible.
 */
import type { Account } from '../accounts/account.ts';
import { currentTime } from '../accounts/store/dialect.ts';
import type { Database } from '../accounts/store/tables.ts';
import type { ThisNode } from '../accounts/nodes/this-node.ts';
import { isUnavailable } from '../accounts/store/unavailable.ts';
import { writeForCaller } from '../accounts/store/write-retries.ts';
import type { Keyring } from '../encryption/keyring.ts';
import { factsOfForm, secretsOf } from '../conversion/job-parameters.ts';
import { ConcurrencyLimiter } from '../async/concurrency-limiter.ts';
import { Failure } from '../failure/failure.ts';
import { table } from '../job/options.ts';
import { inlineConfigFile, readJob } from '../job/read-job.ts';
import type { Form } from '../job/read-fields.ts';
import { DebugLog } from '../log/debug-log.ts';
import { withoutQuery } from '../log/masking.ts';
import type { Settings } from '../settings/table.ts';
import { contextForCallbacks, type AdmissionContext } from '../network/resolve-target.ts';
import type { AccountShares, AddedJobs } from './account-shares.ts';
import { checkCallbackTarget } from './callback-target.ts';
import type { JobFiles } from './files/job-files.ts';
import { takeJobFields, type AsynchronousJobFields } from './job-fields.ts';
import { removeUnreceivedBatch } from './batch/closing-batches.ts';
import { insertRows } from './batch/insert-rows.ts';
import {
  checkBatchForm,
  checkRowJob,
  fieldNamed,
  formOfRow,
  validateRows,
  type ValidatedRows,
} from './batch/validate-batch.ts';
import { lockAccountOf } from './job-end.ts';
import { digestOf } from './request-digest.ts';
import { encryptRequest, toStoredRequest } from './stored-request.ts';

/** A request for an asynchronous job, with a complete form. */
export interface JobSubmission {
  /** The id of the new job. */
  readonly id: string;
  readonly account: Account;
  readonly form: Form;
  /** The base URL of links, without a trailing slash. */
  readonly baseUrl: string;
  /** The value of the header Idempotency-Key; undefined without one. */
  readonly idempotencyKey: string | undefined;
}

export interface SubmitDependencies {
  readonly database: Database;
  readonly files: JobFiles;
  readonly keyring: Keyring;
  readonly settings: Pick<Settings, 'alias' | 'job-timeout' | 'output-keep'>;
  readonly shares: AccountShares;
  readonly node: Pick<ThisNode, 'id'>;
  /** How callbacks reach their receivers. */
  readonly callbackNetwork: AdmissionContext;
}

/**
 * Submits a job. Returns the id of the job: of an earlier one if the request repeats an earlier request with its idempotency key.
 * @throws Failure with the status of the synchronous call for an invalid form; valueNotAllowed, addressRefused, idempotencyKeyReused;
 * those of AccountShares.admitJobs; unavailable if the database cannot be written. No job is created in these cases.
 */
export async function submitJob(
  submission: JobSubmission,
  dependencies: SubmitDependencies,
): Promise<string> {
  const { form, fields } = takeJobFields(submission.form, dependencies.settings['output-keep']);
  const { id: account } = submission.account;
  const batch = await readingLimiter.run(account, () => validateBatch(form, fields));
  const formOfJob = batch === undefined ? form : formOfRow(form, batch.sample);
  const job = await readForm(formOfJob, dependencies.settings);
  if (batch !== undefined) checkRowJob(job, fields.merge);
  const { input } = job;
  if (input.kind === 'file' && input.upload.size === 0)
    throw new Failure('notHtml', `The file '${input.upload.name}' is empty; send an HTML document.`);
  if (fields.callbackUrl !== undefined)
    await checkCallbackTarget(fields.callbackUrl, contextForCallbacks(dependencies.callbackNetwork, account));
  return await new Submission({ ...submission, form, batch }, fields, dependencies).submit(
    submission.idempotencyKey === undefined
      ? undefined
      : await readingLimiter.run(account, () => digestOf(submission.form, dependencies.keyring)),
  );
}

/** Limits the concurrent submissions of an account whose files are read, because their steps delay those of other accounts. */
const readingLimiter = new ConcurrencyLimiter<number>(2);

/** Returns the rows of a batch; undefined for a single job. @throws Failure dataInvalid, valueNotAllowed */
async function validateBatch(form: Form, { rows }: AsynchronousJobFields): Promise<ValidBatch | undefined> {
  if (rows === undefined) return undefined;
  checkBatchForm(form);
  return { ...(await validateRows(rows.path)), path: rows.path };
}

interface ValidBatch extends ValidatedRows {
  /** Path of the file of rows. */
  readonly path: string;
}

async function readForm(form: Form, settings: SubmitDependencies['settings']) {
  return readJob(await inlineConfigFile(form), {
    jobTimeoutMs: settings['job-timeout'],
    isPdfcrowdAlias: settings.alias === 'pdfcrowd',
  });
}

// A submission uses a connection of the database pool until its uploads are stored, which may take a minute.
const accountLimiter = new ConcurrencyLimiter<number>(1);
const nodeLimiter = new ConcurrencyLimiter<'node'>(4);

/**
 * Stores a submission. Limits the concurrent submissions of the account and of this node, so that other requests get connections.
 * @throws those of `writeForCaller`
 */
async function storeLimited(account: number, store: () => Promise<void>): Promise<void> {
  await accountLimiter.run(account, () => nodeLimiter.run('node', () => writeForCaller(store)));
}

/** Thrown to roll the transaction back if another request has used the idempotency key. */
class KeyTaken extends Error {}

class Submission {
  readonly #submission: JobSubmission & { readonly batch: ValidBatch | undefined };
  readonly #fields: AsynchronousJobFields;
  readonly #dependencies: SubmitDependencies;

  constructor(
    submission: JobSubmission & { readonly batch: ValidBatch | undefined },
    fields: AsynchronousJobFields,
    dependencies: SubmitDependencies,
  ) {
    this.#submission = submission;
    this.#fields = fields;
    this.#dependencies = dependencies;
  }

  /** `digest`: the digest of the request; undefined without an idempotency key. */
  async submit(digest: string | undefined): Promise<string> {
    const { id, account, form, baseUrl, batch } = this.#submission;
    const { database, files, keyring, shares } = this.#dependencies;
    const earlier = await this.#earlierJob(digest);
    if (earlier !== undefined) return earlier;
    const callbackUrl = this.#fields.callbackUrl?.href;
    const stored = toStoredRequest(id, form, { baseUrl, callbackUrl });
    const request = encryptRequest(keyring, id, stored.request);
    const added = this.#addedJobs(request.length + stored.bytes);
    if (added.jobs > shares.maxJobs) throw tooManyRows(added.jobs, shares);
    await shares.admitJobsEarly(database, account.id, added);
    try {
      const addFiles = await files.addUploads(id, stored.files);
      await storeLimited(account.id, () =>
        database.transaction().execute(async (transaction) => {
          await shares.admitJobs(transaction, account.id, added);
          await this.#insert(transaction, { request, bytes: added.bytes });
          await addFiles(transaction);
          if (batch === undefined) await this.#insertKey(transaction, digest);
        }),
      );
      if (batch !== undefined) await this.#receiveRows(batch, digest);
      return id;
    } catch (problem) {
      await this.#undo(problem);
      if (!(problem instanceof KeyTaken)) throw problem;
      const winner = await this.#earlierJob(digest);
      if (winner === undefined) throw keyBusy();
      return winner;
    }
  }

  /** `bytes`: the size of the request and its files. */
  #addedJobs(bytes: number): AddedJobs {
    const { batch } = this.#submission;
    return { jobs: batch?.count ?? 1, bytes: bytes + (batch?.size ?? 0) };
  }

  /** Removes what was stored. After a lost connection the job may exist; the sweep removes what remains if it does not. */
  async #undo(problem: unknown): Promise<void> {
    const { id, batch } = this.#submission;
    const { database, files } = this.#dependencies;
    if (isUnavailable(problem) && problem.cause !== undefined) return;
    // The failure of the submission is the one to report.
    if (batch !== undefined) await removeUnreceivedBatch(database, id).catch(() => {});
    await files.remove(id);
  }

  async #insert(
    transaction: Database,
    { request, bytes }: { readonly request: string; readonly bytes: number },
  ): Promise<void> {
    const { id, account, form, batch } = this.#submission;
    const { callbackUrl, priority, keepMs, merge } = this.#fields;
    await this.#checkSecret(transaction);
    await transaction
      .insertInto('jobs')
      .values({
        id,
        account_id: account.id,
        // If this node ends before all rows are inserted, others remove the batch.
        node_id: batch === undefined ? null : this.#dependencies.node.id,
        received_at: Date.now(),
        ...factsForRecord(form),
        reserved: 0,
        charged: 0,
      })
      .execute();
    await transaction
      .insertInto('asynchronous_jobs')
      .values({
        job_id: id,
        account_id: account.id,
        priority,
        request,
        upload_bytes: bytes,
        available_at: currentTime(transaction),
        keep_ms: keepMs,
        callback_url: callbackUrl === undefined ? null : withoutQuery(callbackUrl.href),
        batch_rows: batch?.count ?? null,
        batch_merge: Number(merge),
        batch_state: batch === undefined ? null : 'receiving',
      })
      .execute();
  }

  /** Inserts the rows of the batch, and then makes it visible. */
  async #receiveRows({ path }: ValidBatch, digest: string | undefined): Promise<void> {
    const { id, account, form, baseUrl } = this.#submission;
    const { priority, keepMs } = this.#fields;
    const { database, keyring } = this.#dependencies;
    const { parameters: _, ...facts } = factsForRecord(form);
    const outputName = fieldNamed(form, 'output_name');
    const rows = { batch: id, account: account.id, priority, keepMs, baseUrl, facts, outputName, path };
    await insertRows(database, keyring, rows);
    await writeForCaller(() =>
      database.transaction().execute(async (transaction) => {
        await lockAccountOf(transaction, id);
        await this.#insertKey(transaction, digest);
        await transaction.updateTable('jobs').set({ node_id: null }).where('id', '=', id).execute();
        const { numUpdatedRows } = await transaction
          .updateTable('asynchronous_jobs')
          .set({ batch_state: 'running' })
          .where('job_id', '=', id)
          .where('batch_state', '=', 'receiving')
          .executeTakeFirst();
        if (numUpdatedRows === 0n) throw batchLost();
      }),
    );
  }

  /** @throws Failure valueNotAllowed if the account has no secret for a callback */
  async #checkSecret(transaction: Database): Promise<void> {
    if (this.#fields.callbackUrl === undefined) return;
    const { id, name } = this.#submission.account;
    const row = await transaction
      .selectFrom('accounts')
      .select('webhook_secret')
      .where('id', '=', id)
      .executeTakeFirst();
    if (row?.webhook_secret) return;
    const message = `callback_url needs a secret that signs the callbacks of your account. The operator creates it with: platen account webhook-secret ${name}`;
    throw new Failure('valueNotAllowed', message);
  }

  /** Does nothing without an idempotency key. */
  async #insertKey(transaction: Database, digest: string | undefined): Promise<void> {
    const { id, account, idempotencyKey: key } = this.#submission;
    if (key === undefined || digest === undefined) return;
    const inserted = await transaction
      .insertInto('idempotency_keys')
      .values({ account_id: account.id, key, digest, job_id: id, created_at: Date.now() })
      .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
      .returning('job_id')
      .executeTakeFirst();
    if (inserted === undefined) throw new KeyTaken();
  }

  /** Returns the job of the idempotency key, if there is one. @throws Failure idempotencyKeyReused */
  async #earlierJob(digest: string | undefined): Promise<string | undefined> {
    const { account, idempotencyKey } = this.#submission;
    const row = await findIdempotencyKey(this.#dependencies.database, account, idempotencyKey);
    if (row === undefined || row.digest === digest) return row?.job_id;
    const message = `This Idempotency-Key belongs to the job ${row.job_id}, whose request was another. Send a new key for another request.`;
    throw new Failure('idempotencyKeyReused', message);
  }
}

/** Returns the job of the account with this idempotency key, and the digest of its request; undefined if there is none. */
export async function findIdempotencyKey(
  database: Database,
  account: Pick<Account, 'id'>,
  key: string | undefined,
): Promise<{ readonly job_id: string; readonly digest: string } | undefined> {
  if (key === undefined) return undefined;
  return await database
    .selectFrom('idempotency_keys')
    .select(['job_id', 'digest'])
    .where('account_id', '=', account.id)
    .where('key', '=', key)
    .executeTakeFirst();
}

function factsForRecord(form: Form) {
  const log = new DebugLog();
  log.hide(secretsOf(form));
  const tag = form.fields.find(({ name }) => name === 'tag')?.value ?? '';
  return { tag: table.tag.kind.read(tag) ?? null, ...factsOfForm(form, (text) => log.masked(text)) };
}

function tooManyRows(rows: number, { maxJobs, queueLimit }: AccountShares): Failure {
  return new Failure(
    'valueNotAllowed',
    `The file rows has ${rows} rows, but at most ${maxJobs} asynchronous jobs of an account may wait (settings jobs-queue: ${queueLimit}, jobs-queue-per-account). Split the file into several batches.`,
  );
}

/** Another node took this one for lost while it inserted the rows. */
function batchLost(): Failure {
  const message = 'The batch could not be stored. Send the request again.';
  return new Failure('unavailable', message, { retryAfter: 1 });
}

/** The other request with the same key was rolled back after it had blocked this one. */
function keyBusy(): Failure {
  const message = 'Another request with the same Idempotency-Key has just failed. Send the request again.';
  return new Failure('unavailable', message, { retryAfter: 1 });
}
