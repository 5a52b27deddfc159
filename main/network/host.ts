/** Owns the one spelling of a host in which hosts are compared. Knows nothing of rules. */
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** Where a connection is meant to go. `host` is spelled as `readHost` spells it. */
export interface Target {
  readonly host: string;
  /** 0..65535 */
  readonly port: number;
}

/**
 * A host as URLs, CONNECT lines and settings write it, in the one spelling it is compared in: lower case, IDNA (UTS #46),
 * no trailing dot, no brackets, no zone, and every odd IPv4 notation (`127.1`, `0x7f.1`) as four decimals, read as browsers do
 * (WHATWG URL, host parser). Undefined if it is no host.
 */
export function readHost(text: string): string | undefined {
  const bare = text.replace(/^\[(.*:.*)\]$/, '$1');
  if (isIP(bare)) return bare.replace(/%.*$/, '').toLowerCase();
  // domainToASCII stops at these in silence.
  if (/[\s/\\?#@:%[\]]/.test(bare)) return undefined;
  const host = domainToASCII(bare).replace(/\.$/, '');
  // Without all of its dots `0x7f..`, a name, would be read as a number the next time.
  return host === '' || host.endsWith('.') ? undefined : host;
}

/** Where an http, https, ws or wss URL leads, or undefined for another scheme. */
export function targetOfUrl(url: URL): Target | undefined {
  const usual = USUAL_PORTS[url.protocol];
  const host = readHost(url.hostname);
  if (usual === undefined || host === undefined) return undefined;
  return { host, port: url.port === '' ? usual : Number(url.port) };
}

/** Where a CONNECT line's `host:port` leads (RFC 9110, 9.3.6), or undefined if it is none. */
export function targetOfAuthority(authority: string): Target | undefined {
  const parts = /^(.+):(\d{1,5})$/.exec(authority);
  const host = readHost(parts?.[1] ?? '');
  const port = Number(parts?.[2]);
  return host === undefined || !(port <= 65_535) ? undefined : { host, port };
}

/** `host:port` as it is written on the wire, an IPv6 address in brackets. */
export function authorityOf({ host, port }: Target): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

const USUAL_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'ws:': 80, 'wss:': 443 };
