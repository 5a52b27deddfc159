/** The certificate authorities that this service trusts on its own TLS connections. */
import tls from 'node:tls';

/** Returns Node's certificate authorities and, with Node 22.15 or later, those of the operating system. */
export function trustedAuthorities(): readonly string[] {
  const { getCACertificates: read } = tls as { getCACertificates?: (type: string) => string[] };
  return read === undefined ? tls.rootCertificates : [...read('default'), ...read('system')];
}
