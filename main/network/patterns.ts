/** Owns the operator's exceptions: reading one from a setting and telling whether it names a target. */
import ipaddr from 'ipaddr.js';
import { isV6, readAddress, type Address } from './addresses.ts';
import { readHost, type Target } from './host.ts';

interface Written {
  /** As the operator wrote it, for the log. */
  readonly text: string;
  /** Undefined: every port. */
  readonly port: number | undefined;
}

export type HostPattern =
  | (Written & { readonly kind: 'host'; readonly host: string })
  | (Written & { readonly kind: 'subdomains'; readonly suffix: string })
  | (Written & { readonly kind: 'network'; readonly start: Address; readonly bits: number });

/**
 * One element of `--network-allow` or `--network-deny`: `example.com`, `*.example.com` (sub-domains, not the bare name),
 * `10.0.0.5`, `::1`, `[::1]`, `10.0.0.0/8`, `fd00::/8`; each with `:port` behind it if wanted (an IPv6 address then needs its
 * brackets). Undefined if it is none of these.
 */
export function readHostPattern(text: string): HostPattern | undefined {
  const trimmed = text.trim();
  const [, front = '', digits] = readAddress(trimmed) ? [trimmed, trimmed] : splitPort(trimmed);
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  const written = { text: trimmed, port };
  if (front.includes('/')) return readNetwork(front, written);
  if (front.startsWith('*.')) return readSubdomains(front, written);
  return readOneHost(front, written);
}

/** Whether the pattern names the target by its host name (never true for a pattern of addresses). */
export function namesHost(pattern: HostPattern, target: Target): boolean {
  if (pattern.port !== undefined && pattern.port !== target.port) return false;
  if (pattern.kind === 'host') return target.host === pattern.host;
  return pattern.kind === 'subdomains' && target.host.endsWith(pattern.suffix);
}

/** Whether the pattern names the address, at the port. */
export function namesAddress(pattern: HostPattern, address: Address, port: number): boolean {
  if (pattern.kind !== 'network' || (pattern.port !== undefined && pattern.port !== port)) return false;
  return address.kind() === pattern.start.kind() && address.match(pattern.start, pattern.bits);
}

/** Whether the pattern means one place: a host, a single address, or a port. */
export function isExact(pattern: HostPattern): boolean {
  if (pattern.kind === 'host' || pattern.port !== undefined) return true;
  return pattern.kind === 'network' && pattern.bits === sizeOf(pattern.start);
}

function splitPort(text: string): readonly (string | undefined)[] {
  return /^(.*?)(?::(\d{1,5}))?$/.exec(text) ?? [];
}

function readNetwork(front: string, written: Written): HostPattern | undefined {
  const [, inside = '', digits] = /^(.+)\/(\d{1,3})$/.exec(front) ?? [];
  const host = readHost(inside);
  const start = host === undefined ? undefined : readAddress(host);
  if (!start || !host) return undefined;
  // `::ffff:10.0.0.0/104` is read as the IPv4 network it is.
  const bits = Number(digits) - (host.includes(':') && !isV6(start) ? 96 : 0);
  if (bits < 0 || bits > sizeOf(start)) return undefined;
  return { ...written, kind: 'network', start, bits };
}

function readSubdomains(front: string, written: Written): HostPattern | undefined {
  const host = readName(front.slice(2));
  return host === undefined ? undefined : { ...written, kind: 'subdomains', suffix: `.${host}` };
}

function readOneHost(front: string, written: Written): HostPattern | undefined {
  const start = readAddress(readHost(front) ?? '');
  if (start) return { ...written, kind: 'network', start, bits: sizeOf(start) };
  const host = readName(front);
  return host === undefined ? undefined : { ...written, kind: 'host', host };
}

/** A name, and no address: a star or an empty label in it is the operator's slip, better told than never matched. */
function readName(text: string): string | undefined {
  const host = readHost(text);
  return host !== undefined && /^[\w-]+(\.[\w-]+)*$/.test(host) && !ipaddr.isValid(host) ? host : undefined;
}

function sizeOf(address: Address): number {
  return isV6(address) ? 128 : 32;
}
