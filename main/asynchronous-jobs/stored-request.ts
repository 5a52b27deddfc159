/** The request of an asynchronous job as its row stores it: encrypted, and enough for any node to restore the form. */
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Database } from '../accounts/store/tables.ts';
import { decryptParts, encryptParts, keyBytes } from '../encryption/cipher.ts';
import { UnreadableValue, type Keyring } from '../encryption/keyring.ts';
import type { StoredText, Upload } from '../job/option-kinds.ts';
import type { Form } from '../job/read-fields.ts';
import { fieldsWithout } from './batch/row-request.ts';
import { fileContext, partBytes, type JobFiles, type NewJobFile } from './files/job-files.ts';
import type { JobFolder } from '../job/job.ts';

export interface StoredRequest {
  /** The base URL of links, without a trailing slash. */
  readonly baseUrl: string;
  readonly fields: Form['fields'];
  readonly files: readonly StoredRequestFile[];
  /** Where to send the callback. The record of the job has it without its query. */
  readonly callbackUrl?: string | undefined;
  /** For the job of a row: the job of its batch, to whose request the fields of this one are added. */
  readonly batch?: string;
}

interface StoredRequestFile {
  /** The name of the form field. */
  readonly field: string;
  /** The job that owns the file, and the file's name among the files of that job. */
  readonly job: string;
  readonly file: string;
  /** The key of the file, in base64. It exists nowhere else, so the file is lost with the request. */
  readonly key: string;
  readonly upload: Omit<Upload, 'path' | 'siblingFolder'> & Partial<Pick<StoredText, 'characters'>>;
}

/** Returns the request, and the files to be stored beside it. */
export function toStoredRequest(
  job: string,
  form: Form,
  others: Pick<StoredRequest, 'baseUrl' | 'callbackUrl'>,
): { readonly request: StoredRequest; readonly files: readonly NewJobFile[] } {
  const files = form.files.map(({ name: field, upload }, index) => {
    const { path, siblingFolder: _, ...facts } = upload;
    const key = randomBytes(keyBytes);
    return {
      path,
      key,
      stored: { field, job, file: String(index), key: key.toString('base64'), upload: facts },
    };
  });
  return {
    request: { ...others, fields: form.fields, files: files.map(({ stored }) => stored) },
    files: files.map(({ path, key, stored: { file } }) => ({
      name: file,
      content: () =>
        encryptParts(createReadStream(path, { highWaterMark: partBytes }), key, fileContext(job, file)),
    })),
  };
}

/** Returns what the row of the job stores. */
export function encryptRequest(keyring: Keyring, job: string, request: StoredRequest): string {
  return keyring.encryptText('requests', JSON.stringify(request), requestContext(job));
}

/** Returns undefined if the request cannot be decrypted any more. */
export function decryptRequest(keyring: Keyring, job: string, encrypted: string): StoredRequest | undefined {
  try {
    return JSON.parse(keyring.decryptText('requests', encrypted, requestContext(job))) as StoredRequest;
  } catch (problem) {
    if (problem instanceof UnreadableValue) return undefined;
    throw problem;
  }
}

function requestContext(job: string): string {
  return `request of job ${job}`;
}

/**
 * Returns the request of a job with that of its batch. @throws Error if the batch has ended; the job has then ended too
 */
export async function wholeRequest(
  database: Database,
  keyring: Keyring,
  request: StoredRequest,
): Promise<StoredRequest> {
  const { batch, fields } = request;
  if (batch === undefined) return request;
  const row = await database
    .selectFrom('asynchronous_jobs')
    .select('request')
    .where('job_id', '=', batch)
    .executeTakeFirst();
  if (row === undefined || row.request === null) throw new Error(`the batch ${batch} has ended`);
  const common = decryptRequest(keyring, batch, row.request);
  if (common === undefined) throw new Error(`the request of the batch ${batch} cannot be decrypted`);
  return { ...common, fields: [...fieldsWithout(common.fields, fields), ...fields] };
}

/** Restores the form, with its files in the folder. @throws the error of the disk or the database */
export async function restoreForm(request: StoredRequest, folder: JobFolder, files: JobFiles): Promise<Form> {
  const restored: Form['files'][number][] = [];
  for (const [index, { field, job, file, key, upload }] of request.files.entries()) {
    const path = join(folder.path(), `upload-${index}`);
    await pipeline(
      decryptParts(files.read(job, file), Buffer.from(key, 'base64'), fileContext(job, file)),
      createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    );
    restored.push({ name: field, upload: { ...upload, path } });
  }
  return { fields: request.fields, files: restored };
}
