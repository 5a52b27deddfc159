/** GET /debug-log/<id>: the debug log as a page for a browser, as JSON for a program. The link is the secret. */
import type { RequestHandler } from 'express';
import { Failure } from '../failure/failure.ts';
import { debugLogPage } from '../log/debug-log-page.ts';
import type { ServiceParts } from './service-parts.ts';

/** @throws Failure notFound when the log is unknown or expired. */
export function debugLogRoute({ debugLogs }: Pick<ServiceParts, 'debugLogs'>): RequestHandler {
  return async (request, response) => {
    const events = await debugLogs.read(String(request.params.id));
    if (events === undefined)
      throw new Failure('notFound', 'There is no debug log at this address, or it has expired.');
    response.set(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    );
    response.set({ 'referrer-policy': 'no-referrer', vary: 'accept' });
    if (request.accepts(['html', 'json']) === 'json') response.json({ events });
    else response.type('html').send(debugLogPage(events));
  };
}
