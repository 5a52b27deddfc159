/** A reverse proxy in front of a service, which can respond to requests itself. */
import { createServer, request, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReverseProxy extends AsyncDisposable {
  readonly url: string;
  /** The number of requests so far. */
  readonly requestCount: () => number;
}

/** Opens a proxy that handles its first requests with these listeners, one each, and forwards all later requests to the service. */
export async function openReverseProxy(
  service: { url: string },
  ...answers: readonly RequestListener[]
): Promise<ReverseProxy> {
  let requests = 0;
  const server = createServer((incoming, outgoing) => {
    const answer = answers[requests];
    requests += 1;
    if (answer !== undefined) {
      incoming.resume().once('end', () => {
        answer(incoming, outgoing);
      });
      return;
    }
    const { method, headers, url = '' } = incoming;
    const onward = request(`${service.url}${url}`, { method, headers }, (upstream) => {
      outgoing.writeHead(upstream.statusCode ?? 0, upstream.headers);
      upstream.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requestCount: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
