/** Creates the accounts that the service needs: those in the settings, the demo account, and the first operator. */
import { insertAccount } from './store/account-records.ts';
import {
  firstKeyName,
  insertKey,
  revokeKeysNamed,
  settingsKeyName,
  type NewKey,
} from './store/key-records.ts';
import { lockAccountCreation } from './store/dialect.ts';
import { isKeyless, renameKeyless, findKey, newKey } from './keys.ts';
import type { AccountEntry } from '../settings/setting-kinds.ts';
import type { AccountRow, Database } from './store/tables.ts';

interface RequiredAccounts {
  /** If a name occurs twice, the last entry applies. */
  readonly entries: readonly AccountEntry[];
  /** Whether the demo account is needed. */
  readonly demo: boolean;
}

export const demoName = 'demo';
const demoKey = 'demo';
const demoCredits = 100_000;

/** The operator that the first start creates. */
export interface FirstAccount {
  readonly name: string;
  /** The account's key, which is stored nowhere else. */
  readonly key: string;
}

/**
 * Creates missing accounts and replaces changed keys. Never changes the balance of an existing account. If the only accounts are
 * the demo account and those of the desktop window and the hot folders, creates an operator and returns its name and key. The key
 * is stored nowhere else.
 */
export async function ensureAccounts(
  database: Database,
  required: RequiredAccounts,
  now = Date.now(),
): Promise<FirstAccount | undefined> {
  const entries = new Map(required.entries.map((entry) => [entry.user, entry]));
  return await database.transaction().execute(async (transaction) => {
    await lockAccountCreation(transaction);
    for (const entry of entries.values()) await ensureEntry(transaction, entry, now);
    if (required.demo) await ensureDemo(transaction, now);
    return await ensureFirst(transaction, now);
  });
}

async function ensureEntry(database: Database, { user, key, credits }: AccountEntry, now: number) {
  const newAccount = { name: user, credits: credits ?? ('unlimited' as const) };
  const existing = await accountNamed(database, user);
  if (existing !== undefined && isKeyless(existing)) await renameKeyless(database, existing);
  const account =
    existing === undefined || isKeyless(existing)
      ? await insertAccount(database, newAccount, now)
      : existing.demo === 1
        ? await convertDemo(database, existing, { credits, now })
        : existing;
  await ensureKey(database, { account: account.id, name: settingsKeyName, key }, now);
}

/**
 * Turns the demo account into an ordinary account with the given credits, because the settings contain an account named `demo`.
 */
async function convertDemo(
  database: Database,
  { id, spent }: AccountRow,
  { credits, now }: { readonly credits: number | undefined; readonly now: number },
): Promise<AccountRow> {
  await revokeKeysNamed(database, { account: id, name: demoName, now });
  return await database
    .updateTable('accounts')
    .set({ demo: 0, granted: credits === undefined ? null : spent + credits })
    .set({ refill_credits: null, refill_period: null })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Creates the demo account, unless an ordinary account is named `demo`. */
async function ensureDemo(database: Database, now: number): Promise<void> {
  const existing = await accountNamed(database, demoName);
  if (existing?.demo === 0) return;
  const account = existing ?? (await insertDemo(database, now));
  await ensureKey(database, { account: account.id, name: demoName, key: demoKey }, now);
}

async function insertDemo(database: Database, now: number): Promise<AccountRow> {
  const refill = { credits: demoCredits, period: 'day' as const };
  const { id } = await insertAccount(database, { name: demoName, refill }, now);
  return await database
    .updateTable('accounts')
    .set({ demo: 1 })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function ensureFirst(database: Database, now: number) {
  const ordinaryAccount = await database
    .selectFrom('accounts')
    .select('id')
    .where('demo', '=', 0)
    .where('tray', '=', 0)
    .where('hot_folders', '=', 0)
    .limit(1)
    .executeTakeFirst();
  if (ordinaryAccount !== undefined) return undefined;
  const name = 'admin';
  const key = newKey();
  const { id } = await insertAccount(database, { name, operator: true }, now);
  await insertKey(database, { account: id, name: firstKeyName, key }, now);
  return { name, key };
}

/** Makes the key the account's only active key with this name. */
async function ensureKey(database: Database, key: NewKey, now: number): Promise<void> {
  const { account, name } = key;
  const active = await database
    .selectFrom('keys')
    .selectAll()
    .where('account_id', '=', account)
    .where('name', '=', name)
    .where('revoked_at', 'is', null)
    .execute();
  if (active.length === 1 && findKey(key.key, active) !== undefined) return;
  await revokeKeysNamed(database, { account, name, now });
  await insertKey(database, key, now);
}

function accountNamed(database: Database, name: string): Promise<AccountRow | undefined> {
  return database.selectFrom('accounts').selectAll().where('name', '=', name).executeTakeFirst();
}
