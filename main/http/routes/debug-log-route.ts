/**
 * GET /debug-log/<id>: the debug log of a job, as HTML for browsers and JSON for programs. The suffix .html, .json or .har selects
 * a format; .recipe.json is the recipe of the document. Needs no credentials: the link is the secret.
 */
import type { Request, RequestHandler, Response } from 'express';
import { ConcurrencyLimiter } from '../../async/concurrency-limiter.ts';
import { Failure } from '../../failure/failure.ts';
import { logPagePolicy } from '../../log/log-page.ts';
import type { LogFormat } from '../../log/render-log.ts';
import { debugLogLink } from '../security/base-url.ts';
import { clientAddress, ClientAddresses, type AddressFailures } from '../security/client-addresses.ts';
import { setPagePolicy, untilSent } from '../response/respond.ts';
import type { ServiceDependencies } from './service-dependencies.ts';

/** Maximum number of waiting requests of one address. */
const maxWaiting = 100;
/** Maximum number of logs that are concurrently read, rendered and sent to one address. */
const maxConcurrent = 4;

/**
 * Returns the handler. Limits the concurrent requests of an address, because a log may have 14 MB. A request counts until its response has
 * been sent. The logs are read one after another.
 * @throws Failure notFound if the log is unknown or expired; tooManyRequests after more than 50 such requests within a minute from one
 * address, or if too many wait. Logs of this node can still be read.
 */
export function debugLogRoute({
  debugLogs,
  closingLogs,
  settings,
}: Pick<ServiceDependencies, 'closingLogs' | 'debugLogs' | 'settings'>): RequestHandler {
  const addresses = new ClientAddresses();
  const limiter = new ConcurrencyLimiter<string>(maxConcurrent);
  const read = async (id: string, failures: AddressFailures) => {
    await closingLogs.closed(id);
    const local = await debugLogs.readLocal(id);
    if (local !== undefined) return local;
    if (failures.isAboveLimit) throw tooManyRequests(failures);
    const archived = await debugLogs.readArchived(id);
    if (archived !== undefined) return archived;
    failures.add();
    throw new Failure('notFound', 'There is no debug log at this address, or it has expired.');
  };
  const send = async (request: Request, response: Response, failures: AddressFailures) => {
    const { id, format: requested } = readName(String(request.params.id));
    const lines = await failures.inTurn(() => read(id, failures));
    const format = requested ?? (request.accepts(['html', 'json']) === 'json' ? 'json' : 'html');
    const log = await debugLogs.renderLines(lines, { format, link: debugLogLink(request, settings, id) });
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
  return async (request, response) => {
    const address = clientAddress(request.socket.remoteAddress);
    const failures = addresses.failuresOf(address);
    if (limiter.waitingCount(address) >= maxWaiting) throw tooManyRequests(failures);
    await limiter.run(address, () => untilSent(response, () => send(request, response, failures)));
  };
}

function tooManyRequests({ retryAfter }: AddressFailures): Failure {
  const message = 'Too many requests for debug logs from this address; wait a moment.';
  return new Failure('tooManyRequests', message, { retryAfter });
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
