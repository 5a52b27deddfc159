/** Implements the route through another proxy: the operator's upstream proxy, or one that a job names. */
import http from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { admit } from './resolve-target.ts';
import { waitForConnect } from './dial.ts';
import { authorityOf, readHost, type HostAndPort } from './host-name.ts';
import { isAllowedByName } from './policy.ts';
import { createAgent, type Route, type RouteOptions } from './route.ts';

/**
 * Returns a route through an http: or https: proxy. `user:password` in the proxy's URL is sent as Basic credentials (RFC 7617).
 *
 * The proxy receives the host name instead of the address that was checked here, because corporate proxies filter by name and
 * refuse addresses. The connection is therefore not pinned to the checked address; the proxy must apply its own rules.
 *
 * `dial` opens a connection to the proxy. The default does not apply the network rules, because the operator sets that proxy.
 *
 * @throws TypeError if the proxy's URL has another scheme.
 */
export function upstreamRoute(
  options: RouteOptions,
  upstream: URL,
  dial: (signal: AbortSignal) => Promise<Socket> = () => dialUpstream(options, upstream),
): Route {
  if (!/^https?:$/.test(upstream.protocol))
    throw new TypeError('The URL of the upstream proxy must start with http: or https:');
  const agent = createAgent((_target, signal) => dial(signal));
  const headers = credentials(upstream);
  return {
    async connect(target, signal) {
      await assertAllowed(target, options, signal);
      return tunnelThrough(await dial(signal), target, headers);
    },
    async requestOptions(target, url, connectSignal) {
      await assertAllowed(target, options, connectSignal);
      // A request to a proxy contains the whole URL (RFC 9112, 3.2.2).
      const path = `http://${url.host}${url.pathname}${url.search}`;
      return { host: upstream.hostname, port: portOf(upstream), path, agent, connectSignal, headers };
    },
    close() {
      agent.destroy();
    },
  };
}

/**
 * Checks the addresses to which this machine resolves the target's name. Behind a corporate firewall, often only the upstream
 * proxy can resolve names, so there is no address to check. In that case the policy `public` refuses the target, because it
 * promises public addresses only. `intranet` leaves the decision to the upstream proxy, except for names of the machine itself
 * and of cloud metadata servers. A name that an exception allows need not resolve.
 *
 * @throws RefusedError
 */
async function assertAllowed(target: HostAndPort, options: RouteOptions, signal: AbortSignal): Promise<void> {
  const { rules, traffic } = options;
  const admission = await admit(options, target, signal);
  if (admission.kind === 'refused') throw traffic.refuse(admission.refusal);
  if (admission.kind === 'admitted' || isAllowedByName(rules, target)) return;
  if (rules.policy === 'intranet' && !localName.test(target.host)) return;
  throw traffic.refuse({
    ...target,
    why: `the name does not resolve here, so the policy ${rules.policy} cannot check the address the upstream proxy would use`,
  });
}

/** Names of the machine itself (RFC 6761, 6.3) and of Google Cloud's metadata server. */
const localName = /(^|\.)localhost$|^metadata(\.google\.internal|\.goog)?$/;

function dialUpstream({ traffic }: RouteOptions, upstream: URL): Promise<Socket> {
  const host = readHost(upstream.hostname) ?? upstream.hostname;
  const target = { host, port: portOf(upstream) };
  if (upstream.protocol === 'http:')
    return waitForConnect(traffic.track(connectTcp({ ...target, noDelay: true })));
  // RFC 6066, 3 forbids an IP address as server name.
  const tlsOptions = isIP(host) ? target : { ...target, servername: host };
  return waitForConnect(traffic.track(connectTls(tlsOptions)), 'secureConnect');
}

/** Asks the proxy for a tunnel. Rejects if the proxy refuses; its 407 would make the browser ask for the proxy's password. */
function tunnelThrough(socket: Socket, target: HostAndPort, headers: readonly string[]): Promise<Socket> {
  const path = authorityOf(target);
  const request = http.request({
    method: 'CONNECT',
    path,
    headers: ['Host', path, ...headers],
    createConnection: () => socket,
  });
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('connect', ({ statusCode }, tunnel: Socket, head) => {
      if (head.length > 0) tunnel.unshift(head);
      if (statusCode === 200) resolve(tunnel);
      else reject(connectRefused(tunnel, statusCode));
    });
    request.end();
  });
}

function connectRefused(tunnel: Socket, statusCode = 0): Error {
  tunnel.destroy();
  return new Error(`The upstream proxy refused CONNECT with status ${statusCode}`);
}

function credentials({ username, password }: URL): string[] {
  if (username === '' && password === '') return [];
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return ['Proxy-Authorization', `Basic ${Buffer.from(pair).toString('base64')}`];
}

/** Returns the port of a proxy's URL, by default 80 for http: and 443 for https:. */
export function portOf(upstream: URL): number {
  return upstream.port === '' ? (upstream.protocol === 'https:' ? 443 : 80) : Number(upstream.port);
}
