/** HTTP Basic authentication (RFC 7617) with a rate limit for wrong credentials. Does not check what an account may do. */
import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Account } from '../../accounts/account.ts';
import type { AccountBook } from '../../accounts/accounts.ts';
import { Failure } from '../../failure/failure.ts';
import { setAccount } from '../server/locals.ts';
import { clientAddress } from './client-address.ts';

const maxFailures = 50;
const windowMs = 60_000;
const maxTrusted = 10_000;
const maxAddresses = 10_000;

/**
 * Returns middleware that lets requests with valid credentials pass.
 * @throws Failure unauthorized; tooManyRequests after more than 50 failures within a minute from one address. Credentials that have
 * succeeded from that address before still pass, so that one faulty program does not lock out others at the address.
 */
export function authenticate(accounts: AccountBook): RequestHandler {
  const failures = new Map<string, FailureCount>();
  const trusted = new Set<string>();
  return async (request, response, next) => {
    const address = clientAddress(request.socket.remoteAddress);
    const credentials = readBasic(request);
    const record = failureCountFor(failures, address);
    if (credentials === undefined) throw refusal(record, response, { address });
    const fingerprint = digest(address, credentials);
    const check = () => accounts.authenticate(credentials.user, credentials.key);
    const account = trusted.has(fingerprint) ? await check() : await checkInTurn(record, check);
    if (account === undefined) {
      // The key has been revoked since it last succeeded.
      if (trusted.delete(fingerprint)) record.count += 1;
      throw refusal(record, response, { address, user: credentials.user.slice(0, 64) });
    }
    if (trusted.size >= maxTrusted) trusted.clear();
    trusted.add(fingerprint);
    setAccount(response, account);
    next();
  };
}

interface FailureCount {
  /** Number of wrong credentials in this window. */
  count: number;
  /** End of the one-minute window, in milliseconds since 1970. */
  readonly until: number;
  /** Resolves when all earlier checks are done. */
  last: Promise<unknown>;
}

/**
 * Checks the credentials from one address one after another. Of 1,000 wrong credentials sent at the same time, only 51 are checked;
 * 1,000 correct ones all pass.
 */
function checkInTurn(
  record: FailureCount,
  check: () => Promise<Account | undefined>,
): Promise<Account | undefined> {
  const result = record.last.then(async () => {
    if (record.count > maxFailures) return undefined;
    const account = await check();
    if (account === undefined) record.count += 1;
    return account;
  });
  record.last = result.catch(() => undefined);
  return result;
}

/** Returns the failure. The service log contains `client`, so that operators can trace attacks. */
function refusal(record: FailureCount, response: Response, client: object): Failure {
  if (record.count > maxFailures) return tooManyFailures(record.until);
  response.set('www-authenticate', 'Basic realm="Platen", charset="UTF-8"');
  return new Failure(
    'unauthorized',
    'Missing or wrong credentials. Send the account name and its key with HTTP Basic authentication.',
    { cause: client },
  );
}

/** Returns a hash of address, account name and key. The key is included so that another key for the same account is not trusted. */
function digest(address: string, credentials: BasicCredentials): string {
  return createHash('sha256')
    .update(JSON.stringify([address, credentials]))
    .digest('base64');
}

interface BasicCredentials {
  readonly user: string;
  readonly key: string;
}

function readBasic(request: Request): BasicCredentials | undefined {
  const encoded = /^Basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(request.headers.authorization ?? '')?.[1];
  const decoded = decodeUtf8(Buffer.from(encoded ?? '', 'base64'));
  const colon = decoded.indexOf(':');
  return colon < 0 ? undefined : { user: decoded.slice(0, colon), key: decoded.slice(colon + 1) };
}

/** Returns an empty string for invalid UTF-8, because replacement characters would make different keys equal. */
function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return '';
  }
}

function failureCountFor(failures: Map<string, FailureCount>, address: string): FailureCount {
  const now = Date.now();
  const entry = failures.get(address);
  if (entry !== undefined && entry.until > now) return entry;
  failures.delete(address);
  removeExpired(failures, now);
  const created = { count: 0, until: now + windowMs, last: Promise.resolve() };
  failures.set(address, created);
  return created;
}

/** Removes expired entries, and the oldest ones above the limit. The map is in order of expiry. */
function removeExpired(failures: Map<string, FailureCount>, now: number): void {
  for (const [address, { until }] of failures) {
    if (until > now && failures.size < maxAddresses) return;
    failures.delete(address);
  }
}

function tooManyFailures(until: number): Failure {
  const retryAfter = Math.max(1, Math.ceil((until - Date.now()) / 1000));
  return new Failure('tooManyRequests', 'Too many wrong credentials from this address; wait a moment.', {
    retryAfter,
  });
}
