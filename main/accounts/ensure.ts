/** The accounts a start makes sure of: those of the settings, the demo account, and the first one of all. */
import { insertAccount } from './account-records.ts';
import { firstKeyName, insertKey, revokeKeysNamed, settingsKeyName } from './key-records.ts';
import { isKeyless, makeRoom } from './keyless.ts';
import { findKey, newKey } from './keys.ts';
import type { AccountEntry } from '../settings/setting-kinds.ts';
import type { AccountRow, Database } from './tables.ts';

export interface Wanted {
  /** Of a name given twice the last counts. */
  readonly entries: readonly AccountEntry[];
  readonly demo: boolean;
}

export const demoName = 'demo';
const demoKey = 'demo';
const demoCredits = 100_000;

/** Made at the first start. */
export interface FirstAccount {
  readonly name: string;
  /** Nowhere else. */
  readonly key: string;
}

/**
 * Makes what is missing, replaces changed keys, and touches no balance of an account that exists. Where there would be no
 * account but the demo's, the tray's and the hot folders' it makes an operator's, and returns the name and the key to be shown: they are nowhere else.
 */
export async function ensureAccounts(
  database: Database,
  wanted: Wanted,
  now = Date.now(),
): Promise<FirstAccount | undefined> {
  const entries = new Map(wanted.entries.map((entry) => [entry.user, entry]));
  return await database.transaction().execute(async (inside) => {
    for (const entry of entries.values()) await ensureEntry(inside, entry, now);
    if (wanted.demo) await ensureDemo(inside, now);
    return await ensureFirst(inside, now);
  });
}

async function ensureEntry(database: Database, { user, key, credits }: AccountEntry, now: number) {
  const wanted = { name: user, credits: credits ?? ('unlimited' as const) };
  const known = await accountNamed(database, user);
  if (known !== undefined && isKeyless(known)) await makeRoom(database, known);
  const account =
    known === undefined || isKeyless(known)
      ? await insertAccount(database, wanted, now)
      : known.demo === 1
        ? await takeOverDemo(database, known, { credits, now })
        : known;
  await ensureKey(database, { account: account.id, name: settingsKeyName, key }, now);
}

/** An account of the settings that is called like the demo account is an ordinary one, with the balance they give it. */
async function takeOverDemo(
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

/** An ordinary account of that name is left as it is. */
async function ensureDemo(database: Database, now: number): Promise<void> {
  const known = await accountNamed(database, demoName);
  if (known?.demo === 0) return;
  const account = known ?? (await makeDemo(database, now));
  await ensureKey(database, { account: account.id, name: demoName, key: demoKey }, now);
}

async function makeDemo(database: Database, now: number): Promise<AccountRow> {
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
  const other = await database
    .selectFrom('accounts')
    .select('id')
    .where('demo', '=', 0)
    .where('tray', '=', 0)
    .where('hot_folders', '=', 0)
    .limit(1)
    .executeTakeFirst();
  if (other !== undefined) return undefined;
  const name = 'admin';
  const key = newKey();
  const { id } = await insertAccount(database, { name, operator: true }, now);
  await insertKey(database, { account: id, name: firstKeyName, key }, now);
  return { name, key };
}

/** The account's key of that name is this one, and no other key of that name opens anything. */
async function ensureKey(
  database: Database,
  wanted: { readonly account: number; readonly name: string; readonly key: string },
  now: number,
): Promise<void> {
  const { account, name, key } = wanted;
  const active = await database
    .selectFrom('keys')
    .selectAll()
    .where('account_id', '=', account)
    .where('name', '=', name)
    .where('revoked_at', 'is', null)
    .execute();
  if (active.length === 1 && findKey(key, active) !== undefined) return;
  await revokeKeysNamed(database, { account, name, now });
  await insertKey(database, wanted, now);
}

function accountNamed(database: Database, name: string): Promise<AccountRow | undefined> {
  return database.selectFrom('accounts').selectAll().where('name', '=', name).executeTakeFirst();
}
