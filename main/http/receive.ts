/** A request's body -> a Form: fields in memory, file parts on disk in the job's folder. */
import { basename, win32 } from 'node:path';
import busboy from 'busboy';
import type { Request, Response } from 'express';
import multer from 'multer';
import { Failure } from '../failure/failure.ts';
import type { Form } from '../job/read-fields.ts';

export interface ReceiveLimits {
  /** Bytes of the request as a whole. */
  readonly maxUpload: number;
  /** Where file parts are stored. */
  readonly folder: string;
}

const mostFields = 500;
const mostFiles = 20;

/** @throws Failure bodyFormat, uploadTooLarge */
export async function receive(request: Request, response: Response, limits: ReceiveLimits): Promise<Form> {
  const type = (request.headers['content-type'] ?? '').toLowerCase();
  if (Number(request.headers['content-length'] ?? 0) > limits.maxUpload) throw tooLarge(limits);
  const overflow = outgrown(request, limits);
  if (type.startsWith('multipart/form-data'))
    return Promise.race([receiveMultipart(request, response, limits), overflow]);
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return { fields: await Promise.race([receiveUrlencoded(request, limits), overflow]), files: [] };
  }
  const shown = type === '' ? 'missing' : `'${type.slice(0, 80)}'`;
  throw bodyFormat(
    `The content type is ${shown}; send multipart/form-data or application/x-www-form-urlencoded.`,
  );
}

/** Rejects when a body without a declared length has grown too large. */
function outgrown(request: Request, limits: ReceiveLimits): Promise<never> {
  const overflow = new Promise<never>((_, reject) => {
    let seen = 0;
    request.on('data', (chunk: Buffer) => {
      seen += chunk.length;
      if (seen <= limits.maxUpload) return;
      request.unpipe();
      reject(tooLarge(limits));
    });
  });
  overflow.catch(() => {});
  // The listener above has set the body flowing before anybody reads it.
  request.pause();
  return overflow;
}

async function receiveMultipart(request: Request, response: Response, limits: ReceiveLimits): Promise<Form> {
  const upload = multer({
    storage: multer.diskStorage({ destination: limits.folder }),
    limits: {
      fieldSize: limits.maxUpload,
      fileSize: limits.maxUpload,
      fields: mostFields,
      files: mostFiles,
      fieldNameSize: 200,
    },
    defParamCharset: 'utf8',
  }).any();
  await new Promise<void>((resolve, reject) => {
    upload(request, response, (problem: unknown) => {
      if (problem === undefined || problem === null) resolve();
      else reject(explainMultipart(problem, limits));
    });
  });
  const files = (request.files ?? []) as Express.Multer.File[];
  return {
    fields: Object.entries((request.body ?? {}) as object).flatMap(([name, value]) => asFields(name, value)),
    files: files.map((file) => ({
      name: file.fieldname,
      upload: { path: file.path, size: file.size, name: lastComponent(file.originalname) },
    })),
  };
}

/** multer makes lists of repeated names and objects of names with brackets. */
function asFields(name: string, value: unknown): Form['fields'] {
  if (typeof value === 'string') return [{ name, value }];
  if (Array.isArray(value)) return value.flatMap((element) => asFields(name, element));
  return [{ name: `${name}[${Object.keys(value as object).join()}]`, value: '' }];
}

/** Streamed, so that a hundred megabytes of `text` do not hold up other requests. */
async function receiveUrlencoded(request: Request, limits: ReceiveLimits): Promise<Form['fields']> {
  const fields: { name: string; value: string }[] = [];
  await new Promise<void>((resolve, reject) => {
    const parser = busboy({
      headers: request.headers,
      limits: { fieldSize: limits.maxUpload, fields: mostFields, fieldNameSize: 200 },
    });
    parser.on('field', (name, value) => fields.push({ name, value }));
    parser.on('fieldsLimit', () => {
      reject(bodyFormat(`The form has more than ${mostFields} fields.`));
    });
    parser.on('error', (cause) => {
      reject(bodyFormat('The body cannot be read as application/x-www-form-urlencoded.', cause));
    });
    parser.on('close', resolve);
    request.pipe(parser);
  });
  return fields;
}

function explainMultipart(cause: unknown, limits: ReceiveLimits): Failure {
  const code = cause instanceof multer.MulterError ? cause.code : '';
  if (code === 'LIMIT_FILE_SIZE' || code === 'LIMIT_FIELD_VALUE') return tooLarge(limits);
  if (code.startsWith('LIMIT_'))
    return bodyFormat(
      `The form has too many or too long parts: at most ${mostFields} fields and ${mostFiles} files.`,
      cause,
    );
  return bodyFormat(
    'The body cannot be read as multipart/form-data: its boundary is missing or it is cut short.',
    cause,
  );
}

/** Clients send full paths, Windows ones too. */
function lastComponent(name: string): string {
  return win32.basename(basename(name)).slice(0, 200);
}

function tooLarge({ maxUpload }: ReceiveLimits): Failure {
  return new Failure('uploadTooLarge', `The request is larger than ${maxUpload / 1e6} MB, the upload limit.`);
}

function bodyFormat(sentence: string, cause?: unknown): Failure {
  return new Failure('bodyFormat', sentence, { cause });
}
