/** Submits asynchronous jobs: validates the request, stores its files, and writes its rows in one transaction. */
import { sql } from 'kysely';
import type { Account } from '../accounts/account.ts';
import { accountRemoved } from '../accounts/ledger/ledger.ts';
import { currentTime } from '../accounts/store/dialect.ts';
import type { Database } from '../accounts/store/tables.ts';
import { isUnavailable } from '../accounts/store/unavailable.ts';
import { writeForCaller } from '../accounts/store/write-retries.ts';
import type { Keyring } from '../encryption/keyring.ts';
import { factsOfForm, secretsOf } from '../conversion/job-parameters.ts';
import { Failure } from '../failure/failure.ts';
import { table } from '../job/options.ts';
import { inlineConfigFile, readJob } from '../job/read-job.ts';
import type { Form } from '../job/read-fields.ts';
import { DebugLog } from '../log/debug-log.ts';
import { withoutQuery } from '../log/masking.ts';
import type { Settings } from '../settings/table.ts';
import type { AdmissionContext } from '../network/resolve-target.ts';
import { checkCallbackTarget } from './callback-target.ts';
import type { JobFiles } from './files/job-files.ts';
import { takeJobFields, type AsynchronousJobFields } from './job-fields.ts';
import { insertRows } from './batch/insert-rows.ts';
import {
  checkBatchForm,
  checkRowJob,
  fieldNamed,
  formOfRow,
  validateRows,
  type ValidatedRows,
} from './batch/validate-batch.ts';
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
  readonly settings: Pick<Settings, 'alias' | 'job-timeout' | 'jobs-queue' | 'output-keep'>;
  /** How callbacks reach their receivers. */
  readonly callbackNetwork: AdmissionContext;
}

/**
 * Submits a job. Returns the id of the job: of an earlier one if the request repeats an earlier request with its idempotency key.
 * @throws Failure with the status of the synchronous call for an invalid form; valueNotAllowed, addressRefused, idempotencyKeyReused,
 * unavailable if the queue is full or the database cannot be written. No job is created in these cases.
 */
