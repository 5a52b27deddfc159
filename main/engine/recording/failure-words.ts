/**
 * Why a request failed, in words. The log is given to callers: whether a port is closed, filtered or no HTTP, and whether a
 * name exists, must not be told apart, or the service would be a port scanner. So all of that is one class.
 */
import type { RequestDetail } from '../../log/events.ts';

export type Outcome = Pick<RequestDetail, 'blocked' | 'failed'>;

const notArrived = 'did not arrive';
/** The page had no use for it any more. */
export const calledOff = 'called off';

const failures: readonly (readonly [error: RegExp, words: string])[] = [
  [/TOO_MANY_REDIRECTS/, 'redirected too often'],
  [/ABORTED/, calledOff],
  [/CERT|SSL/, 'its TLS certificate or connection is not sound'],
  // These come after an answer has begun to arrive, which is known anyway.
  [/CONTENT_DECODING|INCOMPLETE_CHUNKED|CONTENT_LENGTH_MISMATCH/, 'broke off, or arrived damaged'],
];

const refusals: readonly (readonly [error: RegExp, words: string])[] = [
  [/UNSAFE_PORT/, 'no browser asks this port'],
  [/URL_SCHEME|ACCESS_DENIED|FILE_NOT_FOUND/, 'this scheme is never loaded'],
  [/BLOCKED_BY_ORB/, 'its contents are not what the page asked for, and of another site (ORB)'],
  [/BLOCKED_BY_CSP/, "by the page's Content-Security-Policy"],
  [/BLOCKED_BY/, 'by a rule of the browser'],
];

/** The protocol's BlockedReason; those not named here are policies of the answering server. */
const reasons: Readonly<Record<string, string>> = {
  csp: "by the page's Content-Security-Policy",
  'mixed-content': 'unencrypted, and the page is encrypted',
  integrity: 'its contents are not those that its integrity attribute promises',
  'content-type': 'its Content-Type is not one the page may use here',
  origin: 'by a rule of the browser',
  other: 'by a rule of the browser',
  inspector: 'by a rule of the browser',
};

export interface LoadProblem {
  /** Chromium's own name of it: `net::ERR_FAILED`. */
  readonly error: string;
  readonly reason?: string | undefined;
  readonly cors?: boolean;
}

export function outcomeOf({ error, reason, cors = false }: LoadProblem): Outcome {
  if (cors) return { blocked: 'its server does not allow this page to read it (CORS)' };
  const refusal = refusals.find(([pattern]) => pattern.test(error));
  if (reason !== undefined) {
    return { blocked: reasons[reason] ?? 'its server does not allow other sites to show it' };
  }
  if (refusal !== undefined) return { blocked: refusal[1] };
  return { failed: failures.find(([pattern]) => pattern.test(error))?.[1] ?? notArrived };
}

/** A text of Chromium's without its names of network errors. */
export function withoutErrorNames(text: string): string {
  return text.replace(/\(?\b(?:net::)?ERR_[A-Z0-9_]+\)?/g, (name) => {
    const { blocked, failed } = outcomeOf({ error: name });
    return blocked === undefined ? (failed ?? notArrived) : `blocked: ${blocked}`;
  });
}
