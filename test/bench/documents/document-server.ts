/** A web server on loopback for the documents that are converted by URL. It ends with the benchmark. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { contentType } from 'mime-types';
import type { BenchDocument } from './document.ts';

let server: Promise<Server> | undefined;
const served = new Map<string, string | Buffer>();

/** Serves the document and its files, and returns its URL. The responses are not cacheable (`no-store`). */
export async function urlOf({
  name,
  html,
  files = {},
}: Pick<BenchDocument, 'name' | 'html' | 'files'>): Promise<string> {
  const page = `/${name}/index.html`;
  served.set(page, html);
  for (const [path, bytes] of Object.entries(files)) served.set(`/${name}/${path}`, bytes);
  const { port } = (await (server ??= open())).address() as AddressInfo;
  return `http://127.0.0.1:${port}${page}`;
}

async function open(): Promise<Server> {
  const opened = createServer(({ url = '' }, response) => {
    const type = contentType(basename(url)) || 'application/octet-stream';
    const headers = { 'content-type': type, 'cache-control': 'no-store' };
    response.writeHead(served.has(url) ? 200 : 404, headers).end(served.get(url));
  });
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve));
  return opened.unref();
}
