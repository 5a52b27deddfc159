/** Owns the two ways out: straight to the judged address, or through the operator's upstream proxy. Knows no browser. */
import http from 'node:http';
import type { Socket } from 'node:net';
import { admit, type ResolvedAddress, type Terms } from './admit.ts';
import { connected, dial } from './dial.ts';
import type { Target } from './host.ts';
import type { Traffic } from './traffic.ts';

/** Every method rejects with a RefusedError if the rules refuse the target, else with the network's error. */
export interface Route {
  /** An open connection to the target, for a tunnel. */
  connect(target: Target): Promise<Socket>;
  /** What `http.request` needs to send a plain-http request for the URL. */
  aim(target: Target, url: URL): Promise<Aim>;
  /** Forgets idle connections. */
  close(): void;
}

export interface Aim {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly agent: http.Agent;
  /** Names and values in turn, to be sent besides the browser's. */
  readonly headers: readonly string[];
}

export interface RouteOptions extends Terms {
  readonly traffic: Traffic;
}

/**
 * Straight to the target. A name is resolved and judged once for each connection; a kept-alive connection serves later requests
 * for the same host and port without another question, because it leads to the address that was judged.
 */
export function directRoute(options: RouteOptions): Route {
  const connect = async (target: Target) => {
    const addresses = await addressesFor(target, options);
    return connected(options.traffic.track(dial(addresses, target.port)));
  };
  const agent = agentOf(connect);
  return {
    connect,
    aim: (target, url) => Promise.resolve({ ...target, path: url.pathname + url.search, agent, headers: [] }),
    close() {
      agent.destroy();
    },
  };
}

/** A pool of connections that are made by `connect` alone. One for each job: Node's own is shared by all, and asks no one. */
export function agentOf(connect: (target: Target) => Promise<Socket>): http.Agent {
  const agent = new http.Agent({ keepAlive: true });
  return Object.assign(agent, {
    createConnection({ host, port }: Target, done: (error: unknown, socket?: Socket) => void): undefined {
      connect({ host, port }).then((socket) => {
        done(null, socket);
      }, done);
    },
  });
}

async function addressesFor(target: Target, options: RouteOptions): Promise<readonly ResolvedAddress[]> {
  const admission = await admit(options, target);
  switch (admission.kind) {
    case 'admitted':
      return admission.addresses;
    case 'refused':
      throw options.traffic.refuse(admission.refusal);
    case 'unresolved':
      throw admission.cause;
  }
}
