/** Certificates for signatures, and a time stamp server, made with openssl. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveWeb } from './web-server.ts';

const issuer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];

/** A folder with a certification authority. Dispose it to remove the folder. */
export class SigningFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'platen-signing-'));

  constructor() {
    this.openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '3650',
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-subj',
      '/CN=Test CA',
    );
  }

  openssl(...words: string[]): string {
    return execFileSync('openssl', words, { cwd: this.path, encoding: 'utf8', stdio: 'pipe' });
  }

  /** Creates a PKCS #12 file with the password `secret`, and returns its path. With 0 days it expires at once. */
  certificate(
    name: string,
    {
      key = ['rsa:2048'],
      days = 365,
      usage = 'extendedKeyUsage=emailProtection',
      exportOptions = [],
    }: {
      readonly key?: readonly string[];
      readonly days?: number;
      readonly usage?: string;
      readonly exportOptions?: readonly string[];
    } = {},
  ): string {
    const subject = `/C=DE/O=Müller & Söhne/CN=${name}`;
    this.openssl(
      'req',
      '-newkey',
      ...key,
      '-nodes',
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
      '-utf8',
      '-subj',
      subject,
    );
    writeFileSync(
      join(this.path, 'extensions'),
      `keyUsage=critical,digitalSignature,nonRepudiation\n${usage}\n`,
    );
    this.openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      ...issuer,
      '-days',
      String(days),
      '-extfile',
      'extensions',
      '-out',
      `${name}.pem`,
    );
    const files = [
      '-inkey',
      `${name}.key`,
      '-in',
      `${name}.pem`,
      '-certfile',
      'ca.pem',
      '-out',
      `${name}.p12`,
    ];
    this.openssl('pkcs12', '-export', ...files, '-passout', 'pass:secret', ...exportOptions);
    return join(this.path, `${name}.p12`);
  }

  /** Starts a time stamp server (RFC 3161). */
  async serveTimeStamps() {
    this.certificate('tsa', { usage: 'extendedKeyUsage=critical,timeStamping' });
    const settings = {
      serial: join(this.path, 'serial'),
      signer_cert: 'tsa.pem',
      signer_key: 'tsa.key',
      certs: 'ca.pem',
      signer_digest: 'sha256',
      default_policy: '1.2.3.4.1',
      digests: 'sha256',
      ess_cert_id_alg: 'sha256',
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    writeFileSync(join(this.path, 'tsa.cnf'), ['[tsa]', 'default_tsa = t', '[t]', ...lines, ''].join('\n'));
    return serveWeb({
      '/': (request, response) => {
        const parts: Buffer[] = [];
        request.on('data', (part: Buffer) => parts.push(part));
        request.once('end', () => {
          writeFileSync(join(this.path, 'query'), Buffer.concat(parts));
          this.openssl('ts', '-reply', '-config', 'tsa.cnf', '-queryfile', 'query', '-out', 'reply');
          response.writeHead(200, { 'content-type': 'application/timestamp-reply' });
          response.end(readFileSync(join(this.path, 'reply')));
        });
      },
    });
  }

  /** Verifies the signature of a PDF as CAdES, with this authority. Returns the signature as openssl prints it. @throws Error */
  verify(pdf: Buffer): string {
    const text = pdf.toString('latin1');
    const [, ...numbers] = /\/ByteRange \[ (\d+) (\d+) (\d+) (\d+) *\]/.exec(text) ?? [];
    const [, end = 0, next = 0, length = 0] = numbers.map(Number);
    const padded = Buffer.from(text.slice(end + 1, next - 1), 'hex');
    writeFileSync(join(this.path, 'signature'), padded.subarray(0, padded.readUInt16BE(2) + 4));
    writeFileSync(
      join(this.path, 'content'),
      Buffer.concat([pdf.subarray(0, end), pdf.subarray(next, next + length)]),
    );
    const input = ['-inform', 'DER', '-in', 'signature'];
    this.openssl(
      'cms',
      '-verify',
      '-cades',
      '-binary',
      ...input,
      '-content',
      'content',
      '-CAfile',
      'ca.pem',
      '-purpose',
      'any',
      '-out',
      'verified',
    );
    return this.openssl('cms', '-cmsout', '-print', ...input);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}
