/**
 * Presents the client certificate of a job to one host (mutual TLS). Electron can use only certificates from the operating
 * system's store. The network guard therefore terminates the browser's TLS for that host and presents the certificate on its own
 * TLS connection to the server.
 */
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import tls, { TLSSocket, type SecureContext } from 'node:tls';
import { waitForConnect } from './dial.ts';
import type { SelfSignedCertificate } from './self-signed-certificate.ts';
import { readHost, type HostAndPort } from './host-name.ts';
import { trustedAuthorities } from './trusted-authorities.ts';

export interface ClientIdentity {
  /** The only host that receives the certificate, as written in URLs. */
  readonly hostname: string;
  /** Certificate and private key in PKCS #12 format. */
  readonly pfx: Buffer;
  readonly passphrase: string;
  /** Whether an invalid server certificate is accepted. */
  readonly acceptsInvalidCertificate: boolean;
}

/** Both ends of a CONNECT tunnel, and its target. */
export interface TunnelEnds {
  readonly browser: Duplex;
  readonly server: Duplex;
  readonly target: HostAndPort;
}

/** Wraps the ends of a tunnel before bytes are relayed. */
export type TunnelWrapper = (ends: TunnelEnds) => Promise<Pick<TunnelEnds, 'browser' | 'server'>>;

/**
 * Returns a wrapper that terminates TLS in tunnels to the certificate's host and leaves other tunnels unchanged. The wrapper
 * rejects if TLS to the server cannot be established; TLS to the browser begins only after that.
 */
export function presentIdentity(
  identity: ClientIdentity,
  { cert, key }: SelfSignedCertificate,
): TunnelWrapper {
  const host = readHost(identity.hostname);
  let context: SecureContext | undefined;
  return async (ends) => {
    if (ends.target.host !== host || !(await startsTls(ends.browser))) return ends;
    context ??= contextOf(identity);
    const server = await waitForConnect(connectTls(ends, identity, context), 'secureConnect');
    const browser = new TLSSocket(ends.browser, {
      isServer: true,
      cert,
      key,
      ALPNProtocols: [alpnProtocol],
    });
    return { server, browser: browser.on('error', () => {}) };
  };
}

/** Bytes are relayed unchanged, so both sides must use the same HTTP version. */
const alpnProtocol = 'http/1.1';

/** Returns whether the browser's first byte starts a TLS handshake; a tunnel can also carry plain ws:. Puts the bytes back. */
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

/** Opening the certificate takes many milliseconds, so all connections of a job share the context. */
function contextOf({ pfx, passphrase }: ClientIdentity): SecureContext {
  const authorities = trustedAuthorities();
  return tls.createSecureContext({ pfx, passphrase, ...(authorities && { ca: [...authorities] }) });
}

function connectTls(
  { server, target }: TunnelEnds,
  { acceptsInvalidCertificate }: ClientIdentity,
  secureContext: SecureContext,
): TLSSocket {
  const socket = tls.connect({
    socket: server,
    secureContext,
    rejectUnauthorized: !acceptsInvalidCertificate,
    ALPNProtocols: [alpnProtocol],
    // RFC 6066, 3 forbids an IP address as server name. With `host`, Node still checks that the certificate matches the address.
    ...(isIP(target.host) === 0 ? { servername: target.host } : { host: target.host }),
  });
  return socket.on('error', () => {});
}
