/** The service's own certificate: read from the operator's files, and looked at before it is used. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket, type SecureContextOptions } from 'node:tls';
import type { Settings } from '../settings/table.ts';

/** Absolute. */
export interface CertificateFiles {
  readonly cert: string;
  /** Absent for PKCS #12, or when `cert` holds the key, too. */
  readonly key: string | undefined;
  readonly passphrase: string | undefined;
}

export interface Certificate {
  readonly files: CertificateFiles;
  readonly options: SecureContextOptions;
  /** When it ends. */
  readonly until: Date;
}

type TlsSettings = Pick<Settings, 'data' | 'tls-cert' | 'tls-key' | 'tls-passphrase'>;

/**
 * The certificate that the settings name, if any; relative paths are in the data folder.
 * @throws Error with one sentence that names the file and what is wrong with it.
 */
export async function openCertificate(settings: TlsSettings): Promise<Certificate | undefined> {
  const { data = '', 'tls-cert': cert, 'tls-key': key, 'tls-passphrase': passphrase } = settings;
  if (cert === undefined) {
    if (key === undefined && passphrase === undefined) return undefined;
    throw new Error('tls-cert is missing: tls-key and tls-passphrase alone make no certificate.');
  }
  const absolute = (file: string) => resolve(data, file);
  return readCertificate({ cert: absolute(cert), key: key && absolute(key), passphrase });
}

/** @throws Error as above */
export async function readCertificate(files: CertificateFiles): Promise<Certificate> {
  const cert = await read('tls-cert', files.cert);
  if (!isPem(cert)) return fromPkcs12(files, cert);
  const leaf = parsed(files.cert, cert);
  const key = await keyFor(files, cert);
  if (!leaf.checkPrivateKey(openKey(files, key)))
    throw new Error(
      `tls-key: ${files.key ?? files.cert} is not the key of the first certificate in ${files.cert}.`,
    );
  const options = { cert, key, passphrase: files.passphrase, ...strength };
  tryOut(files.cert, options);
  return { files, options, until: new Date(leaf.validTo) };
}

const strength = { minVersion: 'TLSv1.2' } as const;

/** Bytes; a hundred times the longest chain. */
const largest = 1_000_000;

async function read(setting: string, file: string): Promise<Buffer> {
  try {
    // A pipe would be waited for, and a device is read until memory ends.
    const found = await stat(file);
    if (!found.isFile() && !found.isDirectory()) throw Object.assign(new Error(), { code: 'ENXIO' });
    if (found.size > largest) throw Object.assign(new Error(), { code: 'EFBIG' });
    return await readFile(file);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    throw new Error(`${setting}: ${file} ${reasons[code] ?? `cannot be read (${code})`}.`, { cause });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read by this user',
  EISDIR: 'is a folder',
  ENXIO: 'is not a file',
  EFBIG: 'is too large for one',
};

function isPem(bytes: Buffer): boolean {
  return bytes.includes('-----BEGIN ');
}

function parsed(file: string, cert: Buffer): X509Certificate {
  try {
    return new X509Certificate(cert);
  } catch (cause) {
    throw new Error(`tls-cert: ${file} holds no certificate.`, { cause });
  }
}

async function keyFor({ cert: file, key }: CertificateFiles, cert: Buffer): Promise<Buffer> {
  if (key !== undefined) return read('tls-key', key);
  if (cert.includes('PRIVATE KEY-----')) return cert;
  throw new Error(`tls-key is missing, and ${file} holds no private key.`);
}

function openKey({ cert, key: file = cert, passphrase }: CertificateFiles, key: Buffer) {
  try {
    return createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) });
  } catch (cause) {
    const encrypted = key.includes('ENCRYPTED');
    throw new Error(`tls-key: ${file} ${encrypted ? locked(passphrase) : 'holds no private key'}.`, {
      cause,
    });
  }
}

function locked(passphrase: string | undefined): string {
  return passphrase === undefined ? 'needs its tls-passphrase' : 'cannot be opened with this tls-passphrase';
}

function fromPkcs12(files: CertificateFiles, pfx: Buffer): Certificate {
  const { cert: file, passphrase } = files;
  if (files.key !== undefined)
    throw new Error(`tls-key is of no use: ${file} is no PEM file, and PKCS #12 holds its key itself.`);
  const options = { pfx, passphrase, ...strength };
  const until = tryOut(file, options);
  if (until === undefined) throw new Error(`tls-cert: ${file} holds no certificate.`);
  return { files, options, until };
}

/** When the certificate ends that a caller would be shown. @throws Error as above when none could be */
function tryOut(file: string, options: SecureContextOptions): Date | undefined {
  try {
    const unconnected = new Duplex({ read() {}, write() {} });
    const socket = new TLSSocket(unconnected, {
      isServer: true,
      secureContext: createSecureContext(options),
    });
    const shown = socket.getCertificate();
    socket.destroy();
    return shown !== null && 'valid_to' in shown ? new Date(shown.valid_to) : undefined;
  } catch (cause) {
    throw new Error(`tls-cert: ${file} ${explain(cause as Error, options)}.`, { cause });
  }
}

/** OpenSSL's words and BoringSSL's, which is what Electron has. */
function explain({ message }: Error, { pfx, passphrase }: SecureContextOptions): string {
  if (pfx !== undefined && /INCORRECT_PASSWORD|mac verify/i.test(message))
    return locked(passphrase === '' ? undefined : passphrase);
  if (pfx !== undefined && /BAD_PKCS12|not enough data|asn1|decode/i.test(message))
    return 'is neither PEM nor PKCS #12';
  return `cannot be used: ${message}`;
}
