/** Reads a certificate and its key for signatures from a PKCS #12 file (RFC 7292). */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type * as Forge from 'node-forge';
import { resolve } from 'node:path';
import { fileErrorReason } from '../failure/failure.ts';
import type { Settings } from '../settings/table.ts';

export interface SigningCertificate {
  readonly key: KeyObject;
  /** The certificate of the key. */
  readonly leaf: X509Certificate;
  /** The certificates that issued it, in order, as far as the file contains them. */
  readonly issuers: readonly X509Certificate[];
}

/** Returns the absolute paths of the files by the names of their accounts. */
export function signingFiles(settings: Pick<Settings, 'data' | 'signing-certificate'>): Map<string, string> {
  const { data = '', 'signing-certificate': files = [] } = settings;
  return new Map(files.map(({ account, file }) => [account, resolve(data, file)]));
}

/**
 * Reads the file. Its password is in the file `<path>.password`, if that exists, or else `password`.
 * @throws Error with a one-sentence message that names the file and what is wrong with it
 */
export async function readSigningCertificate(
  path: string,
  password: string | undefined,
): Promise<SigningCertificate> {
  const bytes = await readFile(path).catch((problem: unknown) => {
    throw new Error(`${path} cannot be read: ${fileErrorReason(problem as NodeJS.ErrnoException)}.`, {
      cause: problem,
    });
  });
  const ownPassword = await readFile(`${path}.password`, 'utf8').catch(() => undefined);
  // Loaded only here, because most installations sign nothing.
  const { default: forge } = await import('node-forge');
  return new Pkcs12Reader(forge, path).read(bytes, ownPassword?.replace(/\r?\n$/, '') ?? password ?? '');
}

class Pkcs12Reader {
  readonly #forge: typeof Forge;
  readonly #path: string;

  constructor(forge: typeof Forge, path: string) {
    this.#forge = forge;
    this.#path = path;
  }

  read(bytes: Buffer, password: string): SigningCertificate {
    const file = this.#open(bytes, password);
    const { pkcs8ShroudedKeyBag, keyBag, certBag } = this.#forge.pki.oids;
    const bagsOf = (type = '') => file.getBags({ bagType: type })[type] ?? [];
    const keys = [...bagsOf(pkcs8ShroudedKeyBag), ...bagsOf(keyBag)].map((bag) => this.#key(bag));
    const certificates = bagsOf(certBag).map((bag) => this.#certificate(bag));
    for (const key of keys) {
      const leaf = certificates.find((certificate) => certificate.checkPrivateKey(key));
      if (leaf !== undefined) return { key, leaf, issuers: issuersOf(leaf, certificates) };
    }
    throw new Error(`${this.#path} contains no certificate with its private key.`);
  }

  #open(bytes: Buffer, password: string): Forge.pkcs12.Pkcs12Pfx {
    try {
      const content = this.#forge.asn1.fromDer(bytes.toString('binary'));
      return this.#forge.pkcs12.pkcs12FromAsn1(content, true, password);
    } catch (cause) {
      const isPassword = /password|MAC could not be verified/i.test((cause as Error).message);
      const problem = isPassword
        ? `cannot be opened with this password; set signing-password, or write it into ${this.#path}.password`
        : 'is not a PKCS #12 file (.p12, .pfx)';
      throw new Error(`${this.#path} ${problem}.`, { cause });
    }
  }

  /** Returns a private key. forge parses only RSA keys; it returns others as ASN.1 (PKCS #8). */
  #key({ key, asn1 }: Forge.pkcs12.Bag): KeyObject {
    const { pki } = this.#forge;
    const content = key ? pki.wrapRsaPrivateKey(pki.privateKeyToAsn1(key)) : asn1;
    return createPrivateKey({ key: this.#der(content), format: 'der', type: 'pkcs8' });
  }

  #certificate({ cert, asn1 }: Forge.pkcs12.Bag): X509Certificate {
    return new X509Certificate(this.#der(cert ? this.#forge.pki.certificateToAsn1(cert) : asn1));
  }

  #der(content: Forge.asn1.Asn1): Buffer {
    return Buffer.from(this.#forge.asn1.toDer(content).getBytes(), 'binary');
  }
}

function issuersOf(leaf: X509Certificate, certificates: readonly X509Certificate[]): X509Certificate[] {
  const issuers: X509Certificate[] = [];
  for (let current = leaf; ;) {
    const subject = current;
    const issuer = certificates.find(
      (candidate) => candidate !== subject && !issuers.includes(candidate) && subject.checkIssued(candidate),
    );
    if (issuer === undefined) return issuers;
    issuers.push(issuer);
    current = issuer;
  }
}
