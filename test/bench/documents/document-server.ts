/** A web server on loopback for the documents that are converted by URL. It ends with the benchmark. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BenchDocument } from './document.ts';

let server: Promise<Server> | undefined;
const served = new Map<string, string>();

/** Serves the document, and returns its URL. The responses are not cacheable (`no-store`). */
export async function urlOf({ name, html }: Pick<BenchDocument, 'name' | 'html'>): Promise<string> {
  served.set(`/${name}`, html);
  const { port } = (await (server ??= open())).address() as AddressInfo;
  return `http://127.0.0.1:${port}/${name}`;
}

async function open(): Promise<Server> {
  const opened = createServer(({ url = '' }, response) => {
    const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
    response.writeHead(served.has(url) ? 200 : 404, headers).end(served.get(url));
  });
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve));
  return opened.unref();
}
