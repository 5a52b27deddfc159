/** Reads a request's body into a Form, with limits on size and time: fields in memory, file parts in the job's folder. */
import { PassThrough } from 'node:stream';
import busboy from 'busboy';
import type { Request, Response } from 'express';
import type { ReceivedForm } from '../../conversion/admission.ts';
import { toFailure, Failure } from '../../failure/failure.ts';
import { dropExcessiveValues, type Form, type ReceivedField } from '../../job/read-fields.ts';
import type { BodyShare } from './body-budget.ts';
import {
  bodyFormat,
  checkField,
  formLimits,
  tooLarge,
  tooManyFields,
  unknownCharset,
} from './form-limits.ts';
import { receivedFields, receiveMultipart, type MultipartBody } from './multipart.ts';
import { closeAfterResponse } from '../response/respond.ts';
import { stalledEvent } from '../server/stalls.ts';
import type { JobFolder } from '../../job/job.ts';

export interface ReceiveLimits {
  /** Maximum size of the whole request, in bytes. */
  readonly maxUpload: number;
  /** Time for the body to arrive, in milliseconds; undefined if the caller of `receive` limits the time. */
  readonly uploadTimeout: number | undefined;
  /** The folder for file parts. */
  readonly folder: JobFolder;
  /** Counts received bytes and bytes written to disk. If `add` throws, reading ends with that error. */
  readonly share: Pick<BodyShare, 'add' | 'release'>;
}

/**
 * Reads the body into a form. Never rejects: the form is returned with the failure, so that a job whose upload exceeds a limit can
 * still write the debug log that the form requests.
 */
export async function receive(
  request: Request,
  response: Response,
  limits: ReceiveLimits,
): Promise<ReceivedForm> {
  const fields: ReceivedField[] = [];
  // The separate stream can be destroyed with the files it writes, while the request stays open for the response.
  const body: MultipartBody = Object.assign(new PassThrough(), { headers: request.headers });
  try {
    return dropExcessiveValues(await readForm(request, response, { ...limits, fields, body }));
  } catch (problem) {
    request.unpipe(body);
    body.destroy();
    const { form } = dropExcessiveValues({ fields: [...fields, ...receivedFields(body)], files: [] });
    return { form, problem: problem as Error };
  }
}

interface ReceiveFormOptions extends ReceiveLimits {
  /** Collects the fields of a urlencoded body as they arrive. */
  readonly fields: ReceivedField[];
  /** The stream into which a multipart body is piped. */
  readonly body: MultipartBody;
}

async function readForm(request: Request, response: Response, limits: ReceiveFormOptions): Promise<Form> {
  checkHeaders(request, limits);
  const read = readerFor(typeOf(request));
  sendContinue(request, response);
  const { uploadTimeout: totalMs } = limits;
  using timeout = totalMs === undefined ? undefined : watchUpload(request, totalMs);
  using size = watchSize(request, limits);
  const failed = Promise.race([
    size.exceeded,
    connectionLost(request),
    ...(timeout ? [timeout.expired] : []),
  ]);
  failed.catch(() => {});
  return await Promise.race([read(request, limits), failed]);
}

/** Checks the headers before the body is read. @throws Failure uploadTooLarge, bodyFormat */
export function checkHeaders(request: Request, limits: Pick<ReceiveLimits, 'maxUpload'>): void {
  if (Number(request.headers['content-length'] ?? 0) > limits.maxUpload) throw tooLarge(limits);
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw bodyFormat(
      `The content encoding '${encoding.slice(0, 40)}' is not supported. Send the form without content encoding.`,
    );
  readerFor(typeOf(request));
}

function typeOf({ headers }: Request): string {
  return (headers['content-type'] ?? '').toLowerCase();
}

type FormReader = (request: Request, limits: ReceiveFormOptions) => Promise<Form>;

function readerFor(type: string): FormReader {
  const essence = (type.split(';', 1)[0] ?? '').trim();
  if (essence === 'multipart/form-data')
    return (request, limits) => receiveMultipart(request.pipe(limits.body), limits);
  if (essence === 'application/x-www-form-urlencoded')
    return async (request, limits) => ({
      fields: await receiveUrlencoded(request, limits),
      files: [],
    });
  const shown = type === '' ? 'missing' : `'${type.slice(0, 80)}'`;
  throw bodyFormat(
    `The content type is ${shown}; send multipart/form-data or application/x-www-form-urlencoded.`,
  );
}

interface SizeWatch extends Disposable {
  /** Rejects if this body exceeds max-upload, or all bodies together exceed their budget. */
  readonly exceeded: Promise<never>;
}

function watchSize(request: Request, limits: ReceiveLimits): SizeWatch {
  let rejectExceeded: (problem: Failure) => void = () => undefined;
  const exceeded = new Promise<never>((_, reject) => (rejectExceeded = reject));
  exceeded.catch(() => {});
  let receivedBytes = 0;
  const onData = (chunk: Buffer) => {
    receivedBytes += chunk.length;
    try {
      limits.share.add(chunk.length);
      if (receivedBytes > limits.maxUpload) throw tooLarge(limits);
    } catch (problem) {
      request.unpipe();
      rejectExceeded(toFailure(problem));
    }
  };
  request.on('data', onData);
  // Adding the listener started the flow, but the parser is not attached yet.
  request.pause();
  return {
    exceeded,
    [Symbol.dispose]() {
      request.off('data', onData);
    },
  };
}

