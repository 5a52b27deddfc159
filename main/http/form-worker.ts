/** The thread that reads long bodies: a request's bytes in, its form out, with long texts stored in the job's folder. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import type { Request, Response } from 'express';
import type { FailureKind } from '../failure/catalogue.ts';
import { toFailure } from '../failure/failure.ts';
import type { Form } from '../job/read-fields.ts';
import { receive } from './receive.ts';

export interface FormOrder {
  readonly headers: IncomingHttpHeaders;
  readonly maxUpload: number;
  readonly folder: string;
  /** Chunks of the body come here, then `whole` or `cut short`; each is answered when there is room for another. */
  readonly port: MessagePort;
}

export interface FormAnswer {
  readonly form: Form;
  readonly problem?: { readonly kind: FailureKind; readonly sentence: string };
}

/** Characters; the main thread takes a shorter text in its stride. */
const short = 500_000;

export default async function work({ headers, maxUpload, folder, port }: FormOrder): Promise<FormAnswer> {
  const request = requestFrom(port, headers);
  const share = { add() {} };
  const response = {} as unknown as Response;
  const limits = { maxUpload, uploadTimeout: undefined, folder, share };
  const { form, problem } = await receive(request, response, limits);
  const stored = await storeLongTexts(form, folder);
  if (problem === undefined) return { form: stored };
  const { kind, message: sentence } = toFailure(problem);
  return { form: stored, problem: { kind, sentence } };
}

/** As much of a request as reading its body takes. */
function requestFrom(port: MessagePort, headers: IncomingHttpHeaders): Request {
  const body = new PassThrough();
  const request = Object.assign(body, { headers, complete: false });
  request.on('error', () => {});
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

async function storeLongTexts(form: Form, folder: string): Promise<Form> {
  const isStored = ({ name, value }: Form['fields'][number]) => documents.has(name) && value.length > short;
  const stored = form.fields.filter(isStored).map(async ({ name, value }) => {
    const path = join(folder, randomUUID());
    const bytes = Buffer.from(value, 'utf8');
    await writeFile(path, bytes);
    return { name, upload: { path, name, size: bytes.length, characters: value.length } };
  });
  const fields = form.fields.filter((field) => !isStored(field));
  return { fields, files: [...form.files, ...(await Promise.all(stored))] };
}
