/** A multipart body -> a Form: multer reads it, fields in memory and file parts on disk. */
import { randomUUID } from 'node:crypto';
import { basename, win32 } from 'node:path';
import type { PassThrough } from 'node:stream';
import type { Request, Response } from 'express';
import multer from 'multer';
import type { Form } from '../job/read-fields.ts';
import type { BodyShare } from './body-budget.ts';
import { bodyFormat, explainMultipart, formLimits, unknownCharset } from './form-limits.ts';

/** As much of a request as multer takes; it notes what it has read. */
export interface MultipartBody extends PassThrough {
  readonly headers: Request['headers'];
  readonly body?: unknown;
  readonly files?: Express.Multer.File[];
}

interface MultipartLimits {
  /** Bytes of the request as a whole. */
  readonly maxUpload: number;
  /** Where file parts are stored. */
  readonly folder: string;
  /** Told of what goes to the disk. */
  readonly share: Pick<BodyShare, 'release'>;
}

/** Destroying the body ends the reading and closes its files. @throws Failure bodyFormat, uploadTooLarge, unavailable */
export async function receiveMultipart(body: MultipartBody, limits: MultipartLimits): Promise<Form> {
  if (!/;\s*boundary=("[^"]+"|[^\s;"]+)/i.test(body.headers['content-type'] ?? '')) {
    throw bodyFormat(
      'The content type multipart/form-data names no boundary; let the HTTP library write the header.',
    );
  }
  const upload = multer({
    storage: tellingOfFiles(storageIn(limits.folder), limits.share),
    limits: formLimits(limits),
    defParamCharset: 'utf8',
  }).any();
  await new Promise<void>((resolve, reject) => {
    upload(body as unknown as Request, {} as unknown as Response, (problem: unknown) => {
      if (problem === undefined || problem === null) resolve();
      else reject(explainMultipart(problem, limits));
    });
  });
  if (Object.values(body.body ?? {}).some(isUnread)) throw unknownCharset();
  const { files = [] } = body;
  return {
    fields: fieldsIn(body),
    files: files.map((file) => ({
      name: file.fieldname,
      upload: { path: file.path, size: file.size, name: lastComponent(file.originalname) },
    })),
  };
}

/**
 * Given as a text, multer would make the folder, even anew when its job is over. All is known at once, so that nothing of a file
 * goes by before it is written.
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

/** What a file takes is not in memory. */
function tellingOfFiles(
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

/** Those multer has read so far. */
export function fieldsIn({ body }: Pick<MultipartBody, 'body'>): Form['fields'][number][] {
  return Object.entries(body ?? {}).flatMap(([name, value]) => asFields(name, value));
}

/** In a character set that nobody knows. */
function isUnread(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.some(isUnread));
}

/** multer makes lists of repeated names and objects of names with brackets. */
function asFields(name: string, value: unknown): Form['fields'] {
  if (value === undefined) return [];
  if (typeof value === 'string') return [{ name, value }];
  if (Array.isArray(value)) return value.flatMap((element) => asFields(name, element));
  return [{ name: `${name}[${Object.keys(value as object).join()}]`, value: '' }];
}

/** Clients send full paths, Windows ones too. */
function lastComponent(name: string): string {
  return win32.basename(basename(name)).slice(0, 200);
}
