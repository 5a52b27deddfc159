/** Parses long request bodies in a worker thread, and stores long values in the job's folder. */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import type { Request, Response } from 'express';
import type { FailureKind } from '../../failure/catalogue.ts';
import { workerFunction } from '../../async/worker-function.ts';
import { toFailure } from '../../failure/failure.ts';
import type { StoredText } from '../../job/option-kinds.ts';
import type { Form } from '../../job/read-fields.ts';
import type { BodyShare } from './body-budget.ts';
import { receive } from './receive.ts';

export interface FormTask {
  readonly headers: IncomingHttpHeaders;
  readonly maxUpload: number;
  readonly folder: string;
  /**
   * Receives chunks of the body, then `complete` or `aborted`. Sends `written` for each chunk that the parser has accepted, and the
   * number of bytes whenever some are stored on disk.
   */
  readonly port: MessagePort;
}

export interface FormAnswer {
  readonly form: Form;
  readonly problem?: FormProblem;
}

/** The data of a Failure, because a Failure object cannot be sent between threads. */
interface FormProblem {
  readonly kind: FailureKind;
  readonly message: string;
  readonly retryAfter: number | undefined;
  /** The stack trace of the cause, for the log. */
  readonly cause: string | undefined;
}

/** Texts of up to this length stay in memory, because the main thread handles them quickly. */
const maxInlineCharacters = 500_000;

export default workerFunction(work);

async function work({ headers, maxUpload, folder, port }: FormTask): Promise<FormAnswer> {
  const request = requestFrom(port, headers);
  const share = {
    add() {},
    release(bytes: number) {
      port.postMessage(bytes);
    },
  };
  const response = {} as unknown as Response;
  const limits = { maxUpload, uploadTimeout: undefined, folder: { path: () => folder }, share };
  const { form, problem } = await receive(request, response, limits);
  try {
    const stored = await storeLongTexts(form, folder, share);
    return problem === undefined ? { form: stored } : { form: stored, problem: toProblem(problem) };
  } catch (storeProblem) {
    const fields = form.fields.filter((field) => !isLong(field));
    return { form: { ...form, fields }, problem: toProblem(problem ?? storeProblem) };
  }
}

function toProblem(problem: unknown): FormProblem {
  const { kind, message, retryAfter, cause } = toFailure(problem);
  return { kind, message, retryAfter, cause: cause instanceof Error ? cause.stack : undefined };
}

/** Returns an object with those properties of a request that `receive` reads. */
function requestFrom(port: MessagePort, headers: IncomingHttpHeaders): Request {
  const body = new PassThrough();
  const request = Object.assign(body, { headers, complete: false });
  request.on('error', () => {});
  // The port closes when the main thread no longer waits for the form. Destroying the request closes the form's files.
  port.once('close', () => request.destroy());
  port.on('message', (message: Uint8Array | 'complete' | 'aborted') => {
    if (message === 'aborted') request.destroy();
    else if (message === 'complete') {
      request.complete = true;
      request.end();
    } else
      request.write(message, () => {
        port.postMessage('written');
      });
  });
  return request as unknown as Request;
}

/** Options whose value can be a whole document. */
const documentOptions: ReadonlySet<string> = new Set(['text', 'data_string']);

function isLong({ name, value }: Form['fields'][number]): boolean {
  return documentOptions.has(name) && value.length > maxInlineCharacters;
}

/** Stores long values one at a time, so that nothing is written after a failure. Deletes a partly written file. */
async function storeLongTexts(form: Form, folder: string, share: Pick<BodyShare, 'release'>): Promise<Form> {
  const stored: Form['files'][number][] = [];
  for (const { name, value } of form.fields.filter(isLong)) {
    const path = join(folder, randomUUID());
    const bytes = Buffer.from(value);
    const upload: StoredText = { path, name, size: bytes.length, characters: value.length };
    await writeFile(path, bytes).catch(async (problem: unknown) => {
      await rm(path, { force: true });
      throw problem;
    });
    share.release(bytes.length);
    stored.push({ name, upload });
  }
  return { fields: form.fields.filter((field) => !isLong(field)), files: [...form.files, ...stored] };
}
