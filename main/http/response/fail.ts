/** Turns failures into error responses: headers, body format, and reading the rest of the request body. */
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { noteFactsOf } from '../../conversion/note-facts.ts';
import { reportFailure } from '../../conversion/job-log.ts';
import { catalogue } from '../../failure/catalogue.ts';
import { refusalOf } from '../../console/calls.ts';
import { Failure, toFailure } from '../../failure/failure.ts';
import type { ServiceLog } from '../../log/service-log.ts';
import { awaitsContinue, drain } from '../upload/receive.ts';
import { debugLogOf, sendsErrorsAsJson, logOf } from '../server/locals.ts';
import { reprDigestOfText, setNoteHeaders, setServiceHeaders, closeAfterResponse } from './respond.ts';

interface FailureOptions {
  readonly log: ServiceLog;
  readonly prefixes: readonly string[];
}

export const notFound: RequestHandler = (request) => {
  throw new Failure(
    'notFound',
    `There is nothing at ${request.path.slice(0, 100)}. Send conversions with POST to /convert/24.04/.`,
  );
};

/** Returns a handler that responds with status 405 to the methods that a path does not support. */
export function methodNotAllowed(allowed: readonly string[]): RequestHandler {
  return (request, response) => {
    response.set('allow', allowed.join(', '));
    throw new Failure(
      'methodNotAllowed',
      `${request.path} supports ${allowed.join(' and ')}, not ${request.method}.`,
    );
  };
}

/** Returns the last error handler. It turns any thrown error into the response that the failure catalogue defines. */
export function failureHandler(options: FailureOptions): ErrorRequestHandler {
  return async (thrown: unknown, request: Request, response: Response, _next) => {
    const failure = toFailure(hasStatus(thrown, 400) ? malformed(thrown) : thrown);
    // Errors thrown by page scripts, and Chromium's errors with URLs, may contain secrets of the job.
    const masked = (text: string) => debugLogOf(response)?.masked(text) ?? text;
    reportFailure(failure, logOf(response, options.log), masked);
    if (closesConnection(failure) || awaitsContinue(request)) closeAfterResponse(response);
    else await drainFor(failure, request);
    if (response.headersSent || response.destroyed) return;
    const log = debugLogOf(response);
    if (log !== undefined) setNoteHeaders(response, options.prefixes, noteFactsOf(log));
    sendFailure(failure, response, options.prefixes);
  };
}

/** Sends a failure as the response, in the format that the request asks for. */
export function sendFailure(failure: Failure, response: Response, prefixes: readonly string[]): void {
  setServiceHeaders(response, prefixes, { 'reason-code': failure.reason });
  if (failure.retryAfter !== undefined) response.set('retry-after', String(failure.retryAfter));
  response.status(failure.status);
  sendBody(failure, response.req, response);
}

/** Returns whether further bytes on the connection could be misread as another request, or may never arrive. */
function closesConnection({ kind }: Failure): boolean {
  return kind === 'malformedRequest' || kind === 'headersTooLarge' || kind === 'requestTimeout';
}

/**
 * Reads the rest of the body first, because some clients fail with a broken pipe when the response arrives while they are still
 * sending. A failure of kind `unavailable` or `tooManyRequests` is sent immediately, so that the client need not send the whole body
 * in vain.
 */
async function drainFor({ kind }: Failure, request: Request): Promise<void> {
  const drained = drain(request);
  if (kind !== 'unavailable' && kind !== 'tooManyRequests') await drained;
}

function sendBody(failure: Failure, request: Request, response: Response): void {
  const { status, reason, message } = failure;
  const { errfmt } = request.query;
  const wantsJson = typeof errfmt === 'string' && errfmt.toLowerCase() === 'json';
  const json = sendsErrorsAsJson(response)
    ? refusalOf(failure)
    : wantsJson && { status_code: status, reason_code: reason, message };
  const text = json === false ? `${status}.${reason} - ${message}` : JSON.stringify(json);
  response.type(json === false ? 'text/plain' : 'application/json');
  response.set('repr-digest', reprDigestOfText(text));
  response.send(text);
}

/** Converts Express's own error about a request, such as a broken percent-encoding in the path. */
function malformed(cause: unknown): Failure {
  return new Failure('notFound', `The path of the request is malformed. ${catalogue.notFound.remedy}`, {
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
