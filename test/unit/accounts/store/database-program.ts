/**
 * `database-program.ts count <file>` opens a database and prints the number of accounts. With `spend` instead of `count`, it prints
 * a line and then increments the spent credits of the account in a loop.
 */
import { openDatabase } from '../../../../main/accounts/store/sqlite/sqlite-database.ts';
import { incrementSpent } from '../spending.ts';

async function run([action, path = '']: readonly string[]): Promise<void> {
  const database = await openDatabase(path);
  if (action === 'count') {
    console.log((await database.selectFrom('accounts').select('id').execute()).length);
    return;
  }
  console.log('begun');
  await incrementSpent(database);
}

void run(process.argv.slice(2));
