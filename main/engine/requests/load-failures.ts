/** Says why an address could not be loaded, and what the caller can do about it. */
import type { PageType } from './request-record.ts';

/** Errors of Chromium (net_error_list.h). Electron gives only the number of some. */
const reasonsByError: readonly (readonly [error: RegExp, reason: string])[] = [
  [
    /ERR_CERT/,
    'its TLS certificate is not valid. Correct the certificate, or send verify_ssl_certificates=false to accept it.',
  ],
  // With a client_certificate, the network guard connects to the server, and Chromium sees only that the guard gave up.
  [
    /CLIENT_AUTH/,
    'its TLS certificate is not valid, or its server does not accept the client_certificate. Send the certificate that the server expects, or verify_ssl_certificates=false to accept any of the server.',
  ],
  [
    /CERT|SSL/,
    'its TLS connection failed. Check that its server speaks TLS at this port, in a version that browsers accept; if not, send an address that begins with http:.',
  ],
  [
    /TOO_MANY_REDIRECTS/,
    'its server redirects more than 20 times, probably in a circle. Send the address at which the redirects should end, or the cookies or credentials that the server expects.',
  ],
  [
    /CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED|CONTENT_DECODING|error -(?:354|355|330|371)$/,
    'its server broke off the response, or encoded it in another way than it said. Try again, or correct the server.',
  ],
];

/**
 * Returns the reason for an error of Chromium. Errors that say whether a host or a port exists all have the same reason; otherwise
 * callers could use the service as a port scanner.
 */
export function reasonForError(error: string): string {
  const known = reasonsByError.find(([pattern]) => pattern.test(error));
  return (
    known?.[1] ??
    'the name was not found, or the server did not send a page. Check the address in a browser on the machine where the service runs.'
  );
}

/** Returns the reason for a response without a document. It reveals nothing about the network: the server has answered. */
export function reasonForResponse(status: number, { type, isAttachment }: PageType): string {
  if (type === '')
    return `its server answered with status ${status} and without content. Send the address of an HTML page.`;
  const disposition = isAttachment ? 'Content-Disposition: attachment, ' : '';
  return `its server sent a file to download (${disposition}${type}) instead of a page. Send the address of an HTML page.`;
}
