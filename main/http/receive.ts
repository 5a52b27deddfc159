/** A request's body -> a Form: fields in memory, file parts on disk in the job's folder. */
import { PassThrough } from 'node:stream';
import busboy from 'busboy';
import type { Request, Response } from 'express';
import type { Received } from '../conversion/received.ts';
import { toFailure, type Failure } from '../failure/failure.ts';
import { withoutLongValues } from '../job/field-lengths.ts';
import type { Form } from '../job/read-fields.ts';
import type { BodyShare } from './body-budget.ts';
import {
  bodyFormat,
  checkField,
  formLimits,
  tooLarge,
  tooManyFields,
  unknownCharset,
} from './form-limits.ts';
import { inviteBody } from './invitation.ts';
import { fieldsIn, receiveMultipart, type MultipartBody } from './multipart.ts';
import { watchUpload } from './upload-patience.ts';

export interface ReceiveLimits {
  /** Bytes of the request as a whole. */
  readonly maxUpload: number;
  /** Milliseconds for it to arrive; undefined: somebody else watches that. */
  readonly uploadTimeout: number | undefined;
  /** Where file parts are stored. */
  readonly folder: string;
  /** Told of the bytes that come, and of those that go to the disk; what it throws ends the receiving. */
  readonly share: Pick<BodyShare, 'add' | 'release'>;
}

/** Never rejects, so that a job whose upload broke a limit can have the log it asked for before. */
export async function receive(
  request: Request,
  response: Response,
  limits: ReceiveLimits,
): Promise<Received> {
  const fields: Field[] = [];
  // Of its own, so that the reading can be ended, with the files it writes, while the request stays for the answer.
  const body: MultipartBody = Object.assign(new PassThrough(), { headers: request.headers });
  try {
    return withoutLongValues(await readForm(request, response, { ...limits, fields, body }));
  } catch (problem) {
    request.unpipe(body);
    body.destroy();
    const { form } = withoutLongValues({ fields: [...fields, ...fieldsIn(body)], files: [] });
    return { form, problem: problem as Error };
  }
}

type Field = Form['fields'][number];

interface Reading extends ReceiveLimits {
  /** Those of a urlencoded body, as they come. */
  readonly fields: Field[];
  /** For the request's bytes, if it is a multipart one. */
  readonly body: MultipartBody;
}

async function readForm(request: Request, response: Response, limits: Reading): Promise<Form> {
  checkHead(request, limits);
  const read = readerFor(typeOf(request));
  inviteBody(request, response);
  const { uploadTimeout: whole } = limits;
  using patience = whole === undefined ? undefined : watchUpload(request, { whole });
  using growth = watchGrowth(request, limits);
  const broken = Promise.race([growth.outgrown, cutShort(request), ...(patience ? [patience.worn] : [])]);
  broken.catch(() => {});
  return await Promise.race([read(request, limits), broken]);
}

/** What its headers say already. @throws Failure uploadTooLarge, bodyFormat */
export function checkHead(request: Request, limits: Pick<ReceiveLimits, 'maxUpload'>): void {
  if (Number(request.headers['content-length'] ?? 0) > limits.maxUpload) throw tooLarge(limits);
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw bodyFormat(`The content encoding '${encoding.slice(0, 40)}' is not read; send the form as it is.`);
  readerFor(typeOf(request));
}

function typeOf({ headers }: Request): string {
  return (headers['content-type'] ?? '').toLowerCase();
}

type Reader = (request: Request, limits: Reading) => Promise<Form>;

function readerFor(type: string): Reader {
  const essence = type.replace(/\s*;.*$/s, '').trim();
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

interface Growth extends Disposable {
  /** Rejects when a body without a declared length has grown too large, or all bodies together have. */
  readonly outgrown: Promise<never>;
}

function watchGrowth(request: Request, limits: ReceiveLimits): Growth {
  let refuse: (problem: Failure) => void = () => undefined;
  const outgrown = new Promise<never>((_, reject) => (refuse = reject));
  outgrown.catch(() => {});
  let seen = 0;
  const onData = (chunk: Buffer) => {
    seen += chunk.length;
    try {
      limits.share.add(chunk.length);
      if (seen > limits.maxUpload) throw tooLarge(limits);
    } catch (problem) {
      request.unpipe();
      refuse(toFailure(problem));
    }
  };
  request.on('data', onData);
  // The listener has set the body flowing before anybody reads it.
  request.pause();
  return {
    outgrown,
    [Symbol.dispose]() {
      request.off('data', onData);
    },
  };
}

/** Rejects when the client breaks off, or sends what HTTP cannot read: the parsers would wait for ever. */
function cutShort(request: Request): Promise<never> {
  return new Promise<never>((_, reject) => {
    const onClose = () => {
      // Not "complete": a body that came whole is lost too when the connection ends before it was read.
      if (!request.readableEnded) reject(bodyFormat('The body was cut short.'));
    };
    // Before anybody listened, it may have been so already.
    if (request.closed) onClose();
    else request.once('close', onClose);
  });
}

/** Streamed, so that a hundred megabytes of `text` do not hold up other requests. */
async function receiveUrlencoded(request: Request, { fields, ...limits }: Reading): Promise<Form['fields']> {
  const parser = openParser(request, limits);
  await new Promise<void>((resolve, reject) => {
    // Not by a pipeline, which would destroy the request, and with it the connection that the answer needs.
    const refuse = (problem: Failure) => {
      request.unpipe(parser);
      reject(problem);
    };
    parser.on('field', (name: string | undefined, value: string | undefined, info) => {
      if (name === undefined || value === undefined) {
        refuse(unknownCharset());
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
      refuse(bodyFormat('The body cannot be read as application/x-www-form-urlencoded.', cause));
    });
    parser.once('close', resolve);
    request.pipe(parser);
  });
  return fields;
}

/** @throws Failure bodyFormat for a content type with parameters that cannot be read */
function openParser({ headers }: Request, limits: ReceiveLimits) {
  try {
    return busboy({ headers, limits: formLimits(limits) });
  } catch (cause) {
    throw bodyFormat('The content type cannot be read; let the HTTP library write the header.', cause);
  }
}
