/** Creates random keys and secrets, hashes keys, and compares them in constant time. Names the internal accounts, which have no keys. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AccountRow, Database } from './store/tables.ts';

/** A key as the database stores it, in hex (docs/decisions/0013-accounts.md). */
export interface HashedKey {
  readonly salt: string;
  readonly hash: string;
}

/** Returns 160 random bits as 40 hex digits. */
export function newKey(): string {
  return randomBytes(20).toString('hex');
}

/** Returns a secret for the signatures of callbacks, as Standard Webhooks writes it: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Returns an id for a key: 8 hex digits that reveal nothing about the key. */
export function newKeyId(): string {
  return randomBytes(4).toString('hex');
}

export function hashKey(key: string): HashedKey {
  const salt = randomBytes(16);
  return { salt: salt.toString('hex'), hash: hashOf(key, salt).toString('hex') };
}

/**
 * Returns the candidate that matches the key. Makes at least `minComparisons` comparisons and never stops early, so that the time
 * reveals neither whether the account exists nor which of its keys matches.
 */
export function findKey<Candidate extends HashedKey>(
  key: string,
  candidates: readonly Candidate[],
): Candidate | undefined {
  let found: Candidate | undefined;
  for (const candidate of candidates) if (isKey(key, candidate)) found = candidate;
  for (let count = candidates.length; count < minComparisons; count += 1) isKey(key, dummyKey);
  return found;
}

const minComparisons = 4;

const dummyKey: HashedKey = { salt: '0'.repeat(32), hash: '0'.repeat(64) };

function isKey(key: string, { salt, hash }: HashedKey): boolean {
  return timingSafeEqual(hashOf(key, Buffer.from(salt, 'hex')), Buffer.from(hash, 'hex'));
}

function hashOf(key: string, salt: Buffer): Buffer {
  return createHmac('sha256', salt).update(key).digest();
}

// The internal accounts of the tray and the hot folders. They have no key, so no one can log in to them. An internal account is
// renamed if the settings use its name.

/** Returns whether this is the account of the tray or of the hot folders. */
export function isKeyless({ tray, hot_folders }: Pick<AccountRow, 'tray' | 'hot_folders'>): boolean {
  return tray === 1 || hot_folders === 1;
}

/** Renames an internal account whose name the settings use, so that the settings' key does not authenticate as this account. */
export async function renameKeyless(
  database: Database,
  { id, tray }: Pick<AccountRow, 'id' | 'tray'>,
): Promise<void> {
  await database
    .updateTable('accounts')
    .set({ name: await freeName(database, tray === 1 ? 'tray' : 'hot-folders') })
    .where('id', '=', id)
    .execute();
}

/** Returns the first name that no account has, of `base`, `base-2`, `base-3` and so on. */
export async function freeName(database: Database, base: 'tray' | 'hot-folders'): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    const taken = await database
      .selectFrom('accounts')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirst();
    if (taken === undefined) return name;
  }
}
