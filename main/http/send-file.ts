/** A file on the disk as an answer, for GET and HEAD. */
import { extname } from 'node:path';
import type { Response } from 'express';
import { contentType } from 'mime-types';
import { Failure } from '../failure/failure.ts';

interface Sending {
  /** The file is below this folder, and its name comes from outside; absent: the path is ours, and absolute. */
  readonly root?: string;
  /** For the caller, when there is no such file. */
  readonly missing: string;
  /** Media type; absent: by the extension. */
  readonly type?: string;
  /** Content-Disposition. */
  readonly disposition?: string;
  /** Cache-Control, where somebody may keep it. */
  readonly cached?: string;
}

/** @throws Failure notFound for what is no file below the root */
export async function sendFile(response: Response, path: string, sending: Sending): Promise<void> {
  const { root, missing, cached } = sending;
  const headers = headersOf(path, sending);
  response.set(headers);
  const options = {
    ...(root !== undefined && { root }),
    // Ours may lie in a hidden folder (.build, ~/.local); below a root, nothing hidden is anybody's.
    dotfiles: root === undefined ? ('allow' as const) : ('ignore' as const),
    ...{ cacheControl: false, acceptRanges: false, etag: cached !== undefined, lastModified: false },
  };
  await new Promise<void>((resolve, reject) => {
    response.sendFile(path, options, (problem?: NodeJS.ErrnoException) => {
      // Who has hung up, or has all of it.
      if (problem === undefined || response.headersSent || problem.code === 'ECONNABORTED') {
        resolve();
        return;
      }
      for (const name of Object.keys(headers)) response.removeHeader(name);
      response.set('cache-control', 'no-store');
      reject(new Failure('notFound', missing, { cause: problem }));
    });
  });
}

function headersOf(path: string, { type, disposition, cached }: Sending): Record<string, string> {
  // contentType gives false for an extension nobody knows.
  const told = type ?? (contentType(extname(path)) || 'application/octet-stream');
  return {
    'content-type': told,
    ...(disposition !== undefined && { 'content-disposition': disposition }),
    ...(cached !== undefined && { 'cache-control': cached }),
  };
}
