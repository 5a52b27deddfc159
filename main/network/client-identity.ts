/**
 * Owns the client certificate of a job (mutual TLS). Electron takes such certificates from the operating system's store
 * alone; so the guard ends the browser's TLS to that one host itself, and shows the certificate on a TLS of its own.
 */
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import tls, { TLSSocket } from 'node:tls';
import { connected } from './dial.ts';
import type { OwnCertificate } from './own-certificate.ts';
import { readHost, type Target } from './host.ts';

export interface ClientIdentity {
  /** The one host it is shown to, as URLs spell it. */
  readonly hostname: string;
  /** PKCS #12. */
  readonly pfx: Buffer;
  readonly passphrase: string;
  /** The server's own certificate need not be valid. */
  readonly anyServer: boolean;
}

/** A tunnel's two ends, and where it leads. */
export interface Ends {
  readonly browser: Duplex;
  readonly server: Duplex;
  readonly target: Target;
}

/** What the two ends become. */
export type Between = (ends: Ends) => Promise<Pick<Ends, 'browser' | 'server'>>;

/** Rejects when the server's TLS fails, before the browser's has begun. */
export function presenting(identity: ClientIdentity, { cert, key }: OwnCertificate): Between {
  const host = readHost(identity.hostname);
  return async (ends) => {
    if (ends.target.host !== host || !(await beginsTls(ends.browser))) return ends;
    const server = await connected(tlsTo(ends, identity), 'secureConnect');
    const browser = new TLSSocket(ends.browser, { isServer: true, cert, key, ALPNProtocols: [protocol] });
    return { server, browser: browser.on('error', () => {}) };
  };
}

/** The bytes that are passed on are the same on both sides, so both must speak the same HTTP. */
const protocol = 'http/1.1';

/** A tunnel may also carry ws:, which is plain. Its first byte is put back. */
function beginsTls(browser: Duplex): Promise<boolean> {
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

function tlsTo({ server, target }: Ends, { pfx, passphrase, anyServer }: ClientIdentity): TLSSocket {
  const socket = tls.connect({
    ...{ socket: server, pfx, passphrase, ca: [...trusted()], rejectUnauthorized: !anyServer },
    ALPNProtocols: [protocol],
    // An address is no server name (RFC 6066, 3), but it is what the certificate must be for.
    ...(isIP(target.host) === 0 ? { servername: target.host } : { host: target.host }),
  });
  return socket.on('error', () => {});
}

/** The machine's own authorities too, where this Node can read them (22.15 and later). */
function trusted(): readonly string[] {
  const { getCACertificates: read } = tls as { getCACertificates?: (type: string) => string[] };
  return read === undefined ? tls.rootCertificates : [...read('default'), ...read('system')];
}
