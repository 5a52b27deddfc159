/** Parses IP addresses and classifies them as public, private, loopback and so on. Does not apply the network policy. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

export type AddressClass =
  'public' | 'private' | 'loopback' | 'link-local' | 'multicast' | 'unspecified' | 'reserved';

/**
 * Classifies an address. An IPv4 address embedded in an IPv6 address determines its class. The text is an address as a resolver
 * writes it (`10.0.0.5`, `fe80::1%eth0`), without brackets or short forms such as `127.1`; the URL parser normalizes those first.
 * Returns undefined for any other text.
 */
export function classifyAddress(text: string): AddressClass | undefined {
  const address = readAddress(text);
  return address && classOf(address);
}

/** Parses an address without its zone (RFC 4007). An IPv4-mapped address (RFC 4291, 2.5.5.2) becomes the IPv4 address it connects to. */
export function readAddress(text: string): Address | undefined {
  const bare = text.replace(/%.*$/, '');
  switch (isIP(text)) {
    case 4:
      return ipaddr.IPv4.parse(text);
    case 6:
      // The URL parser writes hexadecimal only. Otherwise the library would take a resolver's `::8.8.8.8` for a mapped address.
      return ipaddr.process(new URL(`http://[${bare}]`).hostname.slice(1, -1));
    default:
      return undefined;
  }
}

/** Returns the IPv4 addresses embedded in an IPv6 address; several if the format is ambiguous. */
export function embeddedAddresses(address: Address): readonly ipaddr.IPv4[] {
  if (!isV6(address)) return [];
  const bytes = address.toByteArray();
  return EMBEDDINGS.filter(({ network }) => address.match(network)).map(
    ({ positions, mask = 0 }) => new ipaddr.IPv4(positions.map((position) => (bytes[position] ?? 0) ^ mask)),
  );
}

export function isV6(address: Address): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6';
}

function classOf(address: Address): AddressClass {
  if (METADATA.has(address.toString())) return 'link-local';
  const rangeClass = CLASS_OF_RANGE[address.range()] ?? 'reserved';
  // `::` and `::1` are in the range of IPv4-compatible addresses, but embed no IPv4 address.
  if (!isV6(address) || rangeClass === 'unspecified' || rangeClass === 'loopback') return rangeClass;
  const embedded = embeddedAddresses(address).map(classOf);
  if (embedded.length > 0) return strictestClass(embedded);
  // Only 2000::/3 is global unicast (RFC 4291, 2.4); other ranges that the library does not name are unassigned.
  return rangeClass === 'public' && !address.match(GLOBAL_UNICAST) ? 'reserved' : rangeClass;
}

/**
 * Returns the most restricted class. Ignores classes that cannot be dialled, because one of the readings of an ambiguous format
 * (RFC 6052) often has such a class, which would refuse every address in that format.
 */
function strictestClass(classes: readonly AddressClass[]): AddressClass {
  const dialable = classes.filter((address) => address !== 'unspecified' && address !== 'reserved');
  const candidates = dialable.length > 0 ? dialable : classes;
  return candidates.reduce((strictest, addressClass) =>
    STRICTNESS.indexOf(addressClass) > STRICTNESS.indexOf(strictest) ? addressClass : strictest,
  );
}

/** From the least to the most restricted. */
const STRICTNESS: readonly AddressClass[] = [
  'public',
  'private',
  'reserved',
  'unspecified',
  'multicast',
  'loopback',
  'link-local',
];

/** Classes by the library's range names (IANA special-purpose registries). Unlisted ranges count as reserved. */
const CLASS_OF_RANGE: Readonly<Record<string, AddressClass>> = {
  unicast: 'public',
  // Globally reachable anycast services (RFC 7534, 7535, 7450).
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

/** Addresses of cloud metadata services, which hand out a machine's credentials. Some are outside the link-local range. */
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
  readonly positions: readonly number[];
  readonly mask?: number;
}

const LAST_FOUR = [12, 13, 14, 15];

/** IPv6 formats that embed an IPv4 address. RFC 8215's local NAT64 prefix can be split in four ways (RFC 6052, 2.2); all four are read. */
const EMBEDDINGS: readonly Embedding[] = [
  { network: ipaddr.IPv6.parseCIDR('::/96'), positions: LAST_FOUR }, // IPv4-compatible, RFC 4291
  { network: ipaddr.IPv6.parseCIDR('::ffff:0:0:0/96'), positions: LAST_FOUR }, // IPv4-translated, RFC 7915
  { network: ipaddr.IPv6.parseCIDR('64:ff9b::/96'), positions: LAST_FOUR }, // NAT64, RFC 6052
  { network: ipaddr.IPv6.parseCIDR('64:ff9b:1::/48'), positions: [6, 7, 9, 10] },
  { network: ipaddr.IPv6.parseCIDR('64:ff9b:1::/48'), positions: [7, 9, 10, 11] },
  { network: ipaddr.IPv6.parseCIDR('64:ff9b:1::/48'), positions: [9, 10, 11, 12] },
  { network: ipaddr.IPv6.parseCIDR('64:ff9b:1::/48'), positions: LAST_FOUR },
  { network: ipaddr.IPv6.parseCIDR('2002::/16'), positions: [2, 3, 4, 5] }, // 6to4, RFC 3056
  { network: ipaddr.IPv6.parseCIDR('2001::/32'), positions: [4, 5, 6, 7] }, // Teredo's server, RFC 4380
  { network: ipaddr.IPv6.parseCIDR('2001::/32'), positions: LAST_FOUR, mask: 0xff }, // Teredo's client, inverted
];
