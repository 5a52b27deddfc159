/**
 * Owns the network guard: one filtering HTTP proxy on 127.0.0.1 for each browser session, and nothing of Electron.
 *
 * Plain node:http and node:net, not the `proxy-chain` library, because that library
 * - only half-closes a tunnel's far side when the browser or the proxy closes, so that an endless download goes on for ever;
 * - sends plain http through Node's global agent, which re-uses connections by host name: one made under another session's rules;
 * - answers with texts and statuses of its own (404 for a name that does not resolve), which a page would take for the server's.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { presenting, type ClientIdentity } from './client-identity.ts';
import { systemResolve, type Refusal, type Resolve, type Terms } from './admit.ts';
import { forward, MOST_HEADER_BYTES } from './forward.ts';
import { makeOwnCertificate } from './own-certificate.ts';
import type { NetworkRules } from './policy.ts';
import { proxiedRoute, type Proxies } from './proxied.ts';
import { directRoute, type Route, type RouteOptions } from './route.ts';
import { openTraffic, type Limit, type TrafficOptions } from './traffic.ts';
import { tunnel } from './tunnel.ts';
import { upstreamRoute } from './upstream.ts';

export type { Refusal, Resolve } from './admit.ts';
export type { Limit, TrafficLimits } from './traffic.ts';

export interface GuardOptions extends TrafficOptions {
  readonly rules: NetworkRules;
  /** `http://user:password@host:port` or https:. It is the operator's, so it is not judged. */
  readonly upstreamProxy?: URL | undefined;
  /** Called once for each refusal (of the first 1,000 of a job). */
  readonly log: (refusal: Refusal) => void;
  readonly resolve?: Resolve | undefined;
  /** Where this service is itself, that no page may reach. */
  readonly own?: Terms['own'];
}

/** What one job's caller has set. */
export interface JobNetwork {
  /** Judged like everything else; without effect where the operator has an upstream proxy. */
  readonly proxies: Proxies;
  readonly identity?: ClientIdentity;
}

export interface Guard extends AsyncDisposable {
  /** On 127.0.0.1. */
  readonly port: number;
  /** The operator's upstream proxy is the only way out. */
  readonly hasUpstream: boolean;
  /** Lets a job have a network of its own, until the reset. Ends what is open. */
  begin(network: JobNetwork): void;
  /** Whether it is the guard itself that shows the browser this certificate (`sha256/` and base64). */
  isOwnCertificate(fingerprint: string): boolean;
  /** What was refused since the last reset, oldest first; 1,000 at most. */
  refusals(): readonly Refusal[];
  /** Limits that the job has reached since the last reset. */
  exceeded(): readonly Limit[];
  /** Ends what is open, and lets nothing through until the reset. */
  shut(): void;
  /** Between jobs: forgets the refusals and ends every connection still open, the browser's idle ones too. */
  reset(): void;
}

/** Starts a guard; dispose it to end it with all its connections. Rejects if no port can be had. */
export async function openGuard(options: GuardOptions): Promise<Guard> {
  let job = startJob(options);
  const server = http.createServer(SERVER);
  server.on('connection', (socket) => {
    job.traffic.accept(socket);
  });
  server.on('request', (request, response) => void forward({ request, response }, job));
  server.on('connect', ({ url = '' }, browser, head) => void tunnel({ authority: url, browser, head }, job));
  server.on('clientError', (_error, socket) => socket.destroy());
  const port = await listen(server);
  return {
    port,
    hasUpstream: options.upstreamProxy !== undefined,
    begin(network) {
      job.end();
      job = startJob(options, network);
    },
    isOwnCertificate: (fingerprint) => job.own?.fingerprint === fingerprint,
    refusals: () => [...job.traffic.refusals],
    exceeded: () => [...job.traffic.exceeded],
    shut() {
      job.end();
    },
    reset() {
      job.end();
      job = startJob(options);
    },
    async [Symbol.asyncDispose]() {
      const closed = close(server);
      job.end();
      await closed;
    },
  };
}

/** No time limits: the job has one of its own, and an idle connection lives until the reset. */
const SERVER: http.ServerOptions = {
  maxHeaderSize: MOST_HEADER_BYTES,
  requestTimeout: 0,
  headersTimeout: 0,
  keepAliveTimeout: 0,
};

/** What belongs to one job is made anew for each, so that nothing can be left of the one before. */
function startJob(options: GuardOptions, network: JobNetwork = { proxies: {} }) {
  const { rules, own: places, resolve = systemResolve } = options;
  const traffic = openTraffic(options);
  const terms = { rules, resolve, traffic, own: places };
  const route = routeFor(terms, options.upstreamProxy, network.proxies);
  const own = network.identity && makeOwnCertificate();
  const between = network.identity && own && presenting(network.identity, own);
  const end = () => {
    route.close();
    traffic.end();
  };
  return { traffic, route, own, between, end };
}

function routeFor(needed: RouteOptions, upstream: URL | undefined, proxies: Proxies): Route {
  if (upstream) return upstreamRoute(needed, upstream);
  return (proxies.http ?? proxies.https) ? proxiedRoute(needed, proxies) : directRoute(needed);
}

function listen(server: http.Server): Promise<number> {
  return new Promise((resolve, reject) => {
    // A later error concerns one connection.
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function close(server: http.Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
