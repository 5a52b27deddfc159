/** HTTP Basic authentication (RFC 7617) with a rate limit for wrong credentials. Does not check what an account may do. */
import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Account } from '../../accounts/account.ts';
import type { AccountBook } from '../../accounts/accounts.ts';
import { Failure } from '../../failure/failure.ts';
import { setAccount } from '../server/locals.ts';
import { clientAddress, ClientAddresses, type AddressFailures } from './client-addresses.ts';

const maxTrusted = 10_000;

/**
 * Returns middleware that lets requests with valid credentials pass.
 * @throws Failure unauthorized; tooManyRequests after more than 50 failures within a minute from one address. Credentials that have
 * succeeded from that address before still pass, so that one faulty program does not lock out others at the address.
 */
export function authenticate(accounts: AccountBook): RequestHandler {
  const addresses = new ClientAddresses();
  const trusted = new Set<string>();
  return async (request, response, next) => {
    const address = clientAddress(request.socket.remoteAddress);
    const credentials = readBasic(request);
    const failures = addresses.failuresOf(address);
    if (credentials === undefined) throw refusal(failures, response, { address });
    const fingerprint = digest(address, credentials);
    const check = () => accounts.authenticate(credentials.user, credentials.key);
    const account = trusted.has(fingerprint) ? await check() : await checkInTurn(failures, check);
    if (account === undefined) {
      // The key has been revoked since it last succeeded.
      if (trusted.delete(fingerprint)) failures.add();
      throw refusal(failures, response, { address, user: credentials.user.slice(0, 64) });
    }
    if (trusted.size >= maxTrusted) trusted.clear();
    trusted.add(fingerprint);
    setAccount(response, account);
    next();
  };
}

/** Checks the credentials from one address one after another, and none above the limit. */
function checkInTurn(
  failures: AddressFailures,
  check: () => Promise<Account | undefined>,
): Promise<Account | undefined> {
  return failures.inTurn(async () => {
    if (failures.isAboveLimit) return undefined;
    const account = await check();
    if (account === undefined) failures.add();
    return account;
  });
}

/** Returns the failure. The service log contains `client`, so that operators can trace attacks. */
function refusal(failures: AddressFailures, response: Response, client: object): Failure {
  if (failures.isAboveLimit) return tooManyFailures(failures);
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

function tooManyFailures({ retryAfter }: AddressFailures): Failure {
  return new Failure('tooManyRequests', 'Too many wrong credentials from this address; wait a moment.', {
    retryAfter,
  });
}
