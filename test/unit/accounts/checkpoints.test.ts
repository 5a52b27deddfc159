import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { startCheckpoints } from '../../../main/accounts/store/sqlite/sqlite-store.ts';
import { failedResult, temporaryLedger } from '../../support/accounts/ledger.ts';

test('commits run no WAL checkpoint; the last one writes all pages to the database file and empties the WAL file', async () => {
  await using ledger = await temporaryLedger();
  const checkpoints = await startCheckpoints(ledger.database, assert.ifError);
  const ann = await ledger.account({ name: 'ann' });
  const walSize = () => statSync(`${ledger.path}-wal`).size;
  for (let n = 0; n < 400; n += 1) await (await ledger.begin(ann)).fail(failedResult);
  // At 1,000 pages, SQLite would have run a checkpoint and restarted the WAL file.
  assert.ok(walSize() > 1200 * 4096);
  await checkpoints[Symbol.asyncDispose]();
  assert.equal(walSize(), 0);
  assert.ok(statSync(ledger.path).size > 50_000);
});