/** Returns a promise that rejects when the client disconnects or sends invalid HTTP. Without it, the parsers would wait forever. */
function connectionLost(request: Request): Promise<never> {
  return new Promise<never>((_, reject) => {
    const onClose = () => {
      // `complete` is not used here: a complete body is lost too if the connection closes before the body is read.
      if (!request.readableEnded)
        reject(
          bodyFormat(
            'The body is incomplete: the connection was closed before its end. Send the request again.',
          ),
        );
    };
    // The request may already be closed.
    if (request.closed) onClose();
    else request.once('close', onClose);
  });
}

/** The start of a multipart body (RFC 2046, 5.1.1): a boundary and the first header of a part. */
const multipartStart = /^--[^\r\n]{1,70}\r?\n[\w-]+:/;

const multipartAsUrlencoded =
  'The content type is application/x-www-form-urlencoded, but the body is multipart/form-data. Let the HTTP library set the header.';

/** Streams the body, so that 100 MB in the field `text` do not block other requests. */
async function receiveUrlencoded(
  request: Request,
  { fields, ...limits }: ReceiveFormOptions,
): Promise<Form['fields']> {
  const parser = openParser(request, limits);
  await new Promise<void>((resolve, reject) => {
    // `pipeline` would destroy the request, and with it the connection for the response.
    const refuse = (problem: Failure) => {
      request.unpipe(parser);
      reject(problem);
    };
    parser.on('field', (name: string | undefined, value: string | undefined, info) => {
      if (name === undefined || value === undefined) {
        refuse(unknownCharset());
        return;
      }
      if (fields.length === 0 && multipartStart.test(name)) {
        refuse(bodyFormat(multipartAsUrlencoded));
        return;
      }
      const { nameTruncated, valueTruncated } = info;
      const problem = checkField({ ...limits, nameTruncated, valueTruncated });
      if (problem === undefined) fields.push({ name, value });
      else refuse(problem);
    });
    parser.once('fieldsLimit', () => {
      refuse(tooManyFields());
    });
    parser.once('error', (cause) => {
      refuse(bodyFormat('The body is not valid application/x-www-form-urlencoded.', cause));
    });
    parser.once('close', resolve);
    request.pipe(parser);
  });
  return fields;
}

/** @throws Failure bodyFormat for a content type with malformed parameters */
function openParser({ headers }: Request, limits: ReceiveLimits) {
  try {
    return busboy({ headers, limits: formLimits(limits) });
  } catch (cause) {
    throw bodyFormat('The content type is malformed. Let the HTTP library set the header.', cause);
  }
}

// Discards the rest of a request's body.

const maxDrainBytes = 1_000_000_000;
const drainTimeoutMs = 30_000;

/**
 * Reads and discards the rest of the body. Resolves at its end, after 1 GB or 30 s, or when it stalls. In the other cases than its end, the connection is not kept
 * alive, and it is closed immediately if the response has already been sent.
 */
export async function drain(request: Request): Promise<void> {
  if (request.complete || request.destroyed) return;
  await new Promise<void>((resolve) => {
    let receivedBytes = 0;
    const onData = (chunk: Buffer) => {
      receivedBytes += chunk.length;
      if (receivedBytes > maxDrainBytes) giveUp();
    };
    const done = () => {
      clearTimeout(timer);
      request.off('data', onData).off(stalledEvent, giveUp);
      request.off('end', done).off('close', done).off('error', done);
      resolve();
    };
    const giveUp = () => {
      done();
      if (request.res?.headersSent !== false) {
        request.destroy();
        return;
      }
      closeAfterResponse(request.res);
      request.pause();
    };
    const timer = setTimeout(giveUp, drainTimeoutMs);
    request.on('data', onData).once(stalledEvent, giveUp);
    request.once('end', done).once('close', done).once('error', done).resume();
  });
}

// `Expect: 100-continue` (RFC 9110, 10.1.1).

/** Sends 100 Continue if the caller waits for it before sending the body. */
export function sendContinue(request: Request, response: Response): void {
  if (!expectsContinue(request)) return;
  // Without the header, later calls do not send 100 Continue again.
  delete request.headers.expect;
  response.writeContinue();
}

/** Returns whether the caller still waits for 100 Continue, so that no body will arrive. */
export function awaitsContinue(request: Request): boolean {
  return expectsContinue(request) && !request.complete;
}

function expectsContinue({ headers, httpVersion }: Request): boolean {
  return headers.expect?.toLowerCase() === '100-continue' && httpVersion !== '1.0';
}

interface UploadTimeout extends Disposable {
  /** Rejects with Failure requestTimeout if the request takes too long to arrive, or stalls. */
  readonly expired: Promise<never>;
}

/** Starts the timeout of an upload, in milliseconds. Dispose the result when the body has been read. */
export function watchUpload(request: Request, timeoutMs: number): UploadTimeout {
  let reject: (failure: Failure) => void = () => {};
  const expired = new Promise<never>((_, rejectExpired) => (reject = rejectExpired));
  expired.catch(() => {});
  const timer = setTimeout(() => {
    const message = `The request took longer than ${timeoutMs / 1000} seconds to arrive.`;
    reject(new Failure('requestTimeout', message));
  }, timeoutMs);
  const dispose = () => {
    clearTimeout(timer);
    request.off(stalledEvent, reject).off('end', dispose);
  };
  request.once(stalledEvent, reject).once('end', dispose);
  return { expired, [Symbol.dispose]: dispose };
}
