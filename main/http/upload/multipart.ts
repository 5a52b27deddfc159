/** Reads a multipart body into a Form with multer: fields in memory, file parts on disk. */
import { randomUUID } from 'node:crypto';
import { basename, win32 } from 'node:path';
import type { PassThrough } from 'node:stream';
import type { Request, Response } from 'express';
import multer from 'multer';
import type { Form } from '../../job/read-fields.ts';
import type { BodyShare } from './body-budget.ts';
import { bodyFormat, multipartFailure, formLimits, unknownCharset } from './form-limits.ts';

/** The part of a request that multer needs. multer sets `body` and `files`. */
export interface MultipartBody extends PassThrough {
  readonly headers: Request['headers'];
  readonly body?: unknown;
  readonly files?: Express.Multer.File[];
}

interface MultipartLimits {
  /** Bytes of the request as a whole. */
  readonly maxUpload: number;
  /** The folder for file parts. */
  readonly folder: string;
  /** Notified of bytes that are written to disk. */
  readonly share: Pick<BodyShare, 'release'>;
}

/** Destroying the body stops the parser and closes its files. @throws Failure bodyFormat, uploadTooLarge, unavailable */
export async function receiveMultipart(body: MultipartBody, limits: MultipartLimits): Promise<Form> {
  if (!/;\s*boundary=("[^"]+"|[^\s;"]+)/i.test(body.headers['content-type'] ?? '')) {
    throw bodyFormat(
      'The content type multipart/form-data has no boundary. Let the HTTP library set the header.',
    );
  }
  const upload = multer({
    storage: releasingFiles(storageIn(limits.folder), limits.share),
    limits: formLimits(limits),
    defParamCharset: 'utf8',
  }).any();
  await new Promise<void>((resolve, reject) => {
    upload(body as unknown as Request, {} as unknown as Response, (problem: unknown) => {
      if (problem === undefined || problem === null) resolve();
      else reject(multipartFailure(problem, limits));
    });
  });
  if (Object.values(body.body ?? {}).some(isUndecoded)) throw unknownCharset();
  const { files = [] } = body;
  return {
    fields: receivedFields(body),
    files: files.map((file) => ({
      name: file.fieldname,
      upload: { path: file.path, size: file.size, name: lastComponent(file.originalname) },
    })),
  };
}

/**
 * Passes the folder as a function: given a string, multer would create the folder, even after the job has ended. Both callbacks are
 * synchronous, so that no bytes of a file are missed before writing starts.
 */
function storageIn(folder: string): multer.StorageEngine {
  return multer.diskStorage({
    destination(_request, _file, done) {
      done(null, folder);
    },
    filename(_request, _file, done) {
      done(null, randomUUID());
    },
  });
}

/** Releases the bytes of a file from the body budget, because they are not in memory. */
function releasingFiles(
  storage: multer.StorageEngine,
  share: MultipartLimits['share'],
): multer.StorageEngine {
  return {
    _handleFile(request, file, done) {
      storage._handleFile(request, file, done);
      file.stream.on('data', (chunk: Buffer) => {
        share.release(chunk.length);
      });
    },
    _removeFile(request, file, done) {
      storage._removeFile(request, file, done);
    },
  };
}

/** Returns the fields that multer has read so far. */
export function receivedFields({ body }: Pick<MultipartBody, 'body'>): Form['fields'][number][] {
  return Object.entries(body ?? {}).flatMap(([name, value]) => toFields(name, value));
}

/** Whether the value is in an unknown character set. */
function isUndecoded(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.some(isUndecoded));
}

/** multer turns repeated names into lists and names with brackets into objects. */
function toFields(name: string, value: unknown): Form['fields'] {
  if (value === undefined) return [];
  if (typeof value === 'string') return [{ name, value }];
  if (Array.isArray(value)) return value.flatMap((element) => toFields(name, element));
  return [{ name: `${name}[${Object.keys(value as object).join()}]`, value: '' }];
}

/** Clients may send full paths, including Windows paths. */
function lastComponent(name: string): string {
  return win32.basename(basename(name)).slice(0, 200);
}
