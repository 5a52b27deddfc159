/** Owns what an IP address is: reading its text and saying what kind of place it points at. Knows nothing of policies. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

export type AddressClass =
  'public' | 'private' | 'loopback' | 'link-local' | 'multicast' | 'unspecified' | 'reserved';

/**
 * What kind of place an address points at; an IPv4 address hidden in an IPv6 one decides for it.
 * Text is an address as a resolver writes it (`10.0.0.5`, `fe80::1%eth0`; no brackets, no `127.1`: the URL parser
 * reads such notations first). Undefined for any other text.
 */
export function classifyAddress(text: string): AddressClass | undefined {
  const address = readAddress(text);
  return address && classOf(address);
}

/** The address, without its zone (RFC 4007) and with an IPv4-mapped one (RFC 4291, 2.5.5.2) as the IPv4 it is dialled as. */
export function readAddress(text: string): Address | undefined {
  const bare = text.replace(/%.*$/, '');
  switch (isIP(text)) {
    case 4:
      return ipaddr.IPv4.parse(text);
    case 6:
      // Through the URL parser, which writes hexadecimal only: the library takes the `::8.8.8.8` of a resolver for a mapped address.
      return ipaddr.process(new URL(`http://[${bare}]`).hostname.slice(1, -1));
    default:
      return undefined;
  }
}

/** The IPv4 addresses an IPv6 address may end up at: more than one where the notation leaves a choice. */
export function embeddedAddresses(address: Address): readonly ipaddr.IPv4[] {
  if (!isV6(address)) return [];
  const bytes = address.toByteArray();
  return EMBEDDINGS.filter(({ network }) => address.match(network)).map(
    ({ at, mask = 0 }) => new ipaddr.IPv4(at.map((position) => (bytes[position] ?? 0) ^ mask)),
  );
}

export function isV6(address: Address): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6';
}

function classOf(address: Address): AddressClass {
  if (METADATA.has(address.toString())) return 'link-local';
  const own = CLASS_OF_RANGE[address.range()] ?? 'reserved';
  // `::` and `::1` lie in the range of IPv4-compatible addresses without being any.
  if (!isV6(address) || own === 'unspecified' || own === 'loopback') return own;
  const embedded = embeddedAddresses(address).map(classOf);
  if (embedded.length > 0) return worstOf(embedded);
  // Only 2000::/3 is given out (RFC 4291, 2.4); what the library has no name for outside it is nobody's.
  return own === 'public' && !address.match(GLOBAL_UNICAST) ? 'reserved' : own;
}

/** Of several readings the most guarded counts; those nobody could dial don't, or any odd prefix would refuse all. */
function worstOf(classes: readonly AddressClass[]): AddressClass {
  const real = classes.filter((one) => one !== 'unspecified' && one !== 'reserved');
  const counting = real.length > 0 ? real : classes;
  return counting.reduce((worst, one) => (SEVERITY.indexOf(one) > SEVERITY.indexOf(worst) ? one : worst));
}

const SEVERITY: readonly AddressClass[] = [
  'public',
  'private',
  'reserved',
  'unspecified',
  'multicast',
  'loopback',
  'link-local',
];

/** Ranges by the library's names (from IANA's special-purpose registries). A name that is not here is reserved: fail closed. */
const CLASS_OF_RANGE: Readonly<Record<string, AddressClass>> = {
  unicast: 'public',
  // Anycast services that are globally reachable (RFC 7534, 7535, 7450).
  as112: 'public',
  as112v6: 'public',
  amt: 'public',
  private: 'private',
  carrierGradeNat: 'private',
  uniqueLocal: 'private',
  deprecatedSiteLocal: 'private',
  loopback: 'loopback',
  linkLocal: 'link-local',
  multicast: 'multicast',
  // 0.0.0.0/8 is "this host": Linux connects 0.0.0.0 to itself.
  unspecified: 'unspecified',
  broadcast: 'unspecified',
};

/** Where clouds hand out a machine's credentials: some outside the link-local ranges, but just as local. */
const METADATA: ReadonlySet<string> = new Set([
  '169.254.169.254',
  'fd00:ec2::254', // AWS
  'fd20:ce::254', // Google
  '100.100.100.200', // Alibaba
  '168.63.129.16', // Azure's host, on a public address
  '192.0.0.192', // Oracle
]);

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

interface Embedding {
  readonly network: [ipaddr.IPv6, number];
  /** Positions of the four bytes in the sixteen. */
  readonly at: readonly number[];
  readonly mask?: number;
}

const LAST_FOUR = [12, 13, 14, 15];

/** Where IPv6 hides IPv4. RFC 8215's local NAT64 prefix may be cut in four ways (RFC 6052, 2.2), so all four are read. */
const EMBEDDINGS: readonly Embedding[] = [
  { network: ipaddr.IPv6.parseCIDR('::/96'), at: LAST_FOUR }, // IPv4-compatible, RFC 4291
  { network: ipaddr.IPv6.parseCIDR('::ffff:0:0:0/96'), at: LAST_FOUR }, // IPv4-translated, RFC 7915
  { network: ipaddr.IPv6.parseCIDR('64:ff9b::/96'), at: LAST_FOUR }, // NAT64, RFC 6052
  { network: ipaddr.IPv6.parseCIDR('64:ff9b:1::/48'), at: [6, 7, 9, 10] },
  { network: ipaddr.IPv6.parseCIDR('64:ff9b:1::/48'), at: [7, 9, 10, 11] },
  { network: ipaddr.IPv6.parseCIDR('64:ff9b:1::/48'), at: [9, 10, 11, 12] },
  { network: ipaddr.IPv6.parseCIDR('64:ff9b:1::/48'), at: LAST_FOUR },
  { network: ipaddr.IPv6.parseCIDR('2002::/16'), at: [2, 3, 4, 5] }, // 6to4, RFC 3056
  { network: ipaddr.IPv6.parseCIDR('2001::/32'), at: [4, 5, 6, 7] }, // Teredo's server, RFC 4380
  { network: ipaddr.IPv6.parseCIDR('2001::/32'), at: LAST_FOUR, mask: 0xff }, // Teredo's client, inverted
];
