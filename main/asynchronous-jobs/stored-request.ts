/** The request of an asynchronous job as its row stores it, from which any node restores the form. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Database } from '../accounts/store/tables.ts';
import type { StoredText, Upload } from '../job/option-kinds.ts';
import type { Form } from '../job/read-fields.ts';
import { fieldsWithout } from './batch/row-request.ts';
import type { JobFiles, NewJobFile } from './files/job-files.ts';
import type { JobFolder } from '../job/job.ts';

export interface StoredRequest {
  /** The base URL of links, without a trailing slash. */
  readonly baseUrl: string;
  readonly fields: Form['fields'];
  readonly files: readonly StoredRequestFile[];
  /** For the job of a row: the job of its batch, to whose request the fields of this one are added. */
  readonly batch?: string;
}

interface StoredRequestFile {
  /** The name of the form field. */
  readonly field: string;
  /** The job that owns the file, and the file's name among the files of that job. */
  readonly job: string;
  readonly file: string;
  readonly upload: Omit<Upload, 'path' | 'siblingFolder'> & Partial<Pick<StoredText, 'characters'>>;
}

/** Returns what the row of the job stores, and the files to be stored beside it. */
export function toStoredRequest(
  job: string,
  form: Form,
  baseUrl: string,
): { readonly request: StoredRequest; readonly files: readonly NewJobFile[] } {
  const files = form.files.map(({ name: field, upload }, index) => {
    const { path, siblingFolder: _, ...facts } = upload;
    return { path, stored: { field, job, file: String(index), upload: facts } };
  });
  return {
    request: { baseUrl, fields: form.fields, files: files.map(({ stored }) => stored) },
    files: files.map(({ path, stored }) => ({ path, name: stored.file })),
  };
}

/**
 * Returns the request of a job with that of its batch. @throws Error if the batch has ended; the job has then ended too
 */
export async function wholeRequest(database: Database, request: StoredRequest): Promise<StoredRequest> {
  const { batch, fields } = request;
  if (batch === undefined) return request;
  const row = await database
    .selectFrom('asynchronous_jobs')
    .select('request')
    .where('job_id', '=', batch)
    .executeTakeFirst();
  if (row === undefined || row.request === null) throw new Error(`the batch ${batch} has ended`);
  const common = JSON.parse(row.request) as StoredRequest;
  return { ...common, fields: [...fieldsWithout(common.fields, fields), ...fields] };
}

/** Restores the form, with its files in the folder. @throws the error of the disk or the database */
export async function restoreForm(request: StoredRequest, folder: JobFolder, files: JobFiles): Promise<Form> {
  const restored: Form['files'][number][] = [];
  for (const [index, { field, job, file, upload }] of request.files.entries()) {
    const path = join(folder.path(), `upload-${index}`);
    await pipeline(files.read(job, file), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    restored.push({ name: field, upload: { ...upload, path } });
  }
  return { fields: request.fields, files: restored };
}
