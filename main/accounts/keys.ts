/** Keys: made of chance, kept as hashes, recognised in constant time. It knows no database. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A key as it is kept, hex (docs/decisions/0013-accounts.md). */
export interface SealedKey {
  readonly salt: string;
  readonly hash: string;
}

/** A key nobody can guess: 160 random bits as 40 hex digits. */
export function newKey(): string {
  return randomBytes(20).toString('hex');
}

/** What an operator names a key by: 8 hex digits, no part of the key. */
export function newKeyId(): string {
  return randomBytes(4).toString('hex');
}

export function sealKey(key: string): SealedKey {
  const salt = randomBytes(16);
  return { salt: salt.toString('hex'), hash: hashOf(key, salt).toString('hex') };
}

/**
 * The one of the sealed keys that the key is. Compares with at least `leastCompared`, and never stops early, so that the
 * time tells neither whether the account exists nor which of its keys was nearly right.
 */
export function findKey<Sealed extends SealedKey>(
  key: string,
  candidates: readonly Sealed[],
): Sealed | undefined {
  let found: Sealed | undefined;
  for (const candidate of candidates) if (isKey(key, candidate)) found = candidate;
  for (let more = candidates.length; more < leastCompared; more += 1) isKey(key, nobody);
  return found;
}

const leastCompared = 4;

const nobody: SealedKey = { salt: '0'.repeat(32), hash: '0'.repeat(64) };

function isKey(key: string, { salt, hash }: SealedKey): boolean {
  return timingSafeEqual(hashOf(key, Buffer.from(salt, 'hex')), Buffer.from(hash, 'hex'));
}

function hashOf(key: string, salt: Buffer): Buffer {
  return createHmac('sha256', salt).update(key).digest();
}
