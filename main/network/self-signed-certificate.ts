/**
 * Creates a self-signed TLS certificate for the browser's side of a connection that the network guard terminates. The certificate
 * is used for one job and is recognised only by its fingerprint. Writes DER (X.690) directly: a library would add 20 packages.
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';

export interface SelfSignedCertificate {
  /** In PEM format. */
  readonly cert: string;
  /** Private key in PEM format. */
  readonly key: string;
  /** In Electron's format: `sha256/` and base64. */
  readonly fingerprint: string;
}

/** Creates a key pair and its certificate in about 1 ms. */
export function createSelfSignedCertificate(): SelfSignedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = sequence(
    der(0x02, Buffer.from([1])),
    signatureAlgorithm,
    issuerAndSubject,
    // UTCTime can represent dates until 2049 (RFC 5280, 4.1.2.5).
    sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z'))),
    issuerAndSubject,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  // The leading zero is the number of unused bits (X.690, 8.6.2).
  const signature = der(0x03, Buffer.concat([Buffer.alloc(1), sign('sha256', body, privateKey)]));
  const bytes = sequence(body, signatureAlgorithm, signature);
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    fingerprint: `sha256/${createHash('sha256').update(bytes).digest('base64')}`,
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  // DER requires the shortest encoding of the length (X.690, 10.1).
  const lengthPrefix = length < 0x80 ? [] : length < 0x100 ? [0x81] : [0x82, length >> 8];
  return Buffer.concat([Buffer.from([tag, ...lengthPrefix, length & 0xff]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

/** ecdsa-with-SHA256, 1.2.840.10045.4.3.2 (RFC 5758, 3.2). */
const signatureAlgorithm = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));

/** commonName (2.5.4.3) "Platen". */
const issuerAndSubject = sequence(
  der(0x31, sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from('Platen')))),
);
