/** The certificate authorities that this service trusts on its own TLS connections. */
import tls from 'node:tls';

let authorities: readonly string[] | undefined;

/**
 * Returns the PEM certificates of Node's authorities and those of the operating system, always the same list. Returns undefined if Node
 * cannot read the latter (before 22.15). Contexts then use Node's own list, which Node parses only once.
 */
export function trustedAuthorities(): readonly string[] | undefined {
  const { getCACertificates: read } = tls as { getCACertificates?: (type: string) => string[] };
  if (read === undefined) return undefined;
  return (authorities ??= [...read('default'), ...read('system')]);
}
