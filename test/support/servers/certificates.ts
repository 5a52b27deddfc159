/** Creates certificates for HTTPS servers on loopback and for clients, with openssl. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificates {
  /** Self-signed. */
  readonly server: { readonly key: Buffer; readonly cert: Buffer };
  /** The client's certificate and key as PKCS #12, with the password `secret`. */
  readonly client: Buffer;
  /** The same, with a password that takes seconds to derive. */
  readonly slowClient: Buffer;
  /** The certificate in `client`, which a server must trust to accept it. */
  readonly clientCert: Buffer;
}

export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'platen-certificates-'));
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });
  const createCertificate = (name: string, subject: string) =>
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '30',
      '-subj',
      `/CN=${subject}`,
      '-addext',
      'subjectAltName=IP:127.0.0.1',
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
    );
  createCertificate('server', '127.0.0.1');
  createCertificate('client', 'A caller');
  const identity = ['-inkey', 'client.key', '-in', 'client.pem', '-passout', 'pass:secret'];
  const exportClient = (file: string, ...more: string[]) =>
    openssl('pkcs12', '-export', ...identity, '-out', file, ...more);
  exportClient('client.p12');
  exportClient('slow.p12', '-iter', '2000000');
  const read = (name: string) => readFileSync(join(folder, name));
  const made = {
    server: { key: read('server.key'), cert: read('server.pem') },
    client: read('client.p12'),
    slowClient: read('slow.p12'),
    clientCert: read('client.pem'),
  };
  rmSync(folder, { recursive: true });
  return made;
}
