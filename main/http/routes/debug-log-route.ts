/**
 * GET /debug-log/<id>: the debug log of a job, as HTML for browsers and JSON for programs. The suffix .html, .json or .har selects
 * a format; .recipe.json is the recipe of the document. Needs no credentials: the link is the secret.
 */
import type { RequestHandler } from 'express';
import { Failure } from '../../failure/failure.ts';
import { logPagePolicy } from '../../log/log-page.ts';
import type { LogFormat } from '../../log/render-log.ts';
import { debugLogLink } from '../security/base-url.ts';
import { setPagePolicy } from '../response/respond.ts';
import type { ServiceDependencies } from './service-dependencies.ts';

/** Returns the handler. @throws Failure notFound if the log is unknown or expired */
export function debugLogRoute({
  debugLogs,
  closingLogs,
  settings,
}: Pick<ServiceDependencies, 'closingLogs' | 'debugLogs' | 'settings'>): RequestHandler {
  return async (request, response) => {
    const { id, format: requested } = readName(String(request.params.id));
    await closingLogs.closed(id);
    const format = requested ?? (request.accepts(['html', 'json']) === 'json' ? 'json' : 'html');
    const log = await debugLogs.render(id, { format, link: debugLogLink(request, settings, id) });
    if (log === undefined)
      throw new Failure('notFound', 'There is no debug log at this address, or it has expired.');
    if (log.body === undefined)
      throw new Failure('notFound', 'This job delivered no document, so there is no recipe.');
    setPagePolicy(response, logPagePolicy());
    response.vary('accept').set('x-robots-tag', 'noindex');
    if (requested !== undefined && requested !== 'html')
      response.set('content-disposition', attachment(log.job, requested));
    response
      .type(format === 'html' ? 'html' : 'json')
      .send(Buffer.from(log.body.buffer, log.body.byteOffset, log.body.byteLength));
  };
}

/** Splits the last component of the path, `<id>` or for example `<id>.har`, into id and format. */
function readName(name: string): { id: string; format: LogFormat | undefined } {
  const [, id, format] = /^([^.]*)\.(html|json|har|recipe\.json)$/.exec(name) ?? [];
  return { id: id ?? name, format: format as LogFormat | undefined };
}

/** Returns the Content-Disposition. Job ids need no encoding (RFC 6266, 4.1); all other characters are removed. */
function attachment(job: string, format: LogFormat): string {
  return `attachment; filename="platen-${job.replace(/[^\w-]/g, '')}.${format}"`;
}
