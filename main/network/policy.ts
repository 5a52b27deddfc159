/** Decides whether a target may be reached, and parses the operator's exceptions. Neither resolves names nor opens connections. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import {
  classifyAddress,
  embeddedAddresses,
  readAddress,
  isV6,
  type AddressClass,
  type Address,
} from './addresses.ts';
import { readHost, type HostAndPort } from './host-name.ts';
import { isOwnAddress, noServiceEndpoints, type ServiceEndpoints } from './service-endpoints.ts';

export type Policy = 'public' | 'intranet' | 'offline';

export interface NetworkRules {
  readonly policy: Policy;
  readonly allow: readonly HostPattern[];
  readonly deny: readonly HostPattern[];
}

/** A target and one of its host's addresses. If the host is itself an address, `address` equals `host`. */
interface Destination extends HostAndPort {
  readonly address: string;
}

/** `why` is the exact reason, for the log only: in a response it would let callers scan ports. */
export type Verdict = { readonly allowed: true } | { readonly allowed: false; readonly why: string };

/**
 * Returns whether the destination may be dialled. Deny overrides allow, and allow overrides the policy. The ports of the network
 * guards are never allowed.
 */
export function checkDestination(
  rules: NetworkRules,
  destination: Destination,
  serviceEndpoints: ServiceEndpoints = noServiceEndpoints,
): Verdict {
  const nameVerdict = checkHostName(rules, destination);
  if (nameVerdict) return nameVerdict;
  const { port } = destination;
  const address = readAddress(destination.address);
  const addressClass = classifyAddress(destination.address);
  if (!address || !addressClass) return refused(`"${destination.address}" is not an IP address`);
  // A denied IPv4 address is also denied when embedded in an IPv6 address. An allowed IPv4 address is not allowed in that form.
  const forms = [address, ...embeddedAddresses(address)];
  const denying = rules.deny.find((pattern) => forms.some((form) => matchesAddress(pattern, form, port)));
  if (denying) return refused(`denied by the exception ${denying.text}`);
  const isOwn = isOwnAddress(serviceEndpoints, addressClass, forms);
  if (isOwn && serviceEndpoints.guards.has(port))
    return refused('the port belongs to the network guard of this service');
  const allowing = rules.allow.filter(
    (pattern) => matchesHost(pattern, destination) || matchesAddress(pattern, address, port),
  );
  // An exception for a whole network or domain does not include this service, to which a page could send guessed or stolen keys.
  if (isOwn && serviceEndpoints.service === port && !allowing.some(isSpecific))
    return refused('the target is this service');
  if (allowing.length > 0 || reachableClasses[rules.policy].includes(addressClass)) return allowedVerdict;
  return refused(`the policy ${rules.policy} does not allow ${addressClass} addresses`);
}

/**
 * Returns the verdict if it follows from the host name, or undefined if the addresses must be checked. Call this before resolving
 * the name, because a DNS query can leak data. Under `offline`, a name therefore needs an exception for the name itself; an
 * exception for an address or a CIDR range allows only URLs that contain an address.
 */
export function checkHostName(rules: NetworkRules, target: HostAndPort): Verdict | undefined {
  const denying = rules.deny.find((pattern) => matchesHost(pattern, target));
  if (denying) return refused(`denied by the exception ${denying.text}`);
  if (rules.policy !== 'offline' || isIP(target.host) || isAllowedByName(rules, target)) return undefined;
  return refused('the policy offline allows no host name without an exception for it');
}

/** Returns whether an exception allows the host by name, whatever its addresses are. */
export function isAllowedByName(rules: NetworkRules, target: HostAndPort): boolean {
  return rules.allow.some((pattern) => matchesHost(pattern, target));
}

function refused(why: string): Verdict {
  return { allowed: false, why };
}

const allowedVerdict: Verdict = { allowed: true };

const reachableClasses: Readonly<Record<Policy, readonly AddressClass[]>> = {
  public: ['public'],
  intranet: ['public', 'private'],
  offline: [],
};

// The operator's exceptions (`--network-allow`, `--network-deny`): parses the patterns and matches them against targets.

