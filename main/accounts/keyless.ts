/** Accounts of the service's own, which nobody is let in by: they have no key, and make room where a person wants their names. */
import type { AccountRow, Database } from './tables.ts';

export function isKeyless({ tray, hot_folders }: Pick<AccountRow, 'tray' | 'hot_folders'>): boolean {
  return tray === 1 || hot_folders === 1;
}

/** Gives its name to an account of the settings: that one has a key, which must not open this one. */
export async function makeRoom(
  database: Database,
  { id, tray }: Pick<AccountRow, 'id' | 'tray'>,
): Promise<void> {
  await database
    .updateTable('accounts')
    .set({ name: await freeName(database, tray === 1 ? 'tray' : 'hot-folders') })
    .where('id', '=', id)
    .execute();
}

/** `tray`, `tray-2`, `tray-3` and so on. */
export async function freeName(database: Database, usual: 'tray' | 'hot-folders'): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? usual : `${usual}-${number}`;
    const taken = await database
      .selectFrom('accounts')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirst();
    if (taken === undefined) return name;
  }
}
