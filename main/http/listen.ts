/** Listening, and the graceful stop: no new jobs, waiting ones are refused, running ones finish within 30 s. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../failure/failure.ts';
import { takeAddress } from '../preflight/take-address.ts';
import { pause } from '../signals.ts';
import type { Settings } from '../settings/table.ts';

export interface Listening extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

interface ListenParts {
  readonly server: Server;
  readonly settings: Pick<Settings, 'host' | 'port' | 'tls-cert'>;
  /** All that works on jobs: `close` refuses those that wait and those that come. */
  readonly works: readonly { readonly close: () => void; readonly state: { readonly working: number } }[];
  /** Aborted when running jobs must end. */
  readonly stopping: AbortController;
}

const patience = 30_000;

/** @throws Error with one sentence when the address cannot be had. */
export async function listen({ server, settings, works, stopping }: ListenParts): Promise<Listening> {
  const { host } = settings;
  await takeAddress(server, settings);
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    url: `${settings['tls-cert'] === undefined ? 'http' : 'https'}://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${address.port}`,
    async [Symbol.asyncDispose]() {
      for (const work of works) work.close();
      const deadline = setTimeout(() => {
        stopping.abort(new Failure('unavailable', 'The service is shutting down.', { retryAfter: 10 }));
      }, patience);
      // Until the last job is done there are answers to give: that no more are taken, and that it is still alive.
      while (works.some((work) => work.state.working > 0)) await pause(50, never);
      clearTimeout(deadline);
      await closeServer(server);
    },
  };
}

const never = new AbortController().signal;

/** Lets the last answers out; clients keep their connections for later, which are idle then. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const idling = setInterval(() => {
    server.closeIdleConnections();
  }, 50);
  const enough = setTimeout(() => {
    server.closeAllConnections();
  }, 2000);
  await closed;
  clearInterval(idling);
  clearTimeout(enough);
}
