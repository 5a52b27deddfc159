/** Failures become answers here, and only here: the format, the headers, the draining of what the client still sends. */
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { reportFailure } from '../conversion/report-failure.ts';
import { catalogue } from '../failure/catalogue.ts';
import { refusalOf } from '../console/refusal.ts';
import { Failure, toFailure } from '../failure/failure.ts';
import type { ServiceLog } from '../log/service-log.ts';
import { drain } from './drain.ts';
import { isUninvited } from './invitation.ts';
import { debugLogOf, isRefusedInJson, logOf } from './locals.ts';
import { setServiceHeaders } from './respond.ts';

interface FailParts {
  readonly log: ServiceLog;
  readonly prefixes: readonly string[];
}

export const notFound: RequestHandler = (request) => {
  throw new Failure(
    'notFound',
    `There is nothing at ${request.path.slice(0, 100)}; conversions are posted to /convert/24.04/.`,
  );
};

/** For a known path, whatever other method comes. */
export function methodNotAllowed(allowed: readonly string[]): RequestHandler {
  return (request, response) => {
    response.set('allow', allowed.join(', '));
    throw new Failure(
      'methodNotAllowed',
      `${request.path} takes ${allowed.join(' and ')}, not ${request.method}.`,
    );
  };
}

/** The last handler: whatever was thrown becomes the answer the catalogue says. */
export function answerFailure(parts: FailParts): ErrorRequestHandler {
  return async (thrown: unknown, request: Request, response: Response, _next) => {
    const failure = toFailure(hasStatus(thrown, 400) ? malformed(thrown) : thrown);
    // The job's secrets may be in what a page says, and in what Chromium says of an address.
    const masked = (text: string) => debugLogOf(response)?.masked(text) ?? text;
    reportFailure(failure, logOf(response, parts.log), masked);
    if (isLastWord(failure) || isUninvited(request)) response.set('connection', 'close');
    else await drainFor(failure, request);
    if (response.headersSent || response.destroyed) return;
    setServiceHeaders(response, parts.prefixes, { 'reason-code': failure.reason });
    if (failure.retryAfter !== undefined) response.set('retry-after', String(failure.retryAfter));
    response.status(failure.status);
    sendBody(failure, request, response);
  };
}

/** Whatever follows on the connection may be read amiss, or does not come. */
function isLastWord({ kind }: Failure): boolean {
  return kind === 'malformedRequest' || kind === 'headersTooLarge' || kind === 'requestTimeout';
}

/**
 * Answering while the body still arrives breaks some clients' pipes before they read the answer; but who is turned away
 * because there is too much to do must not be made to send all of it first.
 */
async function drainFor({ kind }: Failure, request: Request): Promise<void> {
  const drained = drain(request);
  if (kind !== 'unavailable') await drained;
}

function sendBody(failure: Failure, request: Request, response: Response): void {
  const { status, reason, message } = failure;
  if (isRefusedInJson(response)) return void response.json(refusalOf(failure));
  const { errfmt } = request.query;
  if (typeof errfmt === 'string' && errfmt.toLowerCase() === 'json')
    response.json({ status_code: status, reason_code: reason, message });
  else response.type('text/plain').send(`${status}.${reason} - ${message}`);
}

/** Express's own complaints about a request, such as a broken percent-encoding in the path. */
function malformed(cause: unknown): Failure {
  return new Failure('notFound', `The request's path cannot be read. ${catalogue.notFound.remedy}`, {
    cause,
  });
}

function hasStatus(thrown: unknown, status: number): boolean {
  return (
    !(thrown instanceof Failure) &&
    typeof thrown === 'object' &&
    thrown !== null &&
    'status' in thrown &&
    thrown.status === status
  );
}
