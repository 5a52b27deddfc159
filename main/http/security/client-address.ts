/** The address by which clients without a valid key are counted. */
import ipaddr from 'ipaddr.js';

/**
 * Returns the IPv4 address, even if mapped into IPv6, or the /64 network of an IPv6 address, because one client can use all addresses
 * of a network. X-Forwarded-For is never read, because a client can forge it.
 */
export function clientAddress(address = ''): string {
  const [plain = ''] = address.split('%');
  if (!ipaddr.isValid(plain)) return plain;
  const parsed = ipaddr.process(plain);
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
}
