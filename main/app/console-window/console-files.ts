/** Serves the built console (HTML, scripts and styles) to the console window from one folder. */
import { readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import mime from 'mime-types';
import { pagePolicy } from '../../console/page-policy.ts';

const notBuiltPage =
  '<!doctype html><title>Platen</title><p>The user interface is not built. Run: npm start</p>';

/** Returns the response for a URL of the console: the file, index.html for `/`, or status 404. */
export async function consoleFile(folder: string, url: string): Promise<Response> {
  const path = relativePath(url);
  const bytes = path === undefined ? undefined : await readInside(folder, path);
  if (path === undefined || bytes === undefined)
    return new Response(path === 'index.html' ? notBuiltPage : '', {
      status: 404,
      headers: headersFor('text/html; charset=utf-8'),
    });
  return new Response(bytes, { headers: headersFor(mime.contentType(baseName(path))) });
}

/** Returns the URL's path relative to the folder, or undefined if the build never produces such a file name. */
function relativePath(url: string): string | undefined {
  let path;
  try {
    path = decodeURIComponent(new URL(url).pathname).slice(1);
  } catch {
    return undefined;
  }
  if (path === '') return 'index.html';
  // Names have no leading dot (parent folders, hidden files) and no colon (Windows drives, alternate data streams).
  return /^[\w-][\w.@+-]*(\/[\w-][\w.@+-]*)*$/.test(path) ? path : undefined;
}

async function readInside(folder: string, path: string): Promise<Buffer<ArrayBuffer> | undefined> {
  try {
    const [realFolder, file] = await Promise.all([realpath(folder), realpath(join(folder, path))]);
    return file.startsWith(realFolder + sep) ? await readFile(file) : undefined;
  } catch {
    return undefined;
  }
}

function baseName(path: string): string {
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
