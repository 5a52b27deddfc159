/** A web server on loopback, for pages converted by address. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WebServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Paths asked for, in order. */
  readonly asked: readonly string[];
}

export type Routes = Readonly<
  Record<string, string | ((request: IncomingMessage, response: ServerResponse) => void)>
>;

/** Serves each path's text as HTML, or lets its function answer. */
export async function serveWeb(routes: Routes): Promise<WebServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    asked.push(path);
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (typeof route === 'function') route(request, response);
    else
      response.writeHead(route === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(route ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
