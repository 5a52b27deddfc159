/** Creates a data folder as written by Platen before version.json and hot folders existed. */
import { DatabaseSync } from '@photostructure/sqlite';
import { databasePath, openDatabase } from '../../../main/accounts/store/sqlite/sqlite-database.ts';
import { openBook } from './accounts.ts';

/** Resolves with the key of the only account, `ann`, which has 42 of 100 credits left. */
export async function createOldDataFolder(data: string): Promise<string> {
  const database = await openDatabase(databasePath(data));
  const key = await openBook(database).add({ name: 'ann', credits: 100 });
  await database.updateTable('accounts').set({ spent: 58 }).where('name', '=', 'ann').execute();
  await database.destroy();
  const file = new DatabaseSync(databasePath(data));
  file.exec('ALTER TABLE accounts DROP COLUMN hot_folders');
  file.exec("DELETE FROM kysely_migration WHERE name = '0003-hot-folders'");
  file.close();
  return key;
}
