/** Tests whether the accounts database can be written: adds an account, reads it and rolls back. */
import { randomUUID } from 'node:crypto';
import { insertAccount, requireAccount } from './account-records.ts';
import { retryWhileBusy } from './write-retries.ts';
import type { Database } from './tables.ts';

/** Thrown inside the transaction to roll it back. */
class RolledBack extends Error {}

/** Returns the number of accounts. @throws the error of SQLite; Error if the account is not read as it was written */
export async function testDatabase(database: Database): Promise<number> {
  await retryWhileBusy(() => database.transaction().execute(writeAndRead)).catch((problem: unknown) => {
    if (!(problem instanceof RolledBack)) throw problem;
  });
  const accounts = await database.selectFrom('accounts').select('name').execute();
  return accounts.length;
}

async function writeAndRead(transaction: Database): Promise<never> {
  const name = `self-test ${randomUUID()}`;
  const now = Date.now();
  const { id } = await insertAccount(transaction, { name, credits: 1 }, now);
  const account = await requireAccount(transaction, name, now);
  if (account.id !== id || account.granted !== 1)
    throw new Error('the test account was not read as it was written');
  throw new RolledBack();
}