interface PatternBase {
  /** The pattern as the operator wrote it, for the log. */
  readonly text: string;
  /** Undefined means every port. */
  readonly port: number | undefined;
}

export type HostPattern =
  | (PatternBase & { readonly kind: 'host'; readonly host: string })
  | (PatternBase & { readonly kind: 'subdomains'; readonly suffix: string })
  | (PatternBase & { readonly kind: 'network'; readonly start: Address; readonly bits: number });

/**
 * Parses one element of `--network-allow` or `--network-deny`: `example.com`, `*.example.com` (subdomains only), `10.0.0.5`, `::1`,
 * `[::1]`, `10.0.0.0/8`, `fd00::/8`. Each can end in `:port`; an IPv6 address then needs brackets.
 * Returns undefined for other text.
 */
export function readHostPattern(text: string): HostPattern | undefined {
  const trimmed = text.trim();
  const [, hostPart = '', digits] = readAddress(trimmed) ? [trimmed, trimmed] : splitPort(trimmed);
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  const base = { text: trimmed, port };
  if (hostPart.includes('/')) return readNetwork(hostPart, base);
  if (hostPart.startsWith('*.')) return readSubdomains(hostPart, base);
  return readOneHost(hostPart, base);
}

/** Returns whether the pattern matches the target by host name. Always false for an address pattern. */
function matchesHost(pattern: HostPattern, target: HostAndPort): boolean {
  if (pattern.port !== undefined && pattern.port !== target.port) return false;
  if (pattern.kind === 'host') return target.host === pattern.host;
  return pattern.kind === 'subdomains' && target.host.endsWith(pattern.suffix);
}

/** Returns whether the pattern matches the address and port. Always false for a host name pattern. */
function matchesAddress(pattern: HostPattern, address: Address, port: number): boolean {
  if (pattern.kind !== 'network' || (pattern.port !== undefined && pattern.port !== port)) return false;
  return address.kind() === pattern.start.kind() && address.match(pattern.start, pattern.bits);
}

/** Returns whether the pattern names a single host, address or port. */
function isSpecific(pattern: HostPattern): boolean {
  if (pattern.kind === 'host' || pattern.port !== undefined) return true;
  return pattern.kind === 'network' && pattern.bits === bitLength(pattern.start);
}

function splitPort(text: string): readonly (string | undefined)[] {
  return /^(.*?)(?::(\d{1,5}))?$/.exec(text) ?? [];
}

function readNetwork(hostPart: string, base: PatternBase): HostPattern | undefined {
  const [, networkText = '', digits] = /^(.+)\/(\d{1,3})$/.exec(hostPart) ?? [];
  const host = readHost(networkText);
  const start = host === undefined ? undefined : readAddress(host);
  if (!start || !host) return undefined;
  // `::ffff:10.0.0.0/104` is the IPv4 network 10.0.0.0/8.
  const bits = Number(digits) - (host.includes(':') && !isV6(start) ? 96 : 0);
  if (bits < 0 || bits > bitLength(start)) return undefined;
  return { ...base, kind: 'network', start, bits };
}

function readSubdomains(hostPart: string, base: PatternBase): HostPattern | undefined {
  const host = readName(hostPart.slice(2));
  return host === undefined ? undefined : { ...base, kind: 'subdomains', suffix: `.${host}` };
}

function readOneHost(hostPart: string, base: PatternBase): HostPattern | undefined {
  const start = readAddress(readHost(hostPart) ?? '');
  if (start) return { ...base, kind: 'network', start, bits: bitLength(start) };
  const host = readName(hostPart);
  return host === undefined ? undefined : { ...base, kind: 'host', host };
}

/** Parses a host name. Returns undefined for an address, and for stars and empty labels, which would never match. */
function readName(text: string): string | undefined {
  const host = readHost(text);
  return host !== undefined && /^[\w-]+(\.[\w-]+)*$/.test(host) && !ipaddr.isValid(host) ? host : undefined;
}

function bitLength(address: Address): number {
  return isV6(address) ? 128 : 32;
}
