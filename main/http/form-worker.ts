/** The thread that reads long bodies: a request's bytes in, its form out, with long texts stored in the job's folder. */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import type { Request, Response } from 'express';
import type { FailureKind } from '../failure/catalogue.ts';
import { toFailure } from '../failure/failure.ts';
import type { StoredText } from '../job/option-kinds.ts';
import type { Form } from '../job/read-fields.ts';
import { receive } from './receive.ts';

export interface FormOrder {
  readonly headers: IncomingHttpHeaders;
  readonly maxUpload: number;
  readonly folder: string;
  /** Chunks of the body come here, then `whole` or `cut short`; each is answered `taken` when there is room for another. Numbers are bytes that have gone to the disk. */
  readonly port: MessagePort;
}

export interface FormAnswer {
  readonly form: Form;
  readonly problem?: FormProblem;
}

/** A Failure does not survive the way between threads. */
export interface FormProblem {
  readonly kind: FailureKind;
  readonly sentence: string;
  readonly retryAfter: number | undefined;
  /** As the log is to have it. */
  readonly cause: string | undefined;
}

/** Characters; the main thread takes a shorter text in its stride. */
const short = 500_000;

export default async function work({ headers, maxUpload, folder, port }: FormOrder): Promise<FormAnswer> {
  const request = requestFrom(port, headers);
  const share = {
    add() {},
    release(bytes: number) {
      port.postMessage(bytes);
    },
  };
  const response = {} as unknown as Response;
  const limits = { maxUpload, uploadTimeout: undefined, folder, share };
  const { form, problem } = await receive(request, response, limits);
  try {
    const stored = await storeLongTexts(form, folder);
    return problem === undefined ? { form: stored } : { form: stored, problem: told(problem) };
  } catch (unstored) {
    const fields = form.fields.filter((field) => !isLong(field));
    return { form: { ...form, fields }, problem: told(problem ?? unstored) };
  }
}

function told(problem: unknown): FormProblem {
  const { kind, message: sentence, retryAfter, cause } = toFailure(problem);
  return { kind, sentence, retryAfter, cause: cause instanceof Error ? cause.stack : undefined };
}

/** As much of a request as reading its body takes. */
function requestFrom(port: MessagePort, headers: IncomingHttpHeaders): Request {
  const body = new PassThrough();
  const request = Object.assign(body, { headers, complete: false });
  request.on('error', () => {});
  // Nobody waits for the form any more; its files are not to stay open.
  port.once('close', () => request.destroy());
  port.on('message', (said: Uint8Array | 'whole' | 'cut short') => {
    if (said === 'cut short') request.destroy();
    else if (said === 'whole') {
      request.complete = true;
      request.end();
    } else
      request.write(said, () => {
        port.postMessage('taken');
      });
  });
  return request as unknown as Request;
}

/** Options whose value may be a document of its own. */
const documents: ReadonlySet<string> = new Set(['text', 'data_string']);

function isLong({ name, value }: Form['fields'][number]): boolean {
  return documents.has(name) && value.length > short;
}

/** One after the other, so that nothing is written any more when one could not be; what was written of it makes room again. */
async function storeLongTexts(form: Form, folder: string): Promise<Form> {
  const stored: Form['files'][number][] = [];
  for (const { name, value } of form.fields.filter(isLong)) {
    const path = join(folder, randomUUID());
    const bytes = Buffer.from(value);
    const upload: StoredText = { path, name, size: bytes.length, characters: value.length };
    await writeFile(path, bytes).catch(async (problem: unknown) => {
      await rm(path, { force: true });
      throw problem;
    });
    stored.push({ name, upload });
  }
  return { fields: form.fields.filter((field) => !isLong(field)), files: [...form.files, ...stored] };
}
