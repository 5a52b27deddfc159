/** The account of the tray's own window: an operator without a limit and without a key, so nobody is let in by its name. */
import { insertAccount } from './account-records.ts';
import { accountOfRow, type Account } from './account.ts';
import type { AccountRow, Database } from './tables.ts';

const usualName = 'tray';

/** Makes it when there is none, and gives it back its rights. An ordinary account that is called so stays what it is. */
export async function ensureTray(database: Database, now = Date.now()): Promise<Account> {
  return await database.transaction().execute(async (inside) => {
    const known = await inside.selectFrom('accounts').selectAll().where('tray', '=', 1).executeTakeFirst();
    const { id } = known ?? (await insertAccount(inside, { name: await freeName(inside) }, now));
    const row = await inside
      .updateTable('accounts')
      .set({ tray: 1, operator: 1, granted: null, refill_credits: null, refill_period: null })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return accountOfRow(row);
  });
}

/** Gives its name to an account of the settings: that one has a key, which must not open the tray's. */
export async function makeRoom(database: Database, { id }: Pick<AccountRow, 'id'>): Promise<void> {
  await database
    .updateTable('accounts')
    .set({ name: await freeName(database) })
    .where('id', '=', id)
    .execute();
}

/** `tray`, `tray-2`, `tray-3` and so on. */
async function freeName(database: Database): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? usualName : `${usualName}-${number}`;
    const taken = await database
      .selectFrom('accounts')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirst();
    if (taken === undefined) return name;
  }
}
