/**
 * Describes why a request failed. Callers can read the debug log, so a description must not reveal whether a port is closed,
 * filtered or not HTTP, or whether a name exists. Otherwise the service could be used as a port scanner. Therefore all these
 * failures have the same text.
 */
import { requestFailures, type RequestDetail } from '../../../log/events.ts';

export type RequestOutcome = Pick<RequestDetail, 'blocked' | 'failed'>;

const failures: readonly (readonly [error: RegExp, words: string])[] = [
  [/TOO_MANY_REDIRECTS/, requestFailures.tooManyRedirects],
  [/ABORTED/, requestFailures.cancelled],
  [/CERT|SSL/, requestFailures.invalidTls],
  // These errors occur after a response has started, which the caller can see anyway.
  [/CONTENT_DECODING|INCOMPLETE_CHUNKED|CONTENT_LENGTH_MISMATCH/, 'the response was cut off or corrupted'],
];

const refusals: readonly (readonly [error: RegExp, words: string])[] = [
  [/UNSAFE_PORT/, 'browsers refuse to connect to this port'],
  [/URL_SCHEME|ACCESS_DENIED|FILE_NOT_FOUND/, 'this scheme is never loaded'],
  [/BLOCKED_BY_ORB/, 'cross-origin content of an unexpected type (ORB)'],
  [/BLOCKED_BY_CSP/, "by the page's Content-Security-Policy"],
  [/BLOCKED_BY/, 'by a rule of the browser'],
];

/**
 * Texts for the values of BlockedReason in the DevTools protocol. Values that are not listed are policies of the responding server.
 */
const blockedReasons: Readonly<Record<string, string>> = {
  csp: "by the page's Content-Security-Policy",
  'mixed-content': 'an http address on an https page (mixed content)',
  integrity: 'its content does not match its integrity attribute',
  'content-type': 'its Content-Type is not allowed here',
  origin: 'by a rule of the browser',
  other: 'by a rule of the browser',
  inspector: 'by a rule of the browser',
};

export interface RequestProblem {
  /** Chromium's name of the error, such as `net::ERR_FAILED`. */
  readonly error: string;
  /** The BlockedReason of the DevTools protocol. */
  readonly reason?: string | undefined;
  readonly cors?: boolean;
}

export function outcomeOf({ error, reason, cors = false }: RequestProblem): RequestOutcome {
  if (cors) return { blocked: 'its server does not allow this page to read it (CORS)' };
  const refusal = refusals.find(([pattern]) => pattern.test(error));
  if (reason !== undefined) {
    return { blocked: blockedReasons[reason] ?? 'its server does not allow other sites to show it' };
  }
  if (refusal !== undefined) return { blocked: refusal[1] };
  return { failed: failures.find(([pattern]) => pattern.test(error))?.[1] ?? requestFailures.unreachable };
}

/** Replaces the names of network errors in a message of Chromium with the descriptions of this file. */
export function withoutErrorNames(text: string): string {
  return text.replace(/\(?\b(?:net::)?ERR_[A-Z0-9_]+\)?/g, (name) => {
    const { blocked, failed } = outcomeOf({ error: name });
    return blocked === undefined ? (failed ?? requestFailures.unreachable) : `blocked: ${blocked}`;
  });
}
