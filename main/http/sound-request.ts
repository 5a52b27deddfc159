/** What Node's parser lets through though HTTP forbids it, or though others on the way may read it in another way. */
import type { IncomingMessage } from 'node:http';
import { Failure } from '../failure/failure.ts';

const mostHeaders = 100;

/** Fields that may come once (RFC 9110, 5.3); of two, Node takes the first, others the last. */
const single = ['host', 'authorization', 'content-type', 'content-encoding', 'origin'];

type Head = Pick<IncomingMessage, 'headers' | 'httpVersion' | 'rawHeaders'>;

/** `target` is the address as it came. @throws Failure malformedRequest; headersTooLarge for more than 100 headers, which Node would leave out in silence */
export function checkSoundness({ headers, httpVersion, rawHeaders }: Head, target: string): void {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  if (names.length > mostHeaders)
    throw new Failure('headersTooLarge', `The request has more than ${mostHeaders} headers.`);
  const coding = headers['transfer-encoding'];
  // Codings other than chunked would have to be undone, and HTTP/1.0 knows none (RFC 9112, 6.1).
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    throw malformed('its transfer coding is not chunked alone');
  const twice = single.find((name) => names.filter((other) => other === name).length > 1);
  if (twice !== undefined) throw malformed(`it has more than one ${twice} header`);
  if (names.includes('')) throw malformed('a header has no name');
  if (/[^\x21-\x7e]/.test(target))
    throw malformed('its target holds characters that must be percent-encoded');
  checkHost(headers.host, httpVersion);
}

/** RFC 9112, 3.2 */
function checkHost(host: string | undefined, httpVersion: string): void {
  if (host === undefined && httpVersion !== '1.0') throw malformed('it has no Host header');
  if (host !== undefined && !/^[\w.~!$&'()*+;=%:[\]-]*$/.test(host))
    throw malformed('its Host header is no name or address');
}

function malformed(why: string): Failure {
  return new Failure('malformedRequest', `The request is not sound HTTP: ${why}.`);
}
