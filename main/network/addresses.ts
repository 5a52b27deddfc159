/** Parses IP addresses and classifies them as public, private, loopback and so on. Does not apply the network policy. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

export type AddressClass =
  'public' | 'private' | 'loopback' | 'link-local' | 'multicast' | 'unspecified' | 'reserved';

/**
 * Returns the class of an address in the form a resolver returns (`10.0.0.5`, `fe80::1%eth0`). An IPv6 address that embeds IPv4
 * addresses has the strictest class among those. Returns undefined for any other text, including brackets and short forms such
 * as `127.1`: the URL parser normalises those first.
 */
export function classifyAddress(text: string): AddressClass | undefined {
  const address = readAddress(text);
  return address && classOf(address);
}

/**
 * Parses an IP address and drops its zone (RFC 4007). Returns an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2) as IPv4, and
 * undefined for any other text.
 */
export function readAddress(text: string): Address | undefined {
  const [bare = ''] = text.split('%', 1);
  switch (isIP(text)) {
    case 4:
      return ipaddr.IPv4.parse(text);
    case 6:
      // The URL parser rewrites the address in hexadecimal. ipaddr.js would take `::8.8.8.8` for an IPv4-mapped address.
      return ipaddr.process(new URL(`http://[${bare}]`).hostname.slice(1, -1));
    default:
      return undefined;
  }
}

/** Returns the IPv4 addresses embedded in an IPv6 address; several if the format is ambiguous. */
export function embeddedAddresses(address: Address): readonly ipaddr.IPv4[] {
  if (!isV6(address)) return [];
  const bytes = address.toByteArray();
  return embeddings
    .filter(({ network }) => address.match(network))
    .map(
      ({ positions, mask = 0 }) =>
        new ipaddr.IPv4(positions.map((position) => (bytes[position] ?? 0) ^ mask)),
    );
}

export function isV6(address: Address): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6';
}

function classOf(address: Address): AddressClass {
  if (metadataAddresses.has(address.toString())) return 'link-local';
  const rangeClass = classOfRange[address.range()] ?? 'reserved';
  // `::` and `::1` are in the range of IPv4-compatible addresses, but embed no IPv4 address.
  if (!isV6(address) || rangeClass === 'unspecified' || rangeClass === 'loopback') return rangeClass;
  const embedded = embeddedAddresses(address).map(classOf);
  if (embedded.length > 0) return strictestClass(embedded);
  // Only 2000::/3 is global unicast (RFC 4291, 2.4); other ranges that the library does not name are unassigned.
  return rangeClass === 'public' && !address.match(globalUnicast) ? 'reserved' : rangeClass;
}

/**
 * Returns the strictest class. Ignores `unspecified` and `reserved` if there are other classes: an ambiguous format (RFC 6052) is
 * read in four ways, and one of them often results in such a class, which would refuse every address in that format.
 */
function strictestClass(classes: readonly AddressClass[]): AddressClass {
  const dialable = classes.filter(
    (addressClass) => addressClass !== 'unspecified' && addressClass !== 'reserved',
  );
  const candidates = dialable.length > 0 ? dialable : classes;
  return candidates.reduce((strictest, addressClass) =>
    classesByStrictness.indexOf(addressClass) > classesByStrictness.indexOf(strictest)
      ? addressClass
      : strictest,
  );
}

/** Address classes, from the least to the most restricted. */
const classesByStrictness: readonly AddressClass[] = [
  'public',
  'private',
  'reserved',
  'unspecified',
  'multicast',
  'loopback',
  'link-local',
];

/** Address classes by ipaddr.js range name (IANA special-purpose registries). Ranges not listed here count as reserved. */
const classOfRange: Readonly<Record<string, AddressClass>> = {
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
  // 0.0.0.0/8 is "this host": on Linux, a connection to 0.0.0.0 reaches the machine itself.
  unspecified: 'unspecified',
  broadcast: 'unspecified',
};

/** Addresses of cloud metadata services, which hand out a machine's credentials. Not all are in the link-local range. */
const metadataAddresses: ReadonlySet<string> = new Set([
  '169.254.169.254',
  'fd00:ec2::254', // AWS
  'fd20:ce::254', // Google
  '100.100.100.200', // Alibaba
  '168.63.129.16', // Azure (a public address)
  '192.0.0.192', // Oracle
]);

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

interface Embedding {
  readonly network: [ipaddr.IPv6, number];
  /** Positions of the four IPv4 bytes among the 16 bytes of the IPv6 address. */
  readonly positions: readonly number[];
  /** XORed with each of the four bytes; 0 if absent. */
  readonly mask?: number;
}

const lastFour = [12, 13, 14, 15];

/** IPv6 formats that embed an IPv4 address. RFC 8215's local NAT64 prefix allows four positions (RFC 6052, 2.2); all are listed. */
const embeddings: readonly Embedding[] = [
  { network: ipaddr.IPv6.parseCIDR('::/96'), positions: lastFour }, // IPv4-compatible, RFC 4291
  { network: ipaddr.IPv6.parseCIDR('::ffff:0:0:0/96'), positions: lastFour }, // IPv4-translated, RFC 7915
  { network: ipaddr.IPv6.parseCIDR('64:ff9b::/96'), positions: lastFour }, // NAT64, RFC 6052
  { network: ipaddr.IPv6.parseCIDR('64:ff9b:1::/48'), positions: [6, 7, 9, 10] },
  { network: ipaddr.IPv6.parseCIDR('64:ff9b:1::/48'), positions: [7, 9, 10, 11] },
  { network: ipaddr.IPv6.parseCIDR('64:ff9b:1::/48'), positions: [9, 10, 11, 12] },
  { network: ipaddr.IPv6.parseCIDR('64:ff9b:1::/48'), positions: lastFour },
  { network: ipaddr.IPv6.parseCIDR('2002::/16'), positions: [2, 3, 4, 5] }, // 6to4, RFC 3056
  { network: ipaddr.IPv6.parseCIDR('2001::/32'), positions: [4, 5, 6, 7] }, // Teredo's server, RFC 4380
  { network: ipaddr.IPv6.parseCIDR('2001::/32'), positions: lastFour, mask: 0xff }, // Teredo's client, inverted
];
