/** A web site whose pages run the scripts they are asked for with, and tell it what they found. */
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { randomUUID } from 'node:crypto';
import { serveWeb, type Routes, type WebServer } from '../../../support/web-server.ts';

export interface Site extends AsyncDisposable {
  readonly web: WebServer;
  /** The address of a page that runs the body of an async function, and tells what that returns. */
  readonly page: (visit: string, script: string) => string;
  /** What the page of a visit found; throws when it found nothing. */
  readonly found: (visit: string) => string;
  /** Visits whose page asks for its end to be waited for, until it is released. */
  readonly hold: (visit: string) => { readonly held: Promise<void>; readonly release: () => void };
}

export async function openSite(): Promise<Site> {
  const [found, held] = [new Map<string, string>(), new Map<string, Held>()];
  let [left, preflights] = ['', 0];
  const routes: Routes = {
    '/page': (request, response) => {
      const script = query(request, 'script');
      response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' });
      response.end(pageOf(query(request, 'visit'), script));
    },
    '/found': (request, response) => {
      void text(request).then((said) => {
        found.set(query(request, 'visit'), said);
        response.end();
      });
    },
    '/held': (request, response) => {
      const one = held.get(query(request, 'visit'));
      one?.arrive();
      void (one?.over ?? Promise.resolve()).then(() => response.end());
    },
    '/left': (request, response) => {
      void text(request).then((said) => {
        if (request.method === 'POST') left = said;
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
    '/asks-first': (request, response) => {
      if (request.method === 'OPTIONS') preflights += 1;
      answerAnybody(request, response);
    },
    '/asked-first': (_request, response) => {
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
      const said = found.get(visit);
      if (said === undefined) throw new Error('the page has told nothing');
      return said;
    },
    hold(visit) {
      const one = hold();
      held.set(visit, one);
      return { held: one.arrived, release: one.release };
    },
    [Symbol.asyncDispose]: () => web[Symbol.asyncDispose](),
  };
}

interface Held {
  readonly arrive: () => void;
  readonly arrived: Promise<void>;
  readonly release: () => void;
  readonly over: Promise<void>;
}

function hold(): Held {
  const news = new EventEmitter();
  return {
    arrive: () => news.emit('arrived'),
    arrived: once(news, 'arrived').then(() => undefined),
    release: () => news.emit('over'),
    over: once(news, 'over').then(() => undefined),
  };
}

function query({ url = '' }: IncomingMessage, name: string): string {
  return new URL(url, 'http://x').searchParams.get(name) ?? '';
}

type Route = (request: IncomingMessage, response: ServerResponse) => void;

const kept =
  (status: number, headers: Readonly<Record<string, string>>): Route =>
  (_request, response) =>
    response
      .writeHead(status, { 'cache-control': 'public, max-age=9999, immutable', ...headers })
      .end(randomUUID());

/** What browsers remember something of. */
const stateful: Readonly<Record<string, Route>> = {
  '/kept': kept(200, {}),
  '/moved': kept(301, { location: '/kept' }),
  '/gone': kept(410, {}),
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
    const right = headers.authorization !== undefined;
    response
      .writeHead(right ? 200 : 401, { 'www-authenticate': 'Basic realm="x"', 'cache-control': 'no-store' })
      .end();
  },
  '/worker.js': script(
    "addEventListener('install', () => skipWaiting()); addEventListener('activate', (e) => e.waitUntil(clients.claim())); addEventListener('fetch', (e) => { if (e.request.url.endsWith('/by-worker')) e.respondWith(new Response('planted')) })",
  ),
  '/shared.js': script(
    "let mark = 'none'; onconnect = ({ ports: [port] }) => { port.onmessage = ({ data }) => { if (data) mark = data; port.postMessage(mark) } }",
  ),
};

function answerAnybody({ method }: IncomingMessage, response: ServerResponse): void {
  const open = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*',
    'access-control-max-age': '600',
  };
  response.writeHead(method === 'OPTIONS' ? 204 : 200, { ...open, 'cache-control': 'no-store' }).end();
}

function script(source: string): Route {
  return (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store' }).end(source);
}

/** In the page: `leave` and `left` pass a text on to whoever comes later, `soon` is the answer or, after a while, `none`. */
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
