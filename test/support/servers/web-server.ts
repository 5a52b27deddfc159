/** A web server on loopback, for pages to convert by URL. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

export interface WebServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Requested paths, in order. */
  readonly requestedPaths: readonly string[];
  /** Returns the headers of the last request for a path; undefined if there was none. */
  readonly headersOf: (path: string) => IncomingHttpHeaders | undefined;
  /** Handles the handshakes of WebSockets, which are refused otherwise. */
  readonly onUpgrade: (accept: (request: IncomingMessage, socket: Duplex) => void) => void;
}

export type Routes = Readonly<
  Record<string, string | ((request: IncomingMessage, response: ServerResponse) => void)>
>;

/** Serves the text of each route as HTML, or calls the function of the route. Uses HTTPS if `tls` is given. */
export async function serveWeb(routes: Routes, tls?: ServerOptions): Promise<WebServer> {
  const requestedPaths: string[] = [];
  const headers = new Map<string, IncomingHttpHeaders>();
  const upgraded = new Set<Duplex>();
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    requestedPaths.push(path);
    headers.set(path, request.headers);
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (typeof route === 'function') route(request, response);
    else
      response.writeHead(route === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(route ?? '');
  };
  const server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    requestedPaths,
    headersOf: (path) => headers.get(path),
    onUpgrade(accept) {
      server.on('upgrade', (request, socket) => {
        upgraded.add(socket);
        accept(request, socket);
      });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
