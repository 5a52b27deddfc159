/** The keys of accounts in the database: added, listed, revoked. The key itself is in the hands of whoever it was shown to. */
import { AccountProblem } from './account-problem.ts';
import { factsOfKey, type KeyFacts } from './account.ts';
import { newKeyId, sealKey } from './keys.ts';
import type { Database } from './tables.ts';

/** The name of the key an account is made with. */
export const firstKeyName = 'first';

/** The name of the key that stands in the settings. */
export const settingsKeyName = 'PLATEN_ACCOUNTS';

export interface WantedKey {
  readonly account: number;
  /** What it is for. */
  readonly name: string;
  readonly key: string;
}

/** Returns the key's id. */
export async function insertKey(database: Database, wanted: WantedKey, now: number): Promise<string> {
  const id = newKeyId();
  await database
    .insertInto('keys')
    .values({ id, account_id: wanted.account, name: wanted.name, ...sealKey(wanted.key), created_at: now })
    .execute();
  return id;
}

/** The oldest first, revoked ones too. */
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

/** @throws AccountProblem when the account has no such key, or has revoked it before */
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
    throw new AccountProblem(`it has no key '${id}' that could be revoked; the list of its keys shows them`, {
      isMissing: true,
    });
  return factsOfKey(revoked);
}

/** Revokes every key of that name. */
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
