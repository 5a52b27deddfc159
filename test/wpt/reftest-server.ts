/** Serves the files of web-platform-tests under two host names, as the server of WPT does. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

export interface ReftestServer extends AsyncDisposable {
  readonly port: number;
  /** Requested paths that do not exist. */
  readonly missing: ReadonlySet<string>;
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  htm: 'text/html',
  xht: 'application/xhtml+xml',
  xhtml: 'application/xhtml+xml',
  svg: 'image/svg+xml',
  css: 'text/css',
  js: 'text/javascript',
  xml: 'text/xml',
  txt: 'text/plain',
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  mp4: 'video/mp4',
  webm: 'video/webm',
  ttf: 'font/ttf',
  woff: 'font/woff',
  woff2: 'font/woff2',
};

/** Starts the server. The tests use `localhost`, and 127.0.0.1 as the alternative host. */
export async function serveReftests(root: string): Promise<ReftestServer> {
  const missing = new Set<string>();
  let port = 0;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://wpt');
    const file = join(root, normalize(decodeURIComponent(pathname)));
    if (!file.startsWith(root) || !existsSync(file) || statSync(file).isDirectory()) {
      missing.add(pathname);
      response.writeHead(404).end('not found');
      return;
    }
    const headers = { 'content-type': types[extname(file).slice(1)] ?? 'application/octet-stream' };
    response.writeHead(200, { ...headers, 'cache-control': 'no-store', ...headersOf(file) });
    response.end(
      file.includes('.sub.') ? substituted(readFileSync(file, 'utf8'), port, pathname) : readFileSync(file),
    );
  };
  const servers = [createServer(answer), createServer(answer)];
  // Listens on IPv4 and IPv6, because localhost may resolve to either.
  for (const [index, host] of ['127.0.0.1', '::1'].entries()) {
    await new Promise((resolve) =>
      servers[index]?.once('error', resolve).listen(port, host, () => {
        resolve(undefined);
      }),
    );
    port = (servers[0]?.address() as AddressInfo).port;
  }
  return {
    port,
    missing,
    async [Symbol.asyncDispose]() {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

function headersOf(file: string): Record<string, string> {
  if (!existsSync(`${file}.headers`)) return {};
  const lines = readFileSync(`${file}.headers`, 'utf8').split('\n');
  const pairs = lines.map((line) => /^([^:]+):(.*)$/.exec(line)).filter((found) => found !== null);
  return Object.fromEntries(
    pairs.map(([, name = '', value = '']) => [name.trim().toLowerCase(), value.trim()]),
  );
}

function substituted(text: string, port: number, path: string): string {
  return text.replace(/\{\{(.*?)\}\}/g, (_, name: string) => {
    if (name.startsWith('ports')) return String(port);
    if (name === 'location[path]') return path;
    return name.startsWith('hosts[alt]') || name.startsWith('domains[www') ? '127.0.0.1' : 'localhost';
  });
}
