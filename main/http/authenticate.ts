/** HTTP Basic authentication (RFC 7617), and the brake against guessing. It knows the account book, not what accounts may do. */
import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import ipaddr from 'ipaddr.js';
import type { Account } from '../accounts/account.ts';
import type { AccountBook } from '../accounts/accounts.ts';
import { Failure } from '../failure/failure.ts';
import { setAccount } from './locals.ts';

const mostWrong = 50;
const window = 60_000;
const mostTrusted = 10_000;
const mostAddresses = 10_000;

/**
 * Passes requests with right credentials on.
 * @throws Failure unauthorized; tooManyRequests after more than 50 wrong ones within a minute from one address. Credentials
 *   that were right from that address before still pass, so that one bad program does not shut out its neighbours.
 */
export function authenticate(accounts: AccountBook): RequestHandler {
  const wrong = new Map<string, Guesses>();
  const trusted = new Set<string>();
  return async (request, response, next) => {
    const address = callerOf(request.socket.remoteAddress);
    const credentials = readBasic(request);
    const record = recordFor(wrong, address);
    if (credentials === undefined) throw refusal(record, response, { address });
    const known = digest(address, credentials);
    const look = () => accounts.authenticate(credentials.user, credentials.key);
    const account = trusted.has(known) ? await look() : await inTurn(record, look);
    if (account === undefined) {
      // A key that was revoked meanwhile.
      if (trusted.delete(known)) record.count += 1;
      throw refusal(record, response, { address, user: credentials.user.slice(0, 64) });
    }
    if (trusted.size >= mostTrusted) trusted.clear();
    trusted.add(known);
    setAccount(response, account);
    next();
  };
}

interface Guesses {
  /** Wrong credentials so far. */
  count: number;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** Resolves when those before have been looked at. */
  last: Promise<unknown>;
}

/**
 * One after another, so that of a thousand guesses sent at once only 50 are looked at, and a thousand right ones all pass.
 */
function inTurn(record: Guesses, look: () => Promise<Account | undefined>): Promise<Account | undefined> {
  const mine = record.last.then(async () => {
    if (record.count > mostWrong) return undefined;
    const account = await look();
    if (account === undefined) record.count += 1;
    return account;
  });
  record.last = mine.catch(() => undefined);
  return mine;
}

/** `who` is for the service's log: guessing must be traceable. */
function refusal(record: Guesses, response: Response, who: object): Failure {
  if (record.count > mostWrong) return brake(record.until);
  response.set('www-authenticate', 'Basic realm="Platen", charset="UTF-8"');
  return new Failure(
    'unauthorized',
    'No credentials or wrong ones: send the account name and its key by HTTP Basic authentication.',
    { cause: who },
  );
}

/** The very credentials, not the account: another key for it is a guess. */
function digest(address: string, credentials: Credentials): string {
  return createHash('sha256')
    .update(JSON.stringify([address, credentials]))
    .digest('base64');
}

interface Credentials {
  readonly user: string;
  readonly key: string;
}

function readBasic(request: Request): Credentials | undefined {
  const encoded = /^Basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(request.headers.authorization ?? '')?.[1];
  const decoded = asText(Buffer.from(encoded ?? '', 'base64'));
  const colon = decoded.indexOf(':');
  return colon < 0 ? undefined : { user: decoded.slice(0, colon), key: decoded.slice(colon + 1) };
}

/** Empty for what is not UTF-8: of two broken texts, both would be the same. */
function asText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return '';
  }
}

function recordFor(wrong: Map<string, Guesses>, address: string): Guesses {
  const now = Date.now();
  const known = wrong.get(address);
  if (known !== undefined && known.until > now) return known;
  wrong.delete(address);
  forgetSome(wrong, now);
  const fresh = { count: 0, until: now + window, last: Promise.resolve() };
  wrong.set(address, fresh);
  return fresh;
}

/** They are in the order of their ends. When there are too many, the oldest go, and have their guesses anew. */
function forgetSome(wrong: Map<string, Guesses>, now: number): void {
  for (const [address, { until }] of wrong) {
    if (until > now && wrong.size < mostAddresses) return;
    wrong.delete(address);
  }
}

/**
 * Whoever guesses: an IPv4 address, also when it comes mapped into IPv6, or the 64 bits of a network, in which one caller has as
 * many addresses as he likes. What a header says of him (X-Forwarded-For) is his own word.
 */
function callerOf(address = ''): string {
  const [plain = ''] = address.split('%');
  if (!ipaddr.isValid(plain)) return plain;
  const parsed = ipaddr.process(plain);
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
}

function brake(until: number): Failure {
  const retryAfter = Math.max(1, Math.ceil((until - Date.now()) / 1000));
  return new Failure('tooManyRequests', 'Too many wrong credentials from this address; wait a moment.', {
    retryAfter,
  });
}
