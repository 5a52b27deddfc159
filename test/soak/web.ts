/** The web server that the jobs' pages load from, and a second server that no page may reach. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { project } from '../support/service/service.ts';
import { pagesAtAddress } from '../support/hostile/reacting-documents.ts';
import { plant } from './jobs/scripted.ts';
import { secretsIn } from './job-markers.ts';

export interface Web extends AsyncDisposable {
  readonly url: string;
  readonly host: string;
  /** The origin of the server that no page may reach. */
  readonly canary: string;
  /** Returns the number of connections to that server. */
  readonly reached: () => number;
  /** The secrets of jobs in the headers of requests that a document of an attacker made. */
  readonly stolen: readonly string[];
  /** Called when a page requests `/crash/<word>`, before the response. */
  onCrash: (word: string) => Promise<void>;
  /** Returns the script at `/marker/<word>`. */
  markerOf: (word: string) => string;
  /** Called when a page requests `/wait/<word>`, which never gets a response. */
  onWait: (word: string) => void;
}

const spyName = 'spy';
/** Where documents of attackers send requests. */
export const spyPath = `/${spyName}/`;
/** A text in each of those documents. */
export const spyMark = 'ATTACKER';

export async function openWeb(): Promise<Web> {
  let reached = 0;
  const stolen: string[] = [];
  const web = createServer((request, response) => {
    answer(request, response, opened).catch((problem: unknown) => response.destroy(problem as Error));
  });
  const canary = createServer((_request, response) => response.end('reached'));
  canary.on('connection', () => (reached += 1));
  const host = await listening(web);
  const canaryHost = await listening(canary);
  const opened: Web & { readonly stolen: string[] } = {
    host,
    url: `http://${host}`,
    canary: `http://${canaryHost}`,
    reached: () => reached,
    stolen,
    onCrash: () => Promise.resolve(),
    markerOf: () => '',
    onWait() {},
    async [Symbol.asyncDispose]() {
      await Promise.all([closed(web), closed(canary)]);
    },
  };
  return opened;
}

const html = (response: ServerResponse, text: string) =>
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(text);

const icons = join(project, 'node_modules', 'bootstrap-icons', 'font');

/** Handlers by the first segment of the path; the second segment is the word of the job. */
const routes: Readonly<
  Record<string, (word: string, request: IncomingMessage, response: ServerResponse) => void>
> = {
  page(word, request, response) {
    response.setHeader('set-cookie', `set=${word}; Path=/; Max-Age=3600`);
    const { cookie = '', 'x-job': job = '' } = request.headers;
    const ownContent = `<p>cookies ${cookie} header ${String(job)}</p><script src="/cached.js"></script>${plant(word)}`;
    html(
      response,
      `<!doctype html><link rel="stylesheet" href="/style.css"><body><h1>${word}</h1>${ownContent}`,
    );
  },
  /**
   * The same URL for every job, cacheable for an hour. A page that gets the cached copy of another job shows the word of that job.
   */
  'cached.js'(_word, { headers: { referer = '' } }, response) {
    const headers = { 'content-type': 'text/javascript', 'cache-control': 'public, max-age=3600' };
    const word = referer.split('/').at(-1) ?? '';
    response.writeHead(200, headers).end(`document.write('<p>cached for ${word}</p>')`);
  },
  'style.css'(_word, _request, response) {
    const style = '@import "/icons.css"; body { font: 12pt sans-serif } h1 { color: #036 }';
    response.writeHead(200, { 'content-type': 'text/css', 'cache-control': 'max-age=3600' }).end(style);
  },
  'icons.css'(_word, _request, response) {
    response
      .writeHead(200, { 'content-type': 'text/css' })
      .end(readFileSync(join(icons, 'bootstrap-icons.min.css')));
  },
  fonts(_word, { url = '' }, response) {
    const name = url.includes('woff2') ? 'bootstrap-icons.woff2' : 'bootstrap-icons.woff';
    response.writeHead(200, { 'content-type': 'font/woff2' }).end(readFileSync(join(icons, 'fonts', name)));
  },
  frame: (word, _request, response) => html(response, `<p>framed ${word}</p>`),
  frames(word, { url = '' }, response) {
    const next = Number(url.split('?')[1]) + 1;
    html(
      response,
      `${next === 1 ? word : ''}<iframe width=50 height=50 src="/frames/${word}?${next}"></iframe>`,
    );
  },
  reload: (word, _request, response) => html(response, `${word}<script>location.reload()</script>`),
  loop: (_word, _request, response) => response.writeHead(302, { location: '/loop' }).end(),
  flood: (_word, _request, response) => response.writeHead(200).end('x'),
};

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  web: Web & { readonly stolen: string[] },
): Promise<void> {
  const [, name = '', word = ''] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
  if (name === spyName) {
    web.stolen.push(...secretsIn(JSON.stringify(request.headers)));
    html(response, pagesAtAddress(spyMark, (next) => `${web.url}${spyPath}${next}`)[word] ?? '');
    return;
  }
  if (name === 'wait') {
    web.onWait(word);
    // No response: the caller disconnects, which ends the request.
    return;
  }
  if (name === 'marker') {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(web.markerOf(word));
    return;
  }
  if (name === 'crash') await web.onCrash(word);
  const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
  if (route === undefined) response.writeHead(404).end();
  else route(word, request, response);
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
