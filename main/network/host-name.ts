/** Normalises hosts and ports, so that they can be compared. */
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** The host and port of a connection. `host` is normalised by `readHost`. */
export interface HostAndPort {
  readonly host: string;
  /** 0 to 65,535. */
  readonly port: number;
}

/** A host name has 253 characters in ASCII. To convert a longer text takes quadratic time. */
const maxLength = 1000;

/**
 * Normalises a host from a URL, a CONNECT request or a setting: lower case, IDNA (UTS #46), no trailing dot, brackets or zone.
 * Every IPv4 notation (`127.1`, `0x7f.1`) becomes four decimals, as in browsers (WHATWG URL, host parser). Returns undefined for
 * text that is not a host.
 */
export function readHost(text: string): string | undefined {
  if (text.length > maxLength) return undefined;
  const isBracketed = text.startsWith('[') && text.endsWith(']') && text.includes(':');
  const unbracketed = isBracketed ? text.slice(1, -1) : text;
  if (isIP(unbracketed)) return unbracketed.split('%', 1)[0]?.toLowerCase();
  // domainToASCII would cut the text at `/`, `\`, `?` or `#` without an error.
  if (/[\s/\\?#@:%[\]]/.test(unbracketed)) return undefined;
  const host = domainToASCII(unbracketed).replace(/\.$/, '');
  // Removes one dot only. Without any dots, the name `0x7f..` would be read as the IPv4 address 0.0.0.127 on the next call.
  return host === '' || host.endsWith('.') ? undefined : host;
}

/** Returns the host and port of an http, https, ws or wss URL; undefined for another scheme or an invalid host. */
export function targetOfUrl(url: URL): HostAndPort | undefined {
  const defaultPort = defaultPorts[url.protocol];
  const host = readHost(url.hostname);
  if (defaultPort === undefined || host === undefined) return undefined;
  return { host, port: url.port === '' ? defaultPort : Number(url.port) };
}

/** Parses the `host:port` of a CONNECT request (RFC 9110, 9.3.6). Returns undefined if it is malformed. */
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

const defaultPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'ws:': 80,
  'wss:': 443,
};
