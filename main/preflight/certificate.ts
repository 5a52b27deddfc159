/** Reads the service's TLS certificate from the operator's files and validates it. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket, type SecureContextOptions } from 'node:tls';
import type { Settings } from '../settings/table.ts';

/** The files, as absolute paths, and their passphrase. */
export interface CertificateFiles {
  readonly cert: string;
  /** Absent for a PKCS #12 file, or if `cert` also contains the key. */
  readonly key: string | undefined;
  readonly passphrase: string | undefined;
}

export interface Certificate {
  readonly files: CertificateFiles;
  readonly options: SecureContextOptions;
  readonly validUntil: Date;
  /** The state of the files before they were read, as `certificateFileState` returns it. */
  readonly fileState: string;
}

type TlsSettings = Pick<Settings, 'data' | 'tls-cert' | 'tls-key' | 'tls-passphrase'>;

/**
 * Returns the certificate that the settings name; undefined if they name none. Relative paths are in the data folder.
 * @throws Error with a one-sentence message that names the file and what is wrong with it
 */
export async function openCertificate(settings: TlsSettings): Promise<Certificate | undefined> {
  const { data = '', 'tls-cert': cert, 'tls-key': key, 'tls-passphrase': passphrase } = settings;
  if (cert === undefined) {
    if (key === undefined && passphrase === undefined) return undefined;
    throw new Error('tls-cert is not set, but tls-key or tls-passphrase is; set tls-cert, or remove them.');
  }
  const absolute = (file: string) => resolve(data, file);
  return readCertificate({ cert: absolute(cert), key: key && absolute(key), passphrase });
}

/** Reads and validates a certificate. @throws Error as `openCertificate` does */
export async function readCertificate(files: CertificateFiles): Promise<Certificate> {
  const fileState = await certificateFileState(files);
  return { ...(await validCertificate(files)), files, fileState };
}

/** Returns a string that changes when one of the files is replaced or written to. Missing files also have a state. */
export async function certificateFileState({ cert, key }: CertificateFiles): Promise<string> {
  const parts = [cert, key ?? cert].map(async (file) => {
    const { mtimeMs, size, ino } = await stat(file).catch(() => ({ mtimeMs: 0, size: 0, ino: 0 }));
    return `${mtimeMs} ${size} ${ino}`;
  });
  return (await Promise.all(parts)).join();
}

type ValidCertificate = Pick<Certificate, 'options' | 'validUntil'>;

async function validCertificate(files: CertificateFiles): Promise<ValidCertificate> {
  const cert = await readCertificateFile('tls-cert', files.cert);
  if (!isPem(cert)) return fromPkcs12(files, cert);
  const leaf = parseCertificate(files.cert, cert);
  const key = await readKey(files, cert);
  if (!leaf.checkPrivateKey(openKey(files, key)))
    throw new Error(
      `${files.key === undefined ? 'tls-cert' : 'tls-key'}: the private key in ${files.key ?? files.cert} does not match the first certificate in ${files.cert}.`,
    );
  const options = { cert, key, passphrase: files.passphrase, ...tlsOptions };
  testCertificate(files.cert, options);
  return { options, validUntil: new Date(leaf.validTo) };
}

const tlsOptions = { minVersion: 'TLSv1.2' } as const;

/** Maximum size of a file, a hundred times that of a long certificate chain. */
const maxFileBytes = 1_000_000;

async function readCertificateFile(setting: string, file: string): Promise<Buffer> {
  try {
    // Reading a pipe would block, and reading a device would never end.
    const stats = await stat(file);
    if (!stats.isFile() && !stats.isDirectory()) throw Object.assign(new Error(), { code: 'ENXIO' });
    if (stats.size > maxFileBytes) throw Object.assign(new Error(), { code: 'EFBIG' });
    return await readFile(file);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    throw new Error(`${setting}: ${file} ${fileProblems[code] ?? `cannot be read (${code})`}.`, { cause });
  }
}

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be read by this user',
  EISDIR: 'is a folder',
  ENXIO: 'is not a file',
  EFBIG: 'is too large for a certificate',
};

function isPem(bytes: Buffer): boolean {
  return bytes.includes('-----BEGIN ');
}

function parseCertificate(file: string, cert: Buffer): X509Certificate {
  try {
    return new X509Certificate(cert);
  } catch (cause) {
    throw new Error(`tls-cert: ${file} contains no certificate.`, { cause });
  }
}

async function readKey({ cert: file, key }: CertificateFiles, cert: Buffer): Promise<Buffer> {
  if (key !== undefined) return readCertificateFile('tls-key', key);
  if (cert.includes('PRIVATE KEY-----')) return cert;
  throw new Error(
    `tls-key is not set, and ${file} contains no private key; set tls-key to the file with the key.`,
  );
}

function openKey({ cert, key: file = cert, passphrase }: CertificateFiles, key: Buffer) {
  try {
    return createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) });
  } catch (cause) {
    const encrypted = key.includes('ENCRYPTED');
    throw new Error(
      `tls-key: ${file} ${encrypted ? passphraseProblem(passphrase) : 'contains no private key'}.`,
      {
        cause,
      },
    );
  }
}

function passphraseProblem(passphrase: string | undefined): string {
  return passphrase === undefined
    ? 'is encrypted; set tls-passphrase'
    : 'cannot be opened with this tls-passphrase';
}

function fromPkcs12(files: CertificateFiles, pfx: Buffer): ValidCertificate {
  const { cert: file, passphrase } = files;
  if (files.key !== undefined)
    throw new Error(
      `tls-key must not be set: ${file} is not a PEM file, and a PKCS #12 file contains its own key.`,
    );
  const options = { pfx, passphrase, ...tlsOptions };
  const validUntil = testCertificate(file, options);
  if (validUntil === undefined) throw new Error(`tls-cert: ${file} contains no certificate.`);
  return { options, validUntil };
}

/**
 * Returns the expiry date of the certificate that the server would present; undefined if the files contain no certificate.
 * @throws Error with a one-sentence message if the files cannot be used
 */
function testCertificate(file: string, options: SecureContextOptions): Date | undefined {
  try {
    const unconnected = new Duplex({ read() {}, write() {} });
    const socket = new TLSSocket(unconnected, {
      isServer: true,
      secureContext: createSecureContext(options),
    });
    const certificate = socket.getCertificate();
    socket.destroy();
    return certificate !== null && 'valid_to' in certificate ? new Date(certificate.valid_to) : undefined;
  } catch (cause) {
    throw new Error(`tls-cert: ${file} ${describeTlsError(cause as Error, options)}.`, { cause });
  }
}

/** Returns the end of a sentence that starts with the file. Recognises messages of OpenSSL (Node) and BoringSSL (Electron). */
function describeTlsError({ message }: Error, { pfx, passphrase }: SecureContextOptions): string {
  if (pfx !== undefined && /INCORRECT_PASSWORD|mac verify/i.test(message))
    return passphraseProblem(passphrase === '' ? undefined : passphrase);
  if (pfx !== undefined && /BAD_PKCS12|not enough data|asn1|decode/i.test(message))
    return 'is neither PEM nor PKCS #12';
  return `cannot be used: ${message}`;
}
