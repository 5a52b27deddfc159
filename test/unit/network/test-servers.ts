import assert from 'node:assert/strict';
import http from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { waitForConnect } from '../../../main/network/dial.ts';

export interface ProxyResponse {
  readonly status: number | undefined;
  readonly body: string;
  readonly headers: http.IncomingHttpHeaders;
}

/** Listens on a loopback address, in place of a server on the Internet; disposal closes all connections. */
export async function serve(server: Server, address = '127.0.0.1') {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const port = (server.address() as AddressInfo).port;
  const close = () => new Promise((done) => server.close(done));
  return {
    port,
    sockets,
    async [Symbol.asyncDispose]() {
      const closed = close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Starts a server that responds with the method, host, path and body of the request. */
export function serveEcho(address?: string) {
  return serve(
    http.createServer((request, response) => {
      request.setEncoding('utf8');
      let body = '';
      request.on('data', (part: string) => (body += part));
      request.on('end', () =>
        response.end(`${request.method ?? ''} ${request.headers.host ?? ''}${request.url ?? ''} ${body}`),
      );
    }),
    address,
  );
}

/** Starts a server that echoes every byte. When the client ends its side, the server keeps sending until the connection breaks. */
export function serveTcpEcho() {
  return serve(
    createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('data', (bytes) => socket.write(bytes));
      const writeMore = () => socket.write('more', (error) => error ?? setImmediate(writeMore));
      socket.on('end', writeMore);
    }),
  );
}

/** Sends a proxy request like a browser, with the whole URL in the request line. */
export function get(
  proxyPort: number,
  url: string,
  options: http.RequestOptions & { body?: string } = {},
): Promise<ProxyResponse> {
  return new Promise((resolve, reject) => {
    const { body, ...more } = options;
    const headers = { Host: new URL(url).host };
    const request = http.request({
      host: '127.0.0.1',
      port: proxyPort,
      path: url,
      headers,
      agent: false,
      ...more,
    });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode, body: text, headers: response.headers });
      });
    });
    request.end(body);
  });
}

/** Sends a request like `get`, and expects the connection to end without any response. */
export async function getNothing(
  proxyPort: number,
  url: string,
  options: http.RequestOptions = {},
): Promise<void> {
  await assert.rejects(get(proxyPort, url, options), { code: 'ECONNRESET', message: 'socket hang up' }, url);
}

/** Sends a CONNECT request; `first` is the first line of the response. */
export async function openTunnel(
  proxyPort: number,
  authority: string,
): Promise<{ socket: Socket; first: string }> {
  const socket = await waitForConnect(connect(proxyPort, '127.0.0.1'));
  socket.on('error', () => {});
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  return { socket, first: (await nextText(socket)).split('\r\n')[0] ?? '' };
}

export function nextText(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.once('data', (bytes) => {
      resolve(bytes.toString());
    });
    socket.once('close', () => {
      reject(new Error('closed'));
    });
  });
}

export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else
      socket.once('close', () => {
        resolve();
      });
  });
}
