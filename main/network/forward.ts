/** Owns the passing on of one plain-http request and its answer. */
import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { endToEnd } from './headers.ts';
import { targetOfUrl } from './host.ts';
import type { Aim, Route } from './route.ts';
import type { Traffic } from './traffic.ts';

/** Chromium takes headers up to this size; Node alone would stop at 16 KiB. */
export const MOST_HEADER_BYTES = 256 * 1024;

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface Way {
  readonly route: Route;
  readonly traffic: Traffic;
}

/**
 * Sends a request in absolute form (RFC 9112, 3.2.2) on its way. Whatever fails ends the
 * connection without an answer: an answer of ours would be shown, and printed, as if it were the page.
 */
export async function forward(exchange: Exchange, { route, traffic }: Way): Promise<void> {
  const { request, response } = exchange;
  const url = readHttpUrl(request.url ?? '');
  if (!url) {
    response.writeHead(400, { 'Content-Length': 0 }).end();
    return;
  }
  const target = targetOfUrl(url);
  if (!target) return void response.destroy();
  try {
    traffic.count();
    const aim = await route.aim(target, url);
    if (!response.destroyed) send({ ...exchange, traffic }, url, aim);
  } catch {
    response.destroy();
  }
}

interface Sending extends Exchange {
  readonly traffic: Traffic;
}

function send({ request, response, traffic }: Sending, url: URL, aim: Aim): void {
  const outgoing = http.request({
    ...aim,
    method: request.method,
    // The URL, not the browser's Host header, says which host is meant (RFC 9112, 3.2.2).
    headers: ['Host', url.host, ...endToEnd(request.rawHeaders, ['host']), ...aim.headers],
    insecureHTTPParser: true,
    maxHeaderSize: MOST_HEADER_BYTES,
  });
  const abandon = () => outgoing.destroy();
  response.once('close', abandon);
  outgoing.on('response', (incoming) => {
    relay(incoming, response);
  });
  outgoing.on('error', (error) => {
    response.off('close', abandon);
    if (!response.headersSent && isStale(outgoing, error) && !hasBody(request))
      send({ request, response, traffic }, url, aim);
    else response.destroy();
  });
  if (hasBody(request)) weighing(request, outgoing, traffic).pipe(outgoing);
  else outgoing.end();
}

/** What is sent counts too, also while nothing is answered. */
function weighing(request: IncomingMessage, outgoing: ClientRequest, traffic: Traffic): IncomingMessage {
  return request.prependListener('data', () => {
    if (outgoing.socket) traffic.weigh(outgoing.socket);
  });
}

function relay(incoming: IncomingMessage, response: ServerResponse): void {
  const { statusCode = 502, statusMessage, rawHeaders } = incoming;
  // 407 would be the upstream proxy asking the browser for a password.
  if (statusCode === 407 || statusCode < 200 || statusCode > 999) {
    incoming.destroy();
    response.destroy();
    return;
  }
  response.sendDate = false;
  // Beside chunks a length is void (RFC 9112, 6.3), and it would be the one thing passed on.
  const drop = incoming.headers['transfer-encoding'] === undefined ? [] : ['content-length'];
  response.writeHead(statusCode, printable(statusMessage), endToEnd(rawHeaders, drop));
  // An event stream's headers come long before its first event.
  response.flushHeaders();
  // Ends the browser's connection if the answer breaks off, so that half a picture is not taken for a whole one.
  pipeline(incoming, response, () => {});
}

/** The server closed an idle connection in the moment it was used again: ask again on another, as browsers do. */
function isStale(outgoing: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function printable(statusMessage = ''): string {
  return statusMessage.replace(/[^\x20-\x7e]/g, '');
}

function readHttpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'http:' ? url : undefined;
}
