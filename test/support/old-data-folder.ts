/** A data folder of a version before version.json: without hot folders, with one account. */
import { DatabaseSync } from '@photostructure/sqlite';
import { databasePath, openDatabase } from '../../main/accounts/store/database.ts';
import { openBook } from './accounts.ts';

/** The key of `ann`, who has 42 of 100 credits left. */
export async function makeOldDataFolder(data: string): Promise<string> {
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
