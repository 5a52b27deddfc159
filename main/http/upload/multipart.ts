/** Reads a multipart body into a Form with multer: fields in memory, file parts on disk. */
import { randomUUID } from 'node:crypto';
import { basename, win32 } from 'node:path';
import type { PassThrough, Readable, Writable } from 'node:stream';
import type { Request, Response } from 'express';
import multer from 'multer';
import type { Form, ReceivedField } from '../../job/read-fields.ts';
import type { BodyShare } from './body-budget.ts';
import {
  bodyFormat,
  multipartFailure,
  formLimits,
  maxFields,
  tooManyFields,
  unknownCharset,
} from './form-limits.ts';
import type { JobFolder } from '../../job/job.ts';

/** The properties of a request that multer reads. multer sets `body` and `files`. */
export interface MultipartBody extends PassThrough {
  readonly headers: Request['headers'];
  readonly body?: unknown;
  readonly files?: Express.Multer.File[];
}

interface MultipartLimits {
  /** Maximum size of the whole request, in bytes. */
  readonly maxUpload: number;
  /** The folder for file parts. */
  readonly folder: JobFolder;
  /** Called with the bytes that are written to disk. */
  readonly share: Pick<BodyShare, 'release'>;
}

/**
 * Reads the body. Destroying the stream stops the parser and closes its files.
 * @throws Failure bodyFormat, uploadTooLarge, unavailable
 */
export async function receiveMultipart(body: MultipartBody, limits: MultipartLimits): Promise<Form> {
  if (!/;\s*boundary=("[^"]+"|[^\s;"]+)/i.test(body.headers['content-type'] ?? '')) {
    throw bodyFormat(
      'The content type multipart/form-data has no boundary. Let the HTTP library set the header.',
    );
  }
  const openFiles = new Set<Readable>();
  const options: MulterOptions = {
    storage: watchedFiles(storageIn(limits.folder), { openFiles, share: limits.share }),
    limits: formLimits(limits),
    defParamCharset: 'utf8',
    streamHandler(_request, parser) {
      feed(body, parser, openFiles);
    },
  };
  const upload = multer(options).any();
  await new Promise<void>((resolve, reject) => {
    upload(body as unknown as Request, {} as unknown as Response, (problem: unknown) => {
      if (problem === undefined || problem === null) resolve();
      else reject(multipartFailure(problem, limits));
    });
  });
  if (Object.values(body.body ?? {}).some(isUndecoded)) throw unknownCharset();
  const { files = [] } = body;
  const fields = receivedFields(body);
  if (fields.length > maxFields) throw tooManyFields();
  return {
    fields,
    files: files.map((file) => ({
      name: file.fieldname,
      upload: {
        path: file.path,
        size: file.size,
        name: lastComponent(file.originalname),
        ...(file.mimetype !== unknownContentType && { contentType: file.mimetype }),
      },
    })),
  };
}

/** The content type of a part whose type the client does not know, and the default of multer. */
const unknownContentType = 'application/octet-stream';

/** `streamHandler` (multer 2.5) is missing from the types of multer. */
interface MulterOptions extends multer.Options {
  readonly streamHandler: (request: Request, parser: Writable) => void;
}

/**
 * Writes the body to busboy. After the last byte, it fails the files that busboy has not ended: busboy 1.6.0 never ends the file
 * of a part whose headers contain the boundary and whose content begins with `--`, and the request would never be answered.
 */
function feed(body: PassThrough, parser: Writable, openFiles: ReadonlySet<Readable>): void {
  body.pipe(parser, { end: false });
  body.once('end', () => {
    if (parser.destroyed) return;
    // The callback is called when all earlier bytes have been parsed.
    parser.write(Buffer.alloc(0), () => {
      for (const file of openFiles) file.destroy(new Error('Unexpected end of form'));
      parser.end();
    });
  });
}

/**
 * Returns multer's storage engine for files. The folder is passed as a function: given a string, multer would create the folder,
 * even after the job has ended. Both callbacks are synchronous, so that no bytes of a file are missed before writing starts.
 */
function storageIn(folder: JobFolder): multer.StorageEngine {
  return multer.diskStorage({
    destination(_request, _file, done) {
      try {
        done(null, folder.path());
      } catch (problem) {
        done(problem as Error, '');
      }
    },
    filename(_request, _file, done) {
      done(null, randomUUID());
    },
  });
}

interface FileWatch {
  /** The files whose last byte busboy has not delivered yet. */
  readonly openFiles: Set<Readable>;
  readonly share: MultipartLimits['share'];
}

/**
 * Returns a storage engine that keeps `openFiles` up to date, and releases the bytes of each file from the body budget, because
 * they are not kept in memory.
 */
function watchedFiles(storage: multer.StorageEngine, { openFiles, share }: FileWatch): multer.StorageEngine {
  return {
    _handleFile(request, file, done) {
      storage._handleFile(request, file, done);
      const { stream } = file;
      openFiles.add(stream);
      const push = stream.push.bind(stream);
      stream.push = (chunk: Buffer | null) => {
        if (chunk === null) openFiles.delete(stream);
        return push(chunk);
      };
      stream.on('data', (chunk: Buffer) => {
        share.release(chunk.length);
      });
    },
    _removeFile(request, file, done) {
      storage._removeFile(request, file, done);
    },
  };
}

/**
 * Returns the fields that multer has read so far, at most one more than the limit: an index in each of 500 names would otherwise make
 * 50,000 fields.
 */
export function receivedFields({ body }: Pick<MultipartBody, 'body'>): ReceivedField[] {
  const fields: ReceivedField[] = [];
  for (const [name, value] of Object.entries(body ?? {})) {
    fields.push(...toFields(name, value));
    if (fields.length > maxFields) break;
  }
  return fields.slice(0, maxFields + 1);
}

/** Returns whether a field value could not be decoded, because its character set is unknown. */
function isUndecoded(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.some(isUndecoded));
}

/**
 * Returns the fields of one name. multer turns repeated names into lists, and names with brackets into objects. An index that was not
 * sent becomes an empty field, so that the later values keep their places.
 */
function toFields(name: string, value: unknown): readonly ReceivedField[] {
  if (value === undefined) return [];
  if (typeof value === 'string') return [{ name, value }];
  if (Array.isArray(value))
    return Array.from(value as unknown[], (element) => ({
      name,
      value: typeof element === 'string' ? element : '',
    }));
  return [{ name: `${name}[${Object.keys(value as object).join()}]`, value: '' }];
}

/** Returns the file name without folders. Clients may send full paths, including Windows paths. */
function lastComponent(name: string): string {
  return win32.basename(basename(name)).slice(0, 200);
}
