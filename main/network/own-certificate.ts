/**
 * Makes a TLS certificate for the browser's side of a connection that the guard ends itself. It is known by its fingerprint
 * alone, lives as long as its job, and says nothing: so 30 lines of DER (X.690) instead of a library of twenty packages.
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';

export interface OwnCertificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
  /** As Electron writes it: `sha256/` and base64. */
  readonly fingerprint: string;
}

/** Takes a millisecond. */
export function makeOwnCertificate(): OwnCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = sequence(
    der(0x02, Buffer.from([1])),
    signatureAlgorithm,
    nobody,
    // UTCTime until 2049 (RFC 5280, 4.1.2.5).
    sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z'))),
    nobody,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  // The zero in front: no unused bits (X.690, 8.6.2).
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
  // The shortest form of the length is the only one (X.690, 10.1).
  const form = length < 0x80 ? [] : length < 0x100 ? [0x81] : [0x82, length >> 8];
  return Buffer.concat([Buffer.from([tag, ...form, length & 0xff]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

/** ecdsa-with-SHA256, 1.2.840.10045.4.3.2 (RFC 5758, 3.2). */
const signatureAlgorithm = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));

/** commonName (2.5.4.3) "Platen". */
const nobody = sequence(
  der(0x31, sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from('Platen')))),
);