export async function submitJob(
  submission: JobSubmission,
  dependencies: SubmitDependencies,
): Promise<string> {
  const { form, fields } = takeJobFields(submission.form, dependencies.settings['output-keep']);
  const batch = await validateBatch(form, fields);
  const formOfJob = batch === undefined ? form : formOfRow(form, batch.sample);
  const job = await readForm(formOfJob, dependencies.settings);
  if (batch !== undefined) checkRowJob(job, fields.merge);
  const { input } = job;
  if (input.kind === 'file' && input.upload.size === 0)
    throw new Failure('notHtml', `The file '${input.upload.name}' is empty; send an HTML document.`);
  if (fields.callbackUrl !== undefined)
    await checkCallbackTarget(fields.callbackUrl, dependencies.callbackNetwork);
  return await new Submission({ ...submission, form, batch }, fields, dependencies).submit(
    submission.idempotencyKey === undefined
      ? undefined
      : await digestOf(submission.form, dependencies.keyring),
  );
}

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
    const { id, form, baseUrl } = this.#submission;
    const { database, files, keyring, settings } = this.#dependencies;
    const earlier = await this.#earlierJob(digest);
    if (earlier !== undefined) return earlier;
    const jobs = this.#submission.batch?.count ?? 1;
    const limit = settings['jobs-queue'];
    if (jobs > limit) throw tooManyRows(jobs, limit);
    await refuseIfQueueFull(database, limit, jobs);
    const callbackUrl = this.#fields.callbackUrl?.href;
    const stored = toStoredRequest(id, form, { baseUrl, callbackUrl });
    const request = encryptRequest(keyring, id, stored.request);
    const addFiles = await files.addUploads(id, stored.files);
    try {
      await writeForCaller(() =>
        database.transaction().execute(async (transaction) => {
          await refuseIfQueueFull(transaction, limit, jobs);
          await this.#insert(transaction, { request, digest });
          await addFiles(transaction);
        }),
      );
      return id;
    } catch (problem) {
      // After a lost connection the job may exist; the sweep deletes the files if it does not.
      if (!isUnavailable(problem) || problem.cause === undefined) await files.remove(id);
      if (!(problem instanceof KeyTaken)) throw problem;
      const winner = await this.#earlierJob(digest);
      if (winner === undefined) throw keyBusy();
      return winner;
    }
  }

  async #insert(
    transaction: Database,
    { request, digest }: { readonly request: string; readonly digest: string | undefined },
  ): Promise<void> {
    const { id, account, form, idempotencyKey, batch } = this.#submission;
    const { callbackUrl, priority, keepMs, merge } = this.#fields;
    const facts = factsForRecord(form);
    await this.#checkAccount(transaction);
    await transaction
      .insertInto('jobs')
      .values({
        id,
        account_id: account.id,
        received_at: Date.now(),
        ...facts,
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
        available_at: batch === undefined ? currentTime(transaction) : neverAvailable,
        keep_ms: keepMs,
        callback_url: callbackUrl === undefined ? null : withoutQuery(callbackUrl.href),
        batch_rows: batch?.count ?? null,
        batch_merge: Number(merge),
      })
      .execute();
    if (batch !== undefined) await this.#insertRows(transaction, batch.path, facts);
    if (idempotencyKey !== undefined && digest !== undefined)
      await this.#insertKey(transaction, { key: idempotencyKey, digest });
  }

  async #insertRows(
    transaction: Database,
    path: string,
    { parameters: _, ...facts }: ReturnType<typeof factsForRecord>,
  ): Promise<void> {
    const { id, account, form, baseUrl } = this.#submission;
    const { priority, keepMs } = this.#fields;
    const outputName = fieldNamed(form, 'output_name');
    const rows = { batch: id, account: account.id, priority, keepMs, baseUrl, facts, outputName, path };
    await insertRows(transaction, this.#dependencies.keyring, rows);
  }

  /** @throws Failure unauthorized if the account was removed; valueNotAllowed if it has no secret for a callback */
  async #checkAccount(transaction: Database): Promise<void> {
    const { id, name } = this.#submission.account;
    const row = await transaction
      .selectFrom('accounts')
      .select('webhook_secret')
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) throw accountRemoved();
    if (this.#fields.callbackUrl === undefined || row.webhook_secret !== null) return;
    const message = `callback_url needs a secret that signs the callbacks of your account. The operator creates it with: platen account webhook-secret ${name}`;
    throw new Failure('valueNotAllowed', message);
  }

  async #insertKey(
    transaction: Database,
    { key, digest }: { readonly key: string; readonly digest: string },
  ): Promise<void> {
    const { id, account } = this.#submission;
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
    if (idempotencyKey === undefined) return undefined;
    const row = await this.#dependencies.database
      .selectFrom('idempotency_keys')
      .select(['job_id', 'digest'])
      .where('account_id', '=', account.id)
      .where('key', '=', idempotencyKey)
      .executeTakeFirst();
    if (row === undefined || row.digest === digest) return row?.job_id;
    const message = `This Idempotency-Key belongs to the job ${row.job_id}, whose request was another. Send a new key for another request.`;
    throw new Failure('idempotencyKeyReused', message);
  }
}

function factsForRecord(form: Form) {
  const log = new DebugLog();
  log.hide(secretsOf(form));
  const tag = form.fields.find(({ name }) => name === 'tag')?.value ?? '';
  return { tag: table.tag.kind.read(tag) ?? null, ...factsOfForm(form, (text) => log.masked(text)) };
}

const queueRetrySeconds = 10;

/** A batch does not run, unless its documents are merged at its end (BatchMerger). */
const neverAvailable = Number.MAX_SAFE_INTEGER;

function tooManyRows(rows: number, limit: number): Failure {
  return new Failure(
    'valueNotAllowed',
    `The file rows has ${rows} rows, but at most ${limit} asynchronous jobs may wait (setting jobs-queue). Split the file into several batches.`,
  );
}

/** @throws Failure unavailable if more jobs would wait than the setting jobs-queue allows. `added`: the number of new jobs */
export async function refuseIfQueueFull(database: Database, maxQueued: number, added = 1): Promise<void> {
  const { rows } = await sql<{ readonly queued: number }>`
    SELECT (SELECT count(*) FROM asynchronous_jobs WHERE request IS NOT NULL)
      - (SELECT count(*) FROM jobs WHERE outcome IS NULL AND started_at IS NOT NULL
          AND id IN (SELECT job_id FROM asynchronous_jobs WHERE request IS NOT NULL)) AS queued`.execute(
    database,
  );
  if ((rows[0]?.queued ?? 0) + added <= maxQueued) return;
  const message = `As many asynchronous jobs wait as this service accepts (${maxQueued}, setting jobs-queue). Try again later.`;
  throw new Failure('unavailable', message, { retryAfter: queueRetrySeconds });
}

/** The other request with the same key was rolled back after it had blocked this one. */
function keyBusy(): Failure {
  const message = 'Another request with the same Idempotency-Key has just failed. Send the request again.';
  return new Failure('unavailable', message, { retryAfter: 1 });
}
