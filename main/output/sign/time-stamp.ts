/** Requests time stamps from the operator's time stamp server (RFC 3161). */
import { randomBytes } from 'node:crypto';
import * as asn1js from 'asn1js';
import * as pkijs from 'pkijs';
import { Failure } from '../../failure/failure.ts';
import { sha256Algorithm } from './cms.ts';

const timeoutMs = 15_000;
const maxBytes = 1_000_000;

/**
 * Returns a time stamp token (DER) for a digest (SHA-256).
 * @throws Failure unavailable if the server does not respond, refuses the request, or sends a token for something else
 */
export async function requestTimeStamp(
  url: string,
  digest: Buffer,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const nonce = randomBytes(8);
  // A positive INTEGER begins with a bit that is 0.
  nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x01;
  const messageImprint = new pkijs.MessageImprint({
    hashAlgorithm: sha256Algorithm(),
    hashedMessage: new asn1js.OctetString({ valueHex: digest }),
  });
  const request = new pkijs.TimeStampReq({
    version: 1,
    messageImprint,
    certReq: true,
    nonce: new asn1js.Integer({ valueHex: nonce }),
  });
  const answer = await send(url, Buffer.from(request.toSchema().toBER()), signal);
  return readToken(answer, { digest, nonce });
}

async function send(
  url: string,
  body: Buffer<ArrayBuffer>,
  signal: AbortSignal,
): Promise<Buffer<ArrayBuffer>> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query' },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const answer = Buffer.from(await response.arrayBuffer());
    if (!response.ok) throw new Error(`status ${response.status}`);
    if (answer.length > maxBytes) throw new Error('the response is too large');
    return answer;
  } catch (cause) {
    signal.throwIfAborted();
    throw unavailable('did not answer the request', cause);
  }
}

interface StampedData {
  readonly digest: Buffer;
  readonly nonce: Buffer;
}

/** Returns the token in a response. */
function readToken(answer: Buffer<ArrayBuffer>, stamped: StampedData): Uint8Array {
  let token: pkijs.ContentInfo | undefined;
  try {
    const { status, timeStampToken } = pkijs.TimeStampResp.fromBER(answer);
    const { granted, grantedWithMods } = pkijs.PKIStatus;
    if (status.status === granted || status.status === grantedWithMods) token = timeStampToken;
    if (token !== undefined && !isFor(token, stamped)) token = undefined;
  } catch (cause) {
    throw unavailable('sent a response that is not a time stamp', cause);
  }
  if (token === undefined) throw unavailable('refused the request or sent a time stamp for other data');
  return new Uint8Array(token.toSchema().toBER());
}

function isFor(token: pkijs.ContentInfo, { digest, nonce }: StampedData): boolean {
  const { encapContentInfo } = new pkijs.SignedData({ schema: token.content as asn1js.BaseBlock });
  const content = encapContentInfo.eContent;
  if (content === undefined) return false;
  const info = pkijs.TSTInfo.fromBER(content.getValue());
  const bytesOf = (block: asn1js.OctetString) => Buffer.from(block.valueBlock.valueHexView);
  const returned = info.nonce === undefined ? undefined : Buffer.from(info.nonce.valueBlock.valueHexView);
  return bytesOf(info.messageImprint.hashedMessage).equals(digest) && returned?.equals(nonce) === true;
}

function unavailable(problem: string, cause?: unknown): Failure {
  const message = `The time stamp server (setting timestamp-url) ${problem}, so the document cannot be signed. Try again in a moment; if it fails again, ask the operator.`;
  return new Failure('unavailable', message, { retryAfter: 10, ...(cause !== undefined && { cause }) });
}
