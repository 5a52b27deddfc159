/** Owns the way through another proxy: the operator's upstream, or one that a job's caller has named. */
import http from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { admit } from './admit.ts';
import { connected } from './dial.ts';
import { authorityOf, readHost, type Target } from './host.ts';
import { isNamed } from './policy.ts';
import { agentOf, type Route, type RouteOptions } from './route.ts';

/**
 * Through an http: or https: proxy, `user:password` in its URL sent as Basic credentials (RFC 7617). Throws a TypeError for another scheme.
 *
 * The upstream gets the name, not the address that was judged here: proxies of offices filter by name and refuse addresses. So this way
 * is not pinned, and the upstream's own rules are the second lock. `dial` makes a connection to the proxy; the operator's is not judged.
 */
export function upstreamRoute(
  options: RouteOptions,
  upstream: URL,
  dial = () => connected(...dialling(options, upstream)),
): Route {
  if (!/^https?:$/.test(upstream.protocol))
    throw new TypeError('The upstream proxy is neither http: nor https:');
  const agent = agentOf(dial);
  const headers = credentials(upstream);
  return {
    async connect(target) {
      await permit(target, options);
      return tunnelThrough(await dial(), target, headers);
    },
    async aim(target, url) {
      await permit(target, options);
      // A proxy is asked for the whole URL (RFC 9112, 3.2.2).
      const path = `http://${url.host}${url.pathname}${url.search}`;
      return { host: upstream.hostname, port: portOf(upstream), path, agent, headers };
    },
    close() {
      agent.destroy();
    },
  };
}

/**
 * Judges a name by what it resolves to here. Where only the upstream can resolve (usual behind an office's firewall) nothing can be
 * judged: `public` promises public addresses only, so it refuses; `intranet` lets the upstream decide, except for names that
 * mean the machine itself or its cloud's metadata; an exception for the name allows it anyway.
 */
async function permit(target: Target, options: RouteOptions): Promise<void> {
  const { rules, traffic } = options;
  const admission = await admit(options, target);
  if (admission.kind === 'refused') throw traffic.refuse(admission.refusal);
  if (admission.kind === 'admitted' || isNamed(rules, target)) return;
  if (rules.policy === 'intranet' && !LOCAL_NAME.test(target.host)) return;
  throw traffic.refuse({
    ...target,
    why: `does not resolve here, so the policy ${rules.policy} can't tell where the upstream proxy would go`,
  });
}

/** RFC 6761, 6.3; Google Cloud's metadata server. */
const LOCAL_NAME = /(^|\.)localhost$|^metadata(\.google\.internal|\.goog)?$/;

function dialling({ traffic }: RouteOptions, upstream: URL): [Socket, string] {
  const host = readHost(upstream.hostname) ?? upstream.hostname;
  const to = { host, port: portOf(upstream) };
  if (upstream.protocol === 'http:') return [traffic.track(connectTcp({ ...to, noDelay: true })), 'connect'];
  // An address is no server name (RFC 6066, 3).
  const tls = isIP(host) ? to : { ...to, servername: host };
  return [traffic.track(connectTls(tls)), 'secureConnect'];
}

/** Asks the upstream for a tunnel. Its refusal (407 too) is an error here: the browser must not ask anyone for its password. */
function tunnelThrough(socket: Socket, target: Target, headers: readonly string[]): Promise<Socket> {
  const path = authorityOf(target);
  const asking = http.request({
    method: 'CONNECT',
    path,
    headers: ['Host', path, ...headers],
    createConnection: () => socket,
  });
  return new Promise((resolve, reject) => {
    asking.on('error', reject);
    asking.on('connect', ({ statusCode }, tunnel: Socket, head) => {
      if (head.length > 0) tunnel.unshift(head);
      if (statusCode === 200) resolve(tunnel);
      else reject(refusedBy(tunnel, statusCode));
    });
    asking.end();
  });
}

function refusedBy(tunnel: Socket, statusCode = 0): Error {
  tunnel.destroy();
  return new Error(`The upstream proxy answered CONNECT with ${statusCode}`);
}

function credentials({ username, password }: URL): string[] {
  if (username === '' && password === '') return [];
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return ['Proxy-Authorization', `Basic ${Buffer.from(pair).toString('base64')}`];
}

/** The port of a proxy's address. */
export function portOf(upstream: URL): number {
  return upstream.port === '' ? (upstream.protocol === 'https:' ? 443 : 80) : Number(upstream.port);
}
