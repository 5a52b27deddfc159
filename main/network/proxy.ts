/**
 * Owns the network guard: a filtering HTTP proxy on 127.0.0.1, one for each browser context. Does not depend on Electron.
 *
 * It uses node:http and node:net instead of the `proxy-chain` library, because that library
 * - only half-closes the server side of a tunnel when the browser or the proxy closes, so that an endless download never ends;
 * - sends plain http through Node's global agent, which reuses connections by host name, even if other network rules allowed them;
 * - sends its own error responses (404 for a name that does not resolve), which a page would attribute to the server.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { presentIdentity, type ClientIdentity } from './client-identity.ts';
import { systemResolve, type Resolve } from './name-resolver.ts';
import type { GuardRefusal, AdmissionContext } from './resolve-target.ts';
import { forward, maxHeaderBytes } from './forward.ts';
import { createSelfSignedCertificate } from './self-signed-certificate.ts';
import type { NetworkRules } from './policy.ts';
import { directRoute, type Route, type RouteOptions } from './route.ts';
import { Traffic, type TrafficLimit, type TrafficOptions } from './traffic.ts';
import { openTunnel } from './tunnel.ts';
import { upstreamRoute, portOf } from './upstream.ts';
import { readHost } from './host-name.ts';

export type { Resolve } from './name-resolver.ts';
export type { GuardRefusal } from './resolve-target.ts';
export type { TrafficLimit, TrafficLimits } from './traffic.ts';

export interface GuardOptions extends TrafficOptions {
  readonly rules: NetworkRules;
  /** `http://user:password@host:port` or https:. Set by the operator, so the network rules do not apply to this proxy. */
  readonly upstreamProxy?: URL | undefined;
  /** Called once for each of the first 1,000 refusals of a job. */
  readonly log: (refusal: GuardRefusal) => void;
  readonly resolve?: Resolve | undefined;
  /** Returns the current endpoints of this service, which no page may reach. */
  readonly serviceEndpoints?: AdmissionContext['serviceEndpoints'];
}

/** The network options of one job. */
export interface JobNetwork {
  /** The account of the job. Accounts take turns in resolving names. */
  readonly account?: string;
  /** The network rules apply to these proxies. Ignored if the operator has set an upstream proxy. */
  readonly proxies: Proxies;
  readonly identity?: ClientIdentity;
}

export interface Guard extends AsyncDisposable {
  /** The port on 127.0.0.1. */
  readonly port: number;
  /** Whether all requests go through the operator's upstream proxy. */
  readonly hasUpstream: boolean;
  /** Ends all open connections, then applies the network options of a job until `reset`. */
  begin(network: JobNetwork): void;
  /** Returns whether the guard presents the certificate with this fingerprint (`sha256/` and base64) to the browser. */
  isOwnCertificate(fingerprint: string): boolean;
  /** Returns the job's refusals, oldest first, at most 1,000. */
  refusals(): readonly GuardRefusal[];
  /** Returns the bytes that the job has received and sent so far. */
  transferredBytes(): number;
  /** Returns the limits that the job has exceeded. */
  exceeded(): readonly TrafficLimit[];
  /** Returns whether the operating system has denied the job's connections to the local network. */
  isLocalNetworkDenied(): boolean;
  /** Ends all open connections, so that pending requests fail. New connections are accepted. */
  dropConnections(): void;
  /** Ends all open connections, and each new connection until `begin` or `reset`. */
  stopAccepting(): void;
  /**
   * Ends all open connections, including the browser's idle ones, and discards the job's network options, refusals and exceeded
   * limits. Called between jobs.
   */
  reset(): void;
}

/** Starts a guard. Rejects if it cannot listen. Disposing of the guard ends its connections and closes its port. */
export async function openGuard(options: GuardOptions): Promise<Guard> {
  let job = startJob(options);
  const server = http.createServer(serverOptions);
  server.on('connection', (socket) => {
    job.traffic.accept(socket);
  });
  server.on('request', (request, response) => void forward({ request, response }, job));
  server.on(
    'connect',
    ({ url = '' }, browser, head) => void openTunnel({ authority: url, browser, head }, job),
  );
  server.on('clientError', (_error, socket) => socket.destroy());
  const port = await listen(server);
  return {
    port,
    hasUpstream: options.upstreamProxy !== undefined,
    begin(network) {
      job.end();
      job = startJob(options, network);
    },
    isOwnCertificate: (fingerprint) => job.certificate?.fingerprint === fingerprint,
    refusals: () => [...job.traffic.refusals],
    transferredBytes: () => job.traffic.bytes,
    exceeded: () => [...job.traffic.exceeded],
    isLocalNetworkDenied: () => job.traffic.isLocalNetworkDenied,
    dropConnections() {
      job.traffic.abort();
    },
    stopAccepting() {
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

/** No timeouts: the job has its own timeout, and idle connections live until `reset`. */
const serverOptions: http.ServerOptions = {
  maxHeaderSize: maxHeaderBytes,
  requestTimeout: 0,
  headersTimeout: 0,
  keepAliveTimeout: 0,
};

/** Creates the state of one job. Nothing is shared with the previous job. */
function startJob(options: GuardOptions, network: JobNetwork = { proxies: {} }) {
  const { rules, serviceEndpoints, resolve = systemResolve } = options;
  const traffic = new Traffic(options);
  const routeOptions: RouteOptions = {
    rules,
    resolve,
    account: network.account,
    traffic,
    serviceEndpoints,
  };
  const route = routeFor(routeOptions, options.upstreamProxy, network.proxies);
  const certificate = network.identity && createSelfSignedCertificate();
  const wrapEnds = network.identity && certificate && presentIdentity(network.identity, certificate);
  const end = () => {
    route.close();
    traffic.end();
  };
  return { traffic, route, certificate, wrapEnds, end };
}

function routeFor(options: RouteOptions, upstream: URL | undefined, proxies: Proxies): Route {
  if (upstream) return upstreamRoute(options, upstream);
  return (proxies.http ?? proxies.https) ? proxiedRoute(options, proxies) : directRoute(options);
}

function listen(server: http.Server): Promise<number> {
  return new Promise((resolve, reject) => {
    // Has no effect after the promise has resolved: a later error affects only a single connection.
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

/** The proxies that a job's options name, for http: and https: targets. */
interface Proxies {
  readonly http?: URL;
  readonly https?: URL;
}

/** Connects through the proxies that the job names. The network rules apply to each proxy and to the targets behind it. */
function proxiedRoute(options: RouteOptions, { http, https }: Proxies): Route {
  const direct = directRoute(options);
  const routeThrough = (proxy: URL | undefined): Route => {
    if (proxy === undefined) return direct;
    const host = readHost(proxy.hostname) ?? proxy.hostname;
    return upstreamRoute(options, proxy, (signal) => direct.connect({ host, port: portOf(proxy) }, signal));
  };
  const plain = routeThrough(http);
  const tunnelled = routeThrough(https);
  return {
    connect: (target, signal) => tunnelled.connect(target, signal),
    requestOptions: (target, url, signal) => plain.requestOptions(target, url, signal),
    close() {
      for (const route of [direct, plain, tunnelled]) route.close();
    },
  };
}
