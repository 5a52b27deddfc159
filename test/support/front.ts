/** A proxy in front of a service that answers some requests itself. */
import { createServer, request, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Front extends AsyncDisposable {
  readonly url: string;
  /** The number of requests so far. */
  readonly asked: () => number;
}

/** Answers the first requests with these responses, and forwards all others to the service. */
export async function openFront(
  service: { url: string },
  ...answers: readonly RequestListener[]
): Promise<Front> {
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
    const onward = request(`${service.url}${url}`, { method, headers }, (came) => {
      outgoing.writeHead(came.statusCode ?? 0, came.headers);
      came.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
