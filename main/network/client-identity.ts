/**
 * Presents the client certificate of a job (mutual TLS). Electron can use only certificates from the operating system's store.
 * The guard therefore terminates the browser's TLS for that one host and presents the certificate on its own TLS connection.
 */
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import tls, { TLSSocket } from 'node:tls';
import { waitForConnect } from './dial.ts';
import type { SelfSignedCertificate } from './self-signed-certificate.ts';
import { readHost, type HostAndPort } from './host-name.ts';

export interface ClientIdentity {
  /** The only host that receives the certificate, as written in URLs. */
  readonly hostname: string;
  /** PKCS #12. */
  readonly pfx: Buffer;
  readonly passphrase: string;
  /** Accept an invalid server certificate. */
  readonly anyServer: boolean;
}

/** The two ends of a tunnel and its target. */
export interface TunnelEnds {
  readonly browser: Duplex;
  readonly server: Duplex;
  readonly target: HostAndPort;
}

/** Wraps the ends of a tunnel before bytes are relayed. */
export type TunnelWrapper = (ends: TunnelEnds) => Promise<Pick<TunnelEnds, 'browser' | 'server'>>;

/** Returns a wrapper that terminates TLS for the certificate's host. It rejects if TLS to the server fails; TLS to the browser has not begun then. */
export function presentIdentity(
  identity: ClientIdentity,
  { cert, key }: SelfSignedCertificate,
): TunnelWrapper {
  const host = readHost(identity.hostname);
  return async (ends) => {
    if (ends.target.host !== host || !(await startsTls(ends.browser))) return ends;
    const server = await waitForConnect(connectTls(ends, identity), 'secureConnect');
    const browser = new TLSSocket(ends.browser, {
      isServer: true,
      cert,
      key,
      ALPNProtocols: [ALPN_PROTOCOL],
    });
    return { server, browser: browser.on('error', () => {}) };
  };
}

/** Bytes are relayed unchanged, so both sides must use the same HTTP version. */
const ALPN_PROTOCOL = 'http/1.1';

/** Whether the browser starts TLS; a tunnel can also carry plain ws:. The first bytes are put back. */
function startsTls(browser: Duplex): Promise<boolean> {
  return new Promise((resolve) => {
    browser.once('data', (first: Buffer) => {
      browser.pause();
      browser.unshift(first);
      resolve(first[0] === 0x16);
    });
    browser.once('close', () => {
      resolve(false);
    });
  });
}

function connectTls(
  { server, target }: TunnelEnds,
  { pfx, passphrase, anyServer }: ClientIdentity,
): TLSSocket {
  const socket = tls.connect({
    socket: server,
    pfx,
    passphrase,
    ca: [...trustedAuthorities()],
    rejectUnauthorized: !anyServer,
    ALPNProtocols: [ALPN_PROTOCOL],
    // An IP address is not allowed as server name (RFC 6066, 3), but the certificate must match it.
    ...(isIP(target.host) === 0 ? { servername: target.host } : { host: target.host }),
  });
  return socket.on('error', () => {});
}

/** Node's certificate authorities, and those of the operating system where Node can read them (22.15 and later). */
function trustedAuthorities(): readonly string[] {
  const { getCACertificates: read } = tls as { getCACertificates?: (type: string) => string[] };
  return read === undefined ? tls.rootCertificates : [...read('default'), ...read('system')];
}
