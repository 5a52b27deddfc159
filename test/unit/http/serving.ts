import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';

export interface TestResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** Starts a server on loopback for an Express application. */
export async function serve(app: Express) {
  const server = http.createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    /** Sends a request with exactly these headers. */
    get: (headers: http.OutgoingHttpHeaders = {}, { localAddress = '127.0.0.1', path = '/' } = {}) =>
      new Promise<TestResponse>((resolve, reject) => {
        const request = http.get(
          { port, path, host: '127.0.0.1', headers, agent: false, localAddress },
          (response) => {
            let body = '';
            response.setEncoding('utf8').on('data', (part: string) => (body += part));
            response.on('end', () => {
              resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
            });
          },
        );
        request.on('error', reject);
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
