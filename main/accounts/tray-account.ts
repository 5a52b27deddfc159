/** The account of the tray's own window: an operator without a limit and without a key, so nobody is let in by its name. */
import { insertAccount } from './account-records.ts';
import { accountOfRow, type Account } from './account.ts';
import { freeName } from './keyless.ts';
import type { Database } from './tables.ts';

/** Makes it when there is none, and gives it back its rights. An ordinary account that is called so stays what it is. */
export async function ensureTray(database: Database, now = Date.now()): Promise<Account> {
  return await database.transaction().execute(async (inside) => {
    const known = await inside.selectFrom('accounts').selectAll().where('tray', '=', 1).executeTakeFirst();
    const { id } = known ?? (await insertAccount(inside, { name: await freeName(inside, 'tray') }, now));
    const row = await inside
      .updateTable('accounts')
      .set({ tray: 1, operator: 1, granted: null, refill_credits: null, refill_period: null })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return accountOfRow(row);
  });
}
