/** A web server whose pages run a given script and send its result to the server. */
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { randomUUID } from 'node:crypto';
import { serveWeb, type Routes, type WebServer } from '../../../support/servers/web-server.ts';

export interface Site extends AsyncDisposable {
  readonly web: WebServer;
  /** Returns the URL of a page that runs `script`, the body of an async function, and sends the result. `visit`: an id. */
  readonly page: (visit: string, script: string) => string;
  /** Returns the result of a visit. @throws Error if there is none */
  readonly found: (visit: string) => string;
  /** Keeps the page of a visit from finishing. `held` resolves when the page waits; `release` lets the page finish. */
  readonly hold: (visit: string) => { readonly held: Promise<void>; readonly release: () => void };
}

export async function openSite(): Promise<Site> {
  const found = new Map<string, string>();
  const held = new Map<string, PendingVisit>();
  let left = '';
  let preflights = 0;
  const routes: Routes = {
    '/page': (request, response) => {
      const script = query(request, 'script');
      response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' });
      response.end(pageOf(query(request, 'visit'), script));
    },
    '/found': (request, response) => {
      void text(request).then((report) => {
        found.set(query(request, 'visit'), report);
        response.end();
      });
    },
    '/held': (request, response) => {
      const heldVisit = held.get(query(request, 'visit'));
      heldVisit?.arrive();
      void (heldVisit?.over ?? Promise.resolve()).then(() => response.end());
    },
    '/left': (request, response) => {
      void text(request).then((report) => {
        if (request.method === 'POST') left = report;
        response.end(left);
      });
    },
    '/dot.svg': (_request, response) => {
      const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
      response.writeHead(200, { 'content-type': 'image/svg+xml', 'cache-control': 'no-store' }).end(svg);
    },
    '/echo': (request, response) => {
      response.setHeader('cache-control', 'no-store').end(JSON.stringify(request.headers));
    },
    '/preflighted': (request, response) => {
      if (request.method === 'OPTIONS') preflights += 1;
      answerAnyOrigin(request, response);
    },
    '/preflight-count': (_request, response) => {
      response.setHeader('cache-control', 'no-store').end(String(preflights));
    },
    ...stateful,
  };
  const web = await serveWeb(routes);
  return {
    web,
    page(visit, script) {
      const address = new URL('/page', web.url);
      address.search = new URLSearchParams({ visit, script }).toString();
      return address.href;
    },
    found(visit) {
      const result = found.get(visit);
      if (result === undefined) throw new Error('the page sent no report');
      return result;
    },
    hold(visit) {
      const heldVisit = hold();
      held.set(visit, heldVisit);
      return { held: heldVisit.arrived, release: heldVisit.release };
    },
    [Symbol.asyncDispose]: () => web[Symbol.asyncDispose](),
  };
}

interface PendingVisit {
  readonly arrive: () => void;
  readonly arrived: Promise<void>;
  readonly release: () => void;
  readonly over: Promise<void>;
}

function hold(): PendingVisit {
  const emitter = new EventEmitter();
  return {
    arrive: () => emitter.emit('arrived'),
    arrived: once(emitter, 'arrived').then(() => undefined),
    release: () => emitter.emit('over'),
    over: once(emitter, 'over').then(() => undefined),
  };
}

function query({ url = '' }: IncomingMessage, name: string): string {
  return new URL(url, 'http://x').searchParams.get(name) ?? '';
}

const cacheHeaders =
  (status: number, headers: Readonly<Record<string, string>>): RequestListener =>
  (_request, response) =>
    response
      .writeHead(status, { 'cache-control': 'public, max-age=9999, immutable', ...headers })
      .end(randomUUID());

/** Responses that make the browser store state. */
const stateful: Readonly<Record<string, RequestListener>> = {
  '/kept': cacheHeaders(200, {}),
  '/moved': cacheHeaders(301, { location: '/kept' }),
  '/gone': cacheHeaders(410, {}),
  '/tagged': ({ headers }, response) =>
    response
      .writeHead(200, { etag: '"planted"', 'cache-control': 'no-cache' })
      .end(headers['if-none-match'] ?? 'none'),
  '/cookie': (_request, response) =>
    response
      .setHeader('set-cookie', [
        'hidden=planted; HttpOnly',
        'lasting=planted; Max-Age=9999; HttpOnly; SameSite=Strict',
      ])
      .end(),
  '/signed-in': ({ headers }, response) => {
    const isSignedIn = headers.authorization !== undefined;
    response
      .writeHead(isSignedIn ? 200 : 401, {
        'www-authenticate': 'Basic realm="x"',
        'cache-control': 'no-store',
      })
      .end();
  },
  '/worker.js': script(
    "addEventListener('install', () => skipWaiting()); addEventListener('activate', (e) => e.waitUntil(clients.claim())); addEventListener('fetch', (e) => { if (e.request.url.endsWith('/by-worker')) e.respondWith(new Response('planted')) })",
  ),
  '/shared.js': script(
    "let mark = 'none'; onconnect = ({ ports: [port] }) => { port.onmessage = ({ data }) => { if (data) mark = data; port.postMessage(mark) } }",
  ),
};

function answerAnyOrigin({ method }: IncomingMessage, response: ServerResponse): void {
  const open = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*',
    'access-control-max-age': '600',
  };
  response.writeHead(method === 'OPTIONS' ? 204 : 200, { ...open, 'cache-control': 'no-store' }).end();
}

function script(source: string): RequestListener {
  return (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store' }).end(source);
}

/**
 * Returns the page. Its script can use `leave` and `left`, which pass a string to a later visit, and `soon`, which resolves with
 * `none` if a promise does not settle within 300 ms.
 */
function pageOf(visit: string, body: string): string {
  return `<!doctype html><title>page</title><p>page</p><script>
    const leave = (text) => fetch('/left', { method: 'POST', body: text });
    const left = async () => (await fetch('/left', { cache: 'no-store' })).text();
    const soon = (answer) => Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 300, 'none'))]);
    const end = async (found) => {
      await fetch('/found?visit=${visit}', { method: 'POST', body: JSON.stringify(found) ?? 'nothing' });
      await fetch('/held?visit=${visit}');
      document.body.id = 'over';
    };
    (async () => { ${body} })().then(end, (error) => end('failed: ' + error));
  </script>`;
}
