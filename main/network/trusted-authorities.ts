/** The certificate authorities that this service trusts on its own TLS connections. */
import tls from 'node:tls';

let authorities: readonly string[] | undefined;

/** Returns Node's certificate authorities and, with Node 22.15 or later, those of the operating system: always the same list. */
export function trustedAuthorities(): readonly string[] {
  return (authorities ??= readAuthorities());
}

function readAuthorities(): readonly string[] {
  const { getCACertificates: read } = tls as { getCACertificates?: (type: string) => string[] };
  return read === undefined ? tls.rootCertificates : [...read('default'), ...read('system')];
}
