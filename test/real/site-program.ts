/**
 * The web server of the corpus: serves the pages, the libraries and the data on a free port of loopback. It is a separate process,
 * so that checking results does not slow it down. It sends its port over IPC, and ends with its parent.
 */
import { createReadStream, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mime from 'mime-types';
import { answerApi, acceptSocket } from './site-api.ts';
import { corpus } from './libraries.ts';
import { image, tile } from './site-images.ts';

/** The latency of data: typical of a server in the same country. */
const latencyMs = 120;
const imageLatencyMs = 60;

const folders: Readonly<Record<string, { readonly folder: string; readonly latency: number }>> = {
  lib: { folder: join(corpus, 'node_modules'), latency: 0 },
  pages: { folder: join(corpus, 'pages'), latency: 0 },
  data: { folder: join(corpus, 'data'), latency: latencyMs },
  fragments: { folder: join(corpus, 'fragments'), latency: latencyMs },
};

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    response.writeHead(500).end(String(error));
  });
});
server.on('upgrade', acceptSocket);
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
process.once('disconnect', () => process.exit());

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
  const [, first = '', ...rest] = decodeURIComponent(pathname).split('/');
  const place = folders[first];
  if (place !== undefined) {
    await sleep(place.latency);
    sendFile(join(place.folder, normalize(`/${rest.join('/')}`)), response);
  } else if (first === 'images') {
    await sleep(imageLatencyMs);
    response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(image(rest.join('/')));
  } else if (first === 'tiles') {
    await sleep(imageLatencyMs);
    response.writeHead(200, { 'content-type': 'image/png' }).end(await tile(rest.map(Number.parseFloat)));
  } else if (first === 'api') answerApi(rest.join('/'), searchParams, response);
  else response.writeHead(404).end();
}

function sendFile(file: string, response: ServerResponse): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    response.writeHead(404).end();
    return;
  }
  const type = mime.contentType(mime.lookup(file) || 'application/octet-stream') || 'text/plain';
  response.writeHead(200, { 'content-type': type });
  createReadStream(file).pipe(response);
}
