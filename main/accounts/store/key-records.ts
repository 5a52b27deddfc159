/** Adds, lists and revokes the keys of accounts in the database, which contains only the hashes of the keys. */
import { AccountProblem } from '../account-problem.ts';
import { factsOfKey, type KeyFacts } from '../account.ts';
import { hashKey, newKeyId } from '../keys.ts';
import type { Database } from './tables.ts';

/** The name of the first key of a new account. */
export const firstKeyName = 'first';

/** The name of the key from the `accounts` setting. */
export const settingsKeyName = 'PLATEN_ACCOUNTS';

export interface NewKey {
  readonly account: number;
  /** The purpose of the key. */
  readonly name: string;
  readonly key: string;
}

/** Adds a key and returns its id. */
export async function insertKey(database: Database, newKey: NewKey, now: number): Promise<string> {
  const id = newKeyId();
  await database
    .insertInto('keys')
    .values({ id, account_id: newKey.account, name: newKey.name, ...hashKey(newKey.key), created_at: now })
    .execute();
  return id;
}

/** Returns all keys, including revoked keys, oldest first. */
export async function listKeysOf(database: Database, account: number): Promise<KeyFacts[]> {
  const rows = await database
    .selectFrom('keys')
    .selectAll()
    .where('account_id', '=', account)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(factsOfKey);
}

/** Revokes a key. @throws AccountProblem if the account has no such key, or the key is already revoked */
export async function revokeKeyOf(
  database: Database,
  { account, id, now }: { readonly account: number; readonly id: string; readonly now: number },
): Promise<KeyFacts> {
  const revoked = await database
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('account_id', '=', account)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (revoked === undefined)
    throw new AccountProblem(`the account has no active key '${id}'; list its keys to see their ids`, {
      isMissing: true,
    });
  return factsOfKey(revoked);
}

/** Revokes all keys of the account with this name. */
export async function revokeKeysNamed(
  database: Database,
  { account, name, now }: { readonly account: number; readonly name: string; readonly now: number },
): Promise<void> {
  await database
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('account_id', '=', account)
    .where('name', '=', name)
    .where('revoked_at', 'is', null)
    .execute();
}
