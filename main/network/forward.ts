/** Forwards one plain-http request and relays the response. */
import http, {
  validateHeaderName,
  validateHeaderValue,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream';
import { targetOfUrl } from './host-name.ts';
import type { Route, RouteRequestOptions } from './route.ts';
import { closeSignal, type Traffic } from './traffic.ts';
import { parsedUrl } from '../fields/parsed-url.ts';

/** Chromium accepts headers up to this size. Node's default is 16 KiB. */
export const maxHeaderBytes = 256 * 1024;

interface ForwardedExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface ForwardContext {
  readonly route: Route;
  readonly traffic: Traffic;
}

/**
 * Forwards a request in absolute form (RFC 9112, 3.2.2); a target that is not an http: URL is answered with 400. Any other
 * failure closes the connection without a response, because the browser would print an error response of the guard as the page.
 */
export async function forward(
  exchange: ForwardedExchange,
  { route, traffic }: ForwardContext,
): Promise<void> {
  const { request, response } = exchange;
  const url = readHttpUrl(request.url ?? '');
  if (!url) {
    response.writeHead(400, { 'Content-Length': 0 }).end();
    return;
  }
  const target = targetOfUrl(url);
  if (!target) return void response.destroy();
  try {
    traffic.countRequest();
    const routeOptions = await route.requestOptions(target, url, closeSignal(response));
    if (!response.destroyed) send({ ...exchange, traffic }, url, routeOptions);
  } catch {
    response.destroy();
  }
}

interface CountedExchange extends ForwardedExchange {
  readonly traffic: Traffic;
}

function send(
  { request, response, traffic }: CountedExchange,
  url: URL,
  routeOptions: RouteRequestOptions,
): void {
  const outgoing = http.request({
    ...routeOptions,
    method: request.method,
    // The URL determines the host, not the browser's Host header (RFC 9112, 3.2.2).
    headers: ['Host', url.host, ...endToEndHeaders(request.rawHeaders, ['host']), ...routeOptions.headers],
    insecureHTTPParser: true,
    maxHeaderSize: maxHeaderBytes,
  });
  const abort = () => outgoing.destroy();
  response.once('close', abort);
  outgoing.on('response', (incoming) => {
    relay(incoming, response);
  });
  outgoing.on('error', (error) => {
    response.off('close', abort);
    if (!response.headersSent && isStale(outgoing, error) && !hasBody(request))
      send({ request, response, traffic }, url, routeOptions);
    else response.destroy();
  });
  if (hasBody(request)) countSentBytes(request, outgoing, traffic).pipe(outgoing);
  else outgoing.end();
}

/** Counts bytes while the request body is sent; `Traffic.track` counts only when the server sends data. */
function countSentBytes(
  request: IncomingMessage,
  outgoing: ClientRequest,
  traffic: Traffic,
): IncomingMessage {
  return request.prependListener('data', () => {
    if (outgoing.socket) traffic.countBytes(outgoing.socket);
  });
}

function relay(incoming: IncomingMessage, response: ServerResponse): void {
  const { statusCode = 502, statusMessage, rawHeaders } = incoming;
  // A 407 comes from the upstream proxy and would make the browser ask for a password.
  if (statusCode === 407 || statusCode < 200 || statusCode > 999) {
    incoming.destroy();
    response.destroy();
    return;
  }
  response.sendDate = false;
  // Transfer-Encoding overrides Content-Length (RFC 9112, 6.3) but is not passed on, so Content-Length is dropped too.
  const drop = incoming.headers['transfer-encoding'] === undefined ? [] : ['content-length'];
  response.writeHead(statusCode, printable(statusMessage), endToEndHeaders(rawHeaders, drop));
  // Sends the headers immediately: those of an event stream arrive long before its first event.
  response.flushHeaders();
  // Closes the browser's connection if the response breaks off, so that the browser does not accept half an image as complete.
  pipeline(incoming, response, () => {});
}

/**
 * Returns whether the server closed an idle connection just as it was reused. The request is then repeated on another connection,
 * as in browsers.
 */
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
  const url = parsedUrl(text);
  return url?.protocol === 'http:' ? url : undefined;
}

/**
 * Filters raw headers (alternating names and values, as in Node's `rawHeaders`). Removes hop-by-hop headers (RFC 9110, 7.6.1), the
 * headers named in `drop` (lower case), and headers that Node refuses to write (old servers send such headers, and browsers
 * tolerate them).
 */
function endToEndHeaders(raw: readonly string[], drop: readonly string[] = []): string[] {
  const pairs = pairsOf(raw);
  const dropped = new Set([...hopByHopHeaders, ...drop, ...namedByConnection(pairs)]);
  return pairs.filter(([name, value]) => !dropped.has(name.toLowerCase()) && isWritable(name, value)).flat();
}

function pairsOf(raw: readonly string[]): readonly (readonly [name: string, value: string])[] {
  const pairs: [string, string][] = [];
  for (let index = 0; index < raw.length; index += 2) pairs.push([raw[index] ?? '', raw[index + 1] ?? '']);
  return pairs;
}

function namedByConnection(pairs: readonly (readonly [string, string])[]): string[] {
  return pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) =>
      value
        .toLowerCase()
        .split(',')
        .map((name) => name.trim()),
    );
}

function isWritable(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

const hopByHopHeaders = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
