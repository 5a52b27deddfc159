/** Normalizes host names and ports, so that hosts can be compared. */
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** The host and port of a connection. `host` is normalized by `readHost`. */
export interface HostAndPort {
  readonly host: string;
  /** 0..65535 */
  readonly port: number;
}

/**
 * Normalizes a host from a URL, a CONNECT line or a setting: lower case, IDNA (UTS #46), no trailing dot, no brackets, no zone.
 * Every IPv4 notation (`127.1`, `0x7f.1`) becomes four decimals, as in browsers (WHATWG URL, host parser). Returns undefined for
 * text that is not a host.
 */
export function readHost(text: string): string | undefined {
  const unbracketed = text.replace(/^\[(.*:.*)\]$/, '$1');
  if (isIP(unbracketed)) return unbracketed.replace(/%.*$/, '').toLowerCase();
  // domainToASCII silently stops at these characters.
  if (/[\s/\\?#@:%[\]]/.test(unbracketed)) return undefined;
  const host = domainToASCII(unbracketed).replace(/\.$/, '');
  // Stripping every dot would turn the name `0x7f..` into a number on the next call.
  return host === '' || host.endsWith('.') ? undefined : host;
}

/** Returns the target of an http, https, ws or wss URL, or undefined for another scheme. */
export function targetOfUrl(url: URL): HostAndPort | undefined {
  const defaultPort = DEFAULT_PORTS[url.protocol];
  const host = readHost(url.hostname);
  if (defaultPort === undefined || host === undefined) return undefined;
  return { host, port: url.port === '' ? defaultPort : Number(url.port) };
}

/** Returns the target of a CONNECT line's `host:port` (RFC 9110, 9.3.6), or undefined if it is malformed. */
export function targetOfAuthority(authority: string): HostAndPort | undefined {
  const parts = /^(.+):(\d{1,5})$/.exec(authority);
  const host = readHost(parts?.[1] ?? '');
  const port = Number(parts?.[2]);
  return host === undefined || !(port <= 65_535) ? undefined : { host, port };
}

/** Returns `host:port` as written in a request, with an IPv6 address in brackets. */
export function authorityOf({ host, port }: HostAndPort): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'ws:': 80,
  'wss:': 443,
};
