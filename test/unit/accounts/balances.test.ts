import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { balancesOf } from '../../../main/accounts/accounting.ts';
import { openDatabase } from '../../../main/accounts/store/sqlite/sqlite-database.ts';

test('the balance of an account is its granted minus its spent credits; an unlimited account has none', async () => {
  const database = await openDatabase(join(mkdtempSync(join(tmpdir(), 'platen-balances-')), 'a.db'));
  const defaultColumns = { operator: 0, demo: 0, debug_log: 0, refilled_at: 0, created_at: 0 };
  await database
    .insertInto('accounts')
    .values([
      { ...defaultColumns, name: 'bert', granted: 10, spent: 10 },
      { ...defaultColumns, name: 'free', granted: null, spent: 5 },
      { ...defaultColumns, name: 'anna', granted: 100, spent: 3 },
    ])
    .execute();
  assert.deepEqual(await balancesOf(database), [
    { account: 'anna', remaining: 97 },
    { account: 'bert', remaining: 0 },
  ]);
  await database.destroy();
});
