/**
 * Signs documents with the certificates that the operator has assigned to accounts. Its libraries are loaded when they are first used,
 * because most installations sign nothing.
 */
import { stat } from 'node:fs/promises';
import { Failure } from '../../failure/failure.ts';
import type { Signature, Signer } from '../output.ts';
import { prepareSignature, writeSignature } from './sign-document.ts';
import { readSigningCertificate, type SigningCertificate } from '../../preflight/signing-certificate.ts';

export interface SignerOptions {
  /** The absolute paths of PKCS #12 files by the names of accounts. */
  readonly certificates: ReadonlyMap<string, string>;
  /** The password of the files without a file `<path>.password`. */
  readonly password: string | undefined;
  /** The address of an RFC 3161 server; without it, signatures have no time stamp. */
  readonly timestampUrl: string | undefined;
  /** Called with a sentence for each certificate that has expired or will expire within 30 days. */
  readonly onExpiring: (message: string) => void;
}

const dayMs = 86_400_000;
const warningDays = 30;

/**
 * Opens the signer, and reads all certificates once, so that a wrong password prevents the start and not the first signature.
 * @throws Error with a one-sentence message that names the file and what is wrong with it
 */
export async function openSigner(options: SignerOptions): Promise<Signer> {
  const cache = new Map<string, CachedCertificate>();
  for (const path of options.certificates.values()) {
    const { leaf } = await load(path);
    const until = new Date(leaf.validTo);
    if (until.getTime() - Date.now() < warningDays * dayMs)
      options.onExpiring(`signing-certificate: ${path} is valid until ${day(until)}; replace it.`);
  }

  /** Reads a file again if it has changed. */
  async function load(path: string): Promise<SigningCertificate> {
    const { mtimeMs, size } = await stat(path).catch(() => ({ mtimeMs: 0, size: -1 }));
    const cached = cache.get(path);
    if (cached?.mtimeMs === mtimeMs && cached.size === size) return cached.certificate;
    const certificate = await readSigningCertificate(path, options.password);
    cache.set(path, { certificate, mtimeMs, size });
    return certificate;
  }

  return {
    async prepare(account) {
      const path = options.certificates.get(account);
      if (path === undefined) throw noCertificate(account);
      const certificate = await load(path).catch((cause: unknown) => {
        throw new Failure(
          'unavailable',
          'The signing certificate of this account cannot be read. Ask the operator.',
          {
            retryAfter: 60,
            cause,
          },
        );
      });
      checkDates(account, certificate);
      return signatureWith(certificate, options.timestampUrl);
    },
  };
}

interface CachedCertificate {
  readonly certificate: SigningCertificate;
  readonly mtimeMs: number;
  readonly size: number;
}

/** Bytes of the parts of a signature other than certificates and time stamp. */
const baseBytes = 3000;
/** Bytes of a time stamp with its certificates. */
const timeStampBytes = 14_000;

function signatureWith(certificate: SigningCertificate, timestampUrl: string | undefined): Signature {
  const { leaf, issuers } = certificate;
  const certificateBytes = [leaf, ...issuers].reduce((bytes, { raw }) => bytes + raw.length, 0);
  const maxBytes = baseBytes + certificateBytes + (timestampUrl === undefined ? 0 : timeStampBytes);
  return {
    prepareTask: (window, run) =>
      prepareSignature(window, run, { signer: commonNameOf(leaf.subject), maxBytes }),
    async sign(bytes, room, { signal }) {
      const [{ signDigest }, { requestTimeStamp }] = await Promise.all([
        import('./cms.ts'),
        import('./time-stamp.ts'),
      ]);
      const stamp =
        timestampUrl === undefined
          ? undefined
          : (digest: Buffer) => requestTimeStamp(timestampUrl, digest, signal);
      writeSignature(bytes, room, await signDigest(room.digest, certificate, stamp));
    },
  };
}

function commonNameOf(subject: string): string {
  return /(?:^|\n)CN=(.*)/.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ');
}

function noCertificate(account: string): Failure {
  return new Failure(
    'valueNotAllowed',
    `sign=true needs a signing certificate, but the account ${account} has none. Ask the operator to set signing-certificate, or remove sign.`,
  );
}

function checkDates(account: string, { leaf }: SigningCertificate): void {
  const from = new Date(leaf.validFrom);
  const until = new Date(leaf.validTo);
  const now = Date.now();
  if (now >= from.getTime() && now <= until.getTime()) return;
  const problem = now < from.getTime() ? `is valid only from ${day(from)}` : `expired on ${day(until)}`;
  throw new Failure(
    'valueNotAllowed',
    `sign=true cannot be used: the signing certificate of the account ${account} ${problem}. Ask the operator to replace the file in signing-certificate.`,
  );
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
