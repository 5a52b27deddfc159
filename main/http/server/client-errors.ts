/**
 * Responds to requests that never reach the application: requests that Node's parser rejects, requests that arrive too slowly, and
 * CONNECT. Writes one error response to the raw socket, then closes it. No request gets two responses.
 */
import { once } from 'node:events';
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Response } from 'express';
import { Failure } from '../../failure/failure.ts';
import type { ServiceLog } from '../../log/service-log.ts';
import type { Connections } from './connections.ts';
import { setUnsentFailure } from './locals.ts';

interface ClientErrorOptions {
  readonly connections: Connections;
  readonly prefixes: readonly string[];
  readonly log: ServiceLog;
}

/** Returns the function that sends such a response. */
export function respondToClientErrors(
  server: Server,
  options: ClientErrorOptions,
): (socket: Duplex, failure: Failure) => void {
  server.on('clientError', (problem: NodeJS.ErrnoException, socket: Duplex) => {
    const failure = failureOf(problem, socket);
    if (failure === undefined || !socket.writable) return void socket.destroy();
    // Data after a request with `Connection: close` is ignored.
    if (problem.code === 'HPE_CLOSED_CONNECTION') return;
    void refuse(socket, failure, options);
  });
  server.on('connect', (_request, socket) => {
    const failure = new Failure('methodNotAllowed', 'CONNECT is not supported: the service is not a proxy.');
    void refuse(socket, failure, options);
  });
  return (socket, failure) => void refuse(socket, failure, options);
}

/** Returns undefined for errors that are not about a request: broken connections and failed TLS handshakes. */
function failureOf({ code = '' }: NodeJS.ErrnoException, socket: Duplex): Failure | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    // Browsers open connections in advance. An unused connection is closed without a response.
    if ('bytesRead' in socket && socket.bytesRead === 0) return undefined;
    return new Failure('requestTimeout', 'The request took too long to arrive; use a faster connection.');
  }
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Failure(
      'headersTooLarge',
      "The request's headers are larger than 16 kB; send parameters in the body.",
    );
  if (code.startsWith('HPE_'))
    return new Failure('malformedRequest', 'The request is not valid HTTP. Use an HTTP library to send it.');
  return undefined;
}

async function refuse(socket: Duplex, failure: Failure, options: ClientErrorOptions): Promise<void> {
  const { connections, prefixes, log } = options;
  if (!connections.claimLastResponse(socket)) return;
  socket.on('error', () => {});
  const { open, latest } = connections.of(socket);
  const unfinished = latest?.request.complete === false ? latest : undefined;
  if (unfinished !== undefined) setUnsentFailure(unfinished.response as Response, failure);
  // Responses are sent in the order of their requests (RFC 9112, 9.3.2).
  for (const exchange of open) if (exchange !== unfinished) await closed(exchange.response);
  if (unfinished?.response.headersSent === true) {
    await closed(unfinished.response);
    return void socket.destroy();
  }
  const { status, reason, message } = failure;
  log.info(
    { status, reason, address: 'remoteAddress' in socket ? socket.remoteAddress : undefined },
    message,
  );
  if (socket.writable) socket.end(rawResponse(failure, prefixes));
  lingerThenClose(socket);
}

async function closed(response: ServerResponse): Promise<void> {
  if (!response.closed) await once(response, 'close').catch(() => {});
}

/** Keeps reading for a moment before closing: closing a socket with unread data discards the last bytes sent. */
function lingerThenClose(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => {
    clearTimeout(timer);
  });
  socket.resume();
}

const lingerMs = 1000;

function rawResponse({ status, reason, message }: Failure, prefixes: readonly string[]): string {
  const body = `${status}.${reason} - ${message}`;
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `date: ${new Date().toUTCString()}`,
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    ...(status === 405 ? ['allow: GET, POST'] : []),
    ...prefixes.map((prefix) => `x-${prefix}-reason-code: ${reason}`),
    '',
    body,
  ].join('\r\n');
}
