/** The console's own files, as they were built: its page, and what that loads. */
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { pagePolicy } from '../console/page-policy.ts';
import { setPagePolicy } from './page-headers.ts';
import { sendFile } from './send-file.ts';

/** The page. @throws Failure notFound when there is none in the folder */
export function consolePage(folder: string): RequestHandler {
  return async (_request, response) => {
    setPagePolicy(response, pagePolicy);
    const missing = 'The console is not part of this installation; the API is described at /docs.';
    await sendFile(response, join(folder, 'index.html'), { missing });
  };
}

/** A build's names of files change with what is in them. */
const isHashed = /-[\w-]{8}\.\w+$/;

/** Workers take their policy from their own file's answer (CSP 3, 4.2.4). @throws Failure notFound */
export function consoleAsset(folder: string): RequestHandler {
  return async (request, response) => {
    const segments: unknown = request.params.path;
    const name = Array.isArray(segments) ? segments.join('/') : '';
    setPagePolicy(response, pagePolicy);
    await sendFile(response, name, {
      root: join(folder, 'console', 'assets'),
      missing: 'There is no such file of the console; reload its page.',
      // For whoever has shown a key, so not for a cache on the way (RFC 9111, 3.5).
      cached: isHashed.test(name) ? 'private, max-age=31536000, immutable' : 'private, no-cache',
    });
  };
}
