/** Whether the accounts database takes what is written: an account is made, read back, and never was. */
import { randomUUID } from 'node:crypto';
import { insertAccount, requireAccount } from './account-records.ts';
import { whenFree } from './busy.ts';
import type { Database } from './tables.ts';

/** Takes the transaction back. */
class TakenBack extends Error {}

/** The number of accounts there are. @throws what writing and reading throw; Error when another account was read than written */
export async function tryOut(database: Database): Promise<number> {
  await whenFree(() => database.transaction().execute(writeAndRead)).catch((problem: unknown) => {
    if (!(problem instanceof TakenBack)) throw problem;
  });
  const accounts = await database.selectFrom('accounts').select('name').execute();
  return accounts.length;
}

async function writeAndRead(inside: Database): Promise<never> {
  const name = `self-test ${randomUUID()}`;
  const now = Date.now();
  const { id } = await insertAccount(inside, { name, credits: 1 }, now);
  const read = await requireAccount(inside, name, now);
  if (read.id !== id || read.granted !== 1) throw new Error('what was read is not what was written');
  throw new TakenBack();
}
