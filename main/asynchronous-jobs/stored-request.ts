/** The request of an asynchronous job as its row stores it: encrypted, and enough for any node to restore the form. */
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Database } from '../accounts/store/tables.ts';
import { decryptParts, encryptParts, keyBytes } from '../encryption/cipher.ts';
import { UnreadableValue, type Keyring } from '../encryption/keyring.ts';
import type { StoredText, Upload } from '../job/option-kinds.ts';
import type { Form, ReceivedField } from '../job/read-fields.ts';
import { fieldsWithout } from './batch/row-request.ts';
import { fileContext, partBytes, partsOf, type JobFiles, type NewJobFile } from './files/job-files.ts';
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
  /** Whether the content is the value of a plain field. */
  readonly isField?: true;
}

/** Longer values are stored in files, because the database, the cipher and JSON handle a request in one step of the main thread. */
const maxInlineCharacters = 100_000;

/** A file to be stored, as the request describes it. */
interface StoredContent extends Pick<StoredRequestFile, 'field' | 'upload' | 'isField'> {
  readonly read: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Returns the request, the files to be stored beside it, and their size in bytes. */
export function toStoredRequest(
  job: string,
  form: Form,
  others: Pick<StoredRequest, 'baseUrl' | 'callbackUrl'>,
): { readonly request: StoredRequest; readonly files: readonly NewJobFile[]; readonly bytes: number } {
  const contents = [...form.files.map(contentOfUpload), ...form.fields.filter(isLong).map(contentOfField)];
  const files = contents.map(({ read, ...described }, index) => {
    const key = randomBytes(keyBytes);
    const file = String(index);
    return {
      stored: { ...described, job, file, key: key.toString('base64') },
      added: { name: file, content: () => encryptParts(read(), key, fileContext(job, file)) },
    };
  });
  const fields = form.fields.filter((field) => !isLong(field));
  return {
    request: { ...others, fields, files: files.map(({ stored }) => stored) },
    files: files.map(({ added }) => added),
    bytes: contents.reduce((sum, { upload }) => sum + upload.size, 0),
  };
}

function isLong({ value }: ReceivedField): boolean {
  return value.length > maxInlineCharacters;
}

function contentOfUpload({ name: field, upload }: Form['files'][number]): StoredContent {
  const { path, siblingFolder: _, ...facts } = upload;
  return { field, upload: facts, read: () => createReadStream(path, { highWaterMark: partBytes }) };
}

function contentOfField({ name: field, value }: ReceivedField): StoredContent {
  return {
    field,
    upload: { name: field, size: Buffer.byteLength(value) },
    isField: true,
    read: () => partsOf(Buffer.from(value)),
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

/** Maximum number of batches whose requests are kept in memory. */
const maxKeptRequests = 4;

/** Reads the requests of batches. Keeps the last ones in memory, because each of up to 10,000 rows needs the request of its batch. */
export class BatchRequests {
  readonly #database: Database;
  readonly #keyring: Keyring;
  /** By batch; the one that was read last is the last. */
  readonly #kept = new Map<string, StoredRequest>();

  constructor(database: Database, keyring: Keyring) {
    this.#database = database;
    this.#keyring = keyring;
  }

  /** Returns the request of a job with that of its batch. @throws Error if the batch has ended; the job has then ended too */
  async wholeRequest(request: StoredRequest): Promise<StoredRequest> {
    const { batch, fields } = request;
    if (batch === undefined) return request;
    const common = this.#kept.get(batch) ?? (await this.#read(batch));
    this.#kept.delete(batch);
    this.#kept.set(batch, common);
    for (const oldest of [...this.#kept.keys()].slice(0, -maxKeptRequests)) this.#kept.delete(oldest);
    return { ...common, fields: [...fieldsWithout(common.fields, fields), ...fields] };
  }

  /** Removes the request of the batch from memory if the batch has ended. `request`: that of a row. */
  async releaseIfEnded({ batch }: StoredRequest): Promise<void> {
    if (batch === undefined) return;
    const open = await this.#database
      .selectFrom('asynchronous_jobs')
      .select('job_id')
      .where('job_id', '=', batch)
      .where('request', 'is not', null)
      .executeTakeFirst();
    if (open === undefined) this.#kept.delete(batch);
  }

  async #read(batch: string): Promise<StoredRequest> {
    const row = await this.#database
      .selectFrom('asynchronous_jobs')
      .select('request')
      .where('job_id', '=', batch)
      .executeTakeFirst();
    if (row === undefined || row.request === null) throw new Error(`the batch ${batch} has ended`);
    const request = decryptRequest(this.#keyring, batch, row.request);
    if (request === undefined) throw new Error(`the request of the batch ${batch} cannot be decrypted`);
    return request;
  }
}

/** Restores the form, with its files in the folder. @throws the error of the disk or the database */
export async function restoreForm(request: StoredRequest, folder: JobFolder, files: JobFiles): Promise<Form> {
  const fields = [...request.fields];
  const restored: Form['files'][number][] = [];
  for (const [index, { field, job, file, key, upload, isField }] of request.files.entries()) {
    const content = decryptParts(files.read(job, file), Buffer.from(key, 'base64'), fileContext(job, file));
    if (isField) {
      fields.push({ name: field, value: await text(content) });
      continue;
    }
    const path = join(folder.path(), `upload-${index}`);
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    restored.push({ name: field, upload: { ...upload, path } });
  }
  return { fields, files: restored };
}
