/** The window's own files, those of one folder, as answers to requests for them. */
import { readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import mime from 'mime-types';
import { pagePolicy } from '../console/page-policy.ts';

const notBuilt =
  '<!doctype html><title>Platen</title><p>The user interface has not been built. Type: npm start</p>';

/** The answer to a request for `url`: the file, `/` being index.html, or 404. */
export async function consoleFile(folder: string, url: string): Promise<Response> {
  const path = pathIn(url);
  const bytes = path === undefined ? undefined : await bytesOf(folder, path);
  if (path === undefined || bytes === undefined)
    return new Response(path === 'index.html' ? notBuilt : '', {
      status: 404,
      headers: headersFor('text/html; charset=utf-8'),
    });
  return new Response(bytes, { headers: headersFor(mime.contentType(typeNameOf(path))) });
}

/** Relative, with slashes; undefined for what names nothing a build makes. */
function pathIn(url: string): string | undefined {
  let path;
  try {
    path = decodeURIComponent(new URL(url).pathname).slice(1);
  } catch {
    return undefined;
  }
  if (path === '') return 'index.html';
  // No dot at the beginning of a name: no way up, and nothing hidden. No drive, no stream (Windows).
  return /^[\w-][\w.@+-]*(\/[\w-][\w.@+-]*)*$/.test(path) ? path : undefined;
}

async function bytesOf(folder: string, path: string): Promise<Buffer<ArrayBuffer> | undefined> {
  try {
    const [top, file] = await Promise.all([realpath(folder), realpath(join(folder, path))]);
    return file.startsWith(top + sep) ? await readFile(file) : undefined;
  } catch {
    return undefined;
  }
}

function typeNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function headersFor(contentType: string | false): Record<string, string> {
  return {
    'content-type': contentType === false ? 'application/octet-stream' : contentType,
    'content-security-policy': pagePolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  };
}
