/** HTTP Basic authentication (RFC 7617), and the brake against guessing. It knows the account book, not what accounts may do. */
import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { AccountBook } from '../accounts/accounts.ts';
import { Failure } from '../failure/failure.ts';
import { setAccount } from './locals.ts';

const mostWrong = 50;
const window = 60_000;
const mostTrusted = 10_000;

/**
 * Passes requests with right credentials on.
 * @throws Failure unauthorized; tooManyRequests after more than 50 wrong ones within a minute from one address. Credentials
 *   that were right from that address before still pass, so that one bad program does not shut out its neighbours.
 */
export function authenticate(accounts: AccountBook): RequestHandler {
  const wrong = new Map<string, { count: number; until: number }>();
  const trusted = new Set<string>();
  return async (request, response, next) => {
    const address = request.socket.remoteAddress ?? '';
    const credentials = readBasic(request);
    const record = recordFor(wrong, address);
    const braked = record.count > mostWrong && !trusted.has(digest(address, credentials));
    const account =
      braked || credentials === undefined
        ? undefined
        : await accounts.authenticate(credentials.user, credentials.key);
    if (account !== undefined) {
      if (trusted.size >= mostTrusted) trusted.clear();
      trusted.add(digest(address, credentials));
      setAccount(response, account);
      next();
      return;
    }
    // A first request without credentials is how many clients begin; it is no guess.
    if (credentials !== undefined) record.count += 1;
    if (record.count > mostWrong) throw brake(record.until);
    response.set('www-authenticate', 'Basic realm="Platen", charset="UTF-8"');
    throw new Failure(
      'unauthorized',
      'No credentials or wrong ones: send the account name and its key by HTTP Basic authentication.',
    );
  };
}

/** The very credentials, not the account: another key for it is a guess. */
function digest(address: string, credentials: { user: string; key: string } | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([address, credentials]))
    .digest('base64');
}

function readBasic(request: Request): { user: string; key: string } | undefined {
  const encoded = /^Basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(request.headers.authorization ?? '')?.[1];
  const decoded = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 0 ? undefined : { user: decoded.slice(0, colon), key: decoded.slice(colon + 1) };
}

function recordFor(wrong: Map<string, { count: number; until: number }>, address: string) {
  const now = Date.now();
  const known = wrong.get(address);
  if (known !== undefined && known.until > now) return known;
  for (const [other, { until }] of wrong) if (until <= now) wrong.delete(other);
  const fresh = { count: 0, until: now + window };
  wrong.set(address, fresh);
  return fresh;
}

function brake(until: number): Failure {
  const retryAfter = Math.max(1, Math.ceil((until - Date.now()) / 1000));
  return new Failure('tooManyRequests', 'Too many wrong credentials from this address; wait a moment.', {
    retryAfter,
  });
}
