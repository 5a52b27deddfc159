/** The account that the jobs of hot folders stand under: without a key, so nobody is let in by its name, and no operator. */
import { insertAccount } from './account-records.ts';
import { accountOfRow, type Account } from './account.ts';
import { freeName } from './keyless.ts';
import type { Database } from './tables.ts';

/** Makes it, without a limit, when there is none; what an operator has changed of it stays. */
export async function ensureHotFolders(database: Database, now = Date.now()): Promise<Account> {
  // It is asked for with each job, and nearly always there.
  const there = await find(database);
  if (there !== undefined) return there;
  return await database.transaction().execute(async (inside) => {
    const known = await find(inside);
    if (known !== undefined) return known;
    const { id } = await insertAccount(inside, { name: await freeName(inside, 'hot-folders') }, now);
    const made = await inside
      .updateTable('accounts')
      .set({ hot_folders: 1 })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return accountOfRow(made);
  });
}

async function find(database: Database): Promise<Account | undefined> {
  const row = await database
    .selectFrom('accounts')
    .selectAll()
    .where('hot_folders', '=', 1)
    .executeTakeFirst();
  return row && accountOfRow(row);
}
