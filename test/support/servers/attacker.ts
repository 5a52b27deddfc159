/** A hostile server that the network policy allows: it serves its pages and records their requests. */
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveAnyProtocol } from './any-protocol.ts';
import type { Certificates } from './certificates.ts';
import { acceptWebSocket } from './web-socket.ts';

export interface Attacker extends AsyncDisposable {
  readonly port: number;
  readonly origin: string;
  /** The requested paths, over any protocol, without their file extensions. */
  readonly requestedPaths: ReadonlySet<string>;
  /** Resolves when the path is requested, or if it already was; rejects when the signal is aborted. */
  readonly waitForRequest: (path: string, signal: AbortSignal) => Promise<void>;
  /** Delays the responses to requests for the path until the promise settles. */
  readonly hold: (path: string, until: Promise<unknown>) => void;
}

export interface ResponseOptions {
  readonly type?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns a path that encodes a whole response, which the server decodes and sends. */
export function servedPath(body: string, served: ResponseOptions = {}): string {
  // Not percent-encoded: the URL of a service worker must not contain an encoded slash (Service Workers, 4.1, register).
  return `/serve/${Buffer.from(JSON.stringify({ ...served, body })).toString('base64url')}`;
}

export async function openAttacker(certificate: Certificates['server']): Promise<Attacker> {
  const requestedPaths = new Set<string>();
  const pending = new Map<string, Promise<unknown>>();
  const arrivals = new EventEmitter();
  arrivals.setMaxListeners(0);
  const recordRequest = (url = '') => {
    const path = url.split('?')[0] ?? '';
    const bare = path.replace(/\.[a-z]+$/, '');
    requestedPaths.add(bare);
    arrivals.emit(bare);
    return { path, bare };
  };
  const server = await serveAnyProtocol(
    {
      onRequest(request, response) {
        const { path, bare } = recordRequest(pathOf(request));
        void (pending.get(bare) ?? Promise.resolve()).finally(() => {
          answer(path, response);
        });
      },
      onUpgrade(request, socket) {
        recordRequest(request.url);
        acceptWebSocket(request, socket);
      },
      onConnect({ url }, socket) {
        recordRequest(`/connect/${String(url).replace(/:\d+$/, '')}`);
        socket.on('error', () => undefined).end('HTTP/1.1 403 Forbidden\r\n\r\n');
      },
    },
    certificate,
  );
  return {
    port: server.port,
    origin: `http://127.0.0.1:${server.port}`,
    requestedPaths,
    async waitForRequest(path, signal) {
      if (!requestedPaths.has(path)) await once(arrivals, path, { signal });
    },
    hold: (path, until) => pending.set(path, until),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Returns the path of a request, also of one to a proxy, whose URL is absolute (RFC 9112, 3.2.2). */
function pathOf({ url = '' }: IncomingMessage): string {
  return url.replace(/^http:\/\/[^/]*/, '');
}

const open = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'cache-control': 'no-store',
};

function answer(path: string, response: ServerResponse): void {
  const [, text] = /^\/serve\/([^/]*)/.exec(path) ?? [];
  if (text !== undefined) {
    const {
      body,
      type = 'text/html',
      status = 200,
      headers = {},
    } = JSON.parse(Buffer.from(text, 'base64url').toString()) as ResponseOptions & { body: string };
    response.writeHead(status, { ...open, 'content-type': type, ...headers }).end(body);
    return;
  }
  const [type, body] = samples[/\.(\w+)$/.exec(path)?.[1] ?? 'html'] ?? samples.html ?? ['', ''];
  response.writeHead(200, { ...open, 'content-type': type }).end(body);
}

/** Harmless resources, by the file extension of the requested path. */
const samples: Readonly<Record<string, readonly [type: string, body: string]>> = {
  html: ['text/html', '<p>reached</p>'],
  css: ['text/css', 'i{}'],
  js: ['text/javascript', ''],
  json: ['application/json', '{}'],
  svg: ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><g id="g"/></svg>'],
  xsl: ['text/xsl', '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"/>'],
  vtt: ['text/vtt', 'WEBVTT\n'],
  events: ['text/event-stream', ':\n\n'],
};
