/**
 * Creates the signature of a document: CMS signed data (RFC 5652) with the attributes of PAdES baseline B (ETSI EN 319 142-1, 6.3), and
 * with a time stamp for level B-T.
 */
import { createHash, sign, type X509Certificate } from 'node:crypto';
import * as asn1js from 'asn1js';
import * as pkijs from 'pkijs';
import type { SigningCertificate } from '../../preflight/signing-certificate.ts';

const oids = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timeStampToken: '1.2.840.113549.1.9.16.2.14',
  sha256: '2.16.840.1.101.3.4.2.1',
  rsa: '1.2.840.113549.1.1.1',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const;

/** Returns a time stamp token (DER) for a digest (SHA-256). */
export type RequestTimeStamp = (digest: Buffer) => Promise<Uint8Array>;

/**
 * Returns the CMS object (DER) that signs a digest (SHA-256). @throws Error from `requestTimeStamp`; Error if the key is neither RSA
 * nor EC
 */
export async function signDigest(
  digest: Uint8Array,
  { key, leaf, issuers }: SigningCertificate,
  requestTimeStamp?: RequestTimeStamp,
): Promise<Buffer> {
  const attributes = signedAttributes(digest, leaf);
  const signature = sign('sha256', attributes.asSet, { key, dsaEncoding: 'der' });
  const token = await requestTimeStamp?.(createHash('sha256').update(signature).digest());
  const certificates = [leaf, ...issuers].map((certificate) => pkijs.Certificate.fromBER(certificate.raw));
  const [signer] = certificates;
  if (signer === undefined) throw new Error('There is no certificate.');
  const signerInfo = new pkijs.SignerInfo({
    version: 1,
    sid: new pkijs.IssuerAndSerialNumber({ issuer: signer.issuer, serialNumber: signer.serialNumber }),
    digestAlgorithm: sha256Algorithm(),
    signedAttrs: new pkijs.SignedAndUnsignedAttributes({ type: 0, attributes: attributes.list }),
    signatureAlgorithm: signatureAlgorithm(key.asymmetricKeyType),
    signature: new asn1js.OctetString({ valueHex: signature }),
    ...(token !== undefined && { unsignedAttrs: timeStampAttribute(token) }),
  });
  const signedData = new pkijs.SignedData({
    version: 1,
    digestAlgorithms: [sha256Algorithm()],
    encapContentInfo: new pkijs.EncapsulatedContentInfo({ eContentType: oids.data }),
    certificates,
    signerInfos: [signerInfo],
  });
  const content = new pkijs.ContentInfo({ contentType: oids.signedData, content: signedData.toSchema(true) });
  return Buffer.from(content.toSchema().toBER());
}

interface SignedAttributes {
  readonly list: pkijs.Attribute[];
  /** The DER encoding as a SET OF, which is signed (RFC 5652, 5.4). */
  readonly asSet: Buffer;
}

/** PAdES forbids the attribute signing-time: the time is in the signature dictionary. */
function signedAttributes(digest: Uint8Array, leaf: X509Certificate): SignedAttributes {
  const certificateHash = createHash('sha256').update(leaf.raw).digest();
  const certificateId = sequence([
    sequence([sequence([new asn1js.OctetString({ valueHex: certificateHash })])]),
  ]);
  const unsorted = [
    attribute(oids.contentType, new asn1js.ObjectIdentifier({ value: oids.data })),
    attribute(oids.messageDigest, new asn1js.OctetString({ valueHex: digest })),
    attribute(oids.signingCertificateV2, certificateId),
  ];
  const encoded = unsorted.map((entry) => ({ entry, der: Buffer.from(entry.toSchema().toBER()) }));
  // DER sorts the elements of a SET OF (X.690, 11.6).
  const list = encoded
    .toSorted((left, right) => Buffer.compare(left.der, right.der))
    .map(({ entry }) => entry);
  const set = new asn1js.Set({ value: list.map((entry) => entry.toSchema()) });
  return { list, asSet: Buffer.from(set.toBER()) };
}

function sequence(value: asn1js.BaseBlock[]): asn1js.Sequence {
  return new asn1js.Sequence({ value });
}

function attribute(type: string, value: asn1js.BaseBlock): pkijs.Attribute {
  return new pkijs.Attribute({ type, values: [value] });
}

function timeStampAttribute(token: Uint8Array): pkijs.SignedAndUnsignedAttributes {
  const { result } = asn1js.fromBER(token);
  return new pkijs.SignedAndUnsignedAttributes({
    type: 1,
    attributes: [attribute(oids.timeStampToken, result)],
  });
}

/** Returns the identifier of the digest algorithm of all signatures and time stamps. */
export function sha256Algorithm(): pkijs.AlgorithmIdentifier {
  return algorithm(oids.sha256);
}

function algorithm(algorithmId: string, hasParameters = true): pkijs.AlgorithmIdentifier {
  return new pkijs.AlgorithmIdentifier({
    algorithmId,
    ...(hasParameters && { algorithmParams: new asn1js.Null() }),
  });
}

function signatureAlgorithm(type: string | undefined): pkijs.AlgorithmIdentifier {
  if (type === 'rsa') return algorithm(oids.rsa);
  if (type === 'ec') return algorithm(oids.ecdsaWithSha256, false);
  throw new Error(`The key has the type ${type ?? 'unknown'}; signatures need an RSA or EC key.`);
}
