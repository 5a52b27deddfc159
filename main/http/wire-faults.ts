/**
 * Requests that never become one: what Node's parser refuses, what comes too slowly, CONNECT. Each gets one answer in our
 * format, written on the bare connection, which ends with it; a connection never gets two answers to one request.
 */
import { once } from 'node:events';
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Response } from 'express';
import { Failure } from '../failure/failure.ts';
import type { ServiceLog } from '../log/service-log.ts';
import type { Connections } from './connections.ts';
import { setBrokenOff } from './locals.ts';

interface FaultParts {
  readonly connections: Connections;
  readonly prefixes: readonly string[];
  readonly log: ServiceLog;
}

export function answerWireFaults(server: Server, parts: FaultParts): void {
  server.on('clientError', (problem: NodeJS.ErrnoException, socket: Duplex) => {
    const failure = failureOf(problem, socket);
    if (failure === undefined || !socket.writable) return void socket.destroy();
    // The caller said himself that nothing would follow: what did is not looked at.
    if (problem.code === 'HPE_CLOSED_CONNECTION') return;
    void refuse(socket, failure, parts);
  });
  server.on('connect', (_request, socket) => {
    const failure = new Failure('methodNotAllowed', "The service is nobody's proxy: it takes no CONNECT.");
    void refuse(socket, failure, parts);
  });
}

/** Undefined for what is no fault of a request: broken connections, and greetings (TLS) that failed. */
function failureOf({ code = '' }: NodeJS.ErrnoException, socket: Duplex): Failure | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    // Browsers open connections in advance; one that was never used is closed without a word.
    if ('bytesRead' in socket && socket.bytesRead === 0) return undefined;
    return new Failure('requestTimeout', 'The request took too long to arrive.');
  }
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Failure('headersTooLarge', "The request's headers are larger than 16 kB.");
  if (code.startsWith('HPE_'))
    return new Failure('malformedRequest', 'The request is not sound HTTP; let an HTTP library write it.');
  return undefined;
}

async function refuse(socket: Duplex, failure: Failure, parts: FaultParts): Promise<void> {
  const { connections, prefixes, log } = parts;
  if (!connections.condemn(socket)) return;
  socket.on('error', () => {});
  const { open, latest } = connections.of(socket);
  const inBody = latest?.request.complete === false ? latest : undefined;
  if (inBody !== undefined) setBrokenOff(inBody.response as Response, failure);
  // Answers go out in the order of their requests (RFC 9112, 9.3.2).
  for (const exchange of open) if (exchange !== inBody) await over(exchange.response);
  if (inBody?.response.headersSent === true) {
    await over(inBody.response);
    return void socket.destroy();
  }
  const { status, reason, message } = failure;
  log.info(
    { status, reason, address: 'remoteAddress' in socket ? socket.remoteAddress : undefined },
    message,
  );
  if (socket.writable) socket.end(answer(failure, prefixes));
  hangUp(socket);
}

async function over(response: ServerResponse): Promise<void> {
  if (!response.closed) await once(response, 'close').catch(() => {});
}

/** A connection that is closed while something comes in loses what went out last, so it is read on for a moment. */
function hangUp(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), linger);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => {
    clearTimeout(timer);
  });
  socket.resume();
}

const linger = 1000;

function answer({ status, reason, message }: Failure, prefixes: readonly string[]): string {
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
