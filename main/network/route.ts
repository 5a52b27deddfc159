/** Defines how the guard reaches a target (`Route`), and implements the direct route. */
import http from 'node:http';
import type { Socket } from 'node:net';
import { admit, type AdmissionContext } from './resolve-target.ts';
import { dial, isLocalNetworkDenied, waitForConnect } from './dial.ts';
import type { HostAndPort } from './host-name.ts';
import type { ResolvedAddress } from './name-resolver.ts';
import type { Traffic } from './traffic.ts';

/**
 * A way to reach targets. `connect` and `requestOptions` reject with a RefusedError if the network rules refuse the target. `signal`
 * aborts when the connection is no longer needed, also while it waits for the resolver.
 */
export interface Route {
  /** Opens a connection to the target, for a tunnel. */
  connect(target: HostAndPort, signal: AbortSignal): Promise<Socket>;
  /** Returns the `http.request` options for a plain-http request to the URL. */
  requestOptions(target: HostAndPort, url: URL, signal: AbortSignal): Promise<RouteRequestOptions>;
  /** Closes idle connections. */
  close(): void;
}

export interface RouteRequestOptions {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly agent: http.Agent;
  /** Node passes it on to `createConnection` of the agent. */
  readonly connectSignal: AbortSignal;
  /** Alternating names and values, sent in addition to the browser's headers. */
  readonly headers: readonly string[];
}

export interface RouteOptions extends AdmissionContext {
  readonly traffic: Traffic;
}

/**
 * Returns a route that connects directly to the target. A name is resolved and checked once per connection. A keep-alive
 * connection serves later requests for the same host and port without another check, because its address was allowed.
 */
export function directRoute(options: RouteOptions): Route {
  const connect = async (target: HostAndPort, signal: AbortSignal) => {
    const addresses = await allowedAddresses(target, options, signal);
    const startedAt = performance.now();
    try {
      return await waitForConnect(options.traffic.track(dial(addresses, target.port)));
    } catch (error) {
      if (isLocalNetworkDenied({ error, addresses, durationMs: performance.now() - startedAt }))
        options.traffic.reportLocalNetworkDenied();
      throw error;
    }
  };
  const agent = createAgent(connect);
  return {
    connect,
    requestOptions: (target, url, connectSignal) =>
      Promise.resolve({ ...target, path: url.pathname + url.search, agent, connectSignal, headers: [] }),
    close() {
      agent.destroy();
    },
  };
}

/**
 * Returns a connection pool that opens connections only with `connect`. Each job needs its own pool: Node's global agent would
 * share connections between jobs and bypass the network rules.
 */
export function createAgent(connect: Route['connect']): http.Agent {
  const agent = new http.Agent({ keepAlive: true });
  return Object.assign(agent, {
    createConnection(
      { host, port, connectSignal }: RouteRequestOptions,
      done: (error: unknown, socket?: Socket) => void,
    ): undefined {
      connect({ host, port }, connectSignal).then((socket) => {
        done(null, socket);
      }, done);
    },
  });
}

async function allowedAddresses(
  target: HostAndPort,
  options: RouteOptions,
  signal: AbortSignal,
): Promise<readonly ResolvedAddress[]> {
  const admission = await admit(options, target, signal);
  switch (admission.kind) {
    case 'admitted':
      return admission.addresses;
    case 'refused':
      throw options.traffic.refuse(admission.refusal);
    case 'unresolved':
      throw admission.cause;
  }
}
