/** Rejects requests that Node's parser accepts although HTTP forbids them, or that proxies may interpret differently. */
import type { IncomingMessage } from 'node:http';
import { Failure } from '../../failure/failure.ts';

const maxHeaders = 100;

/** Headers that may occur only once (RFC 9110, 5.3). If one is repeated, Node uses the first and other programs the last. */
const singleHeaders = ['host', 'authorization', 'content-type', 'content-encoding', 'origin'];

type Head = Pick<IncomingMessage, 'headers' | 'httpVersion' | 'rawHeaders'>;

/**
 * Validates a request. `target` is the original request target.
 * @throws Failure malformedRequest; headersTooLarge for more than 100 headers
 */
export function validateRequest({ headers, httpVersion, rawHeaders }: Head, target: string): void {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  if (names.length > maxHeaders)
    throw new Failure('headersTooLarge', `The request has more than ${maxHeaders} headers; send fewer.`);
  const coding = headers['transfer-encoding'];
  // Only chunked is supported, and HTTP/1.0 has no transfer codings (RFC 9112, 6.1).
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    throw malformed('its only transfer coding must be chunked');
  const repeated = singleHeaders.find((name) => names.filter((header) => header === name).length > 1);
  if (repeated !== undefined) throw malformed(`it has more than one ${repeated} header`);
  if (names.includes('')) throw malformed('a header has no name');
  if (/[^\x21-\x7e]/.test(target))
    throw malformed('its target contains characters that must be percent-encoded');
  checkHost(headers.host, httpVersion);
}

/** See RFC 9112, 3.2. */
function checkHost(host: string | undefined, httpVersion: string): void {
  if (host === undefined && httpVersion !== '1.0') throw malformed('it has no Host header');
  if (host !== undefined && !/^[\w.~!$&'()*+;=%:[\]-]*$/.test(host))
    throw malformed('its Host header is not a name or an address');
}

function malformed(reason: string): Failure {
  return new Failure('malformedRequest', `The request is not valid HTTP: ${reason}.`);
}
