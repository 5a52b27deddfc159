import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { startCheckpoints } from '../../../main/accounts/store/sqlite/sqlite-store.ts';
import { failedResult, temporaryLedger } from '../../support/accounts/ledger.ts';
import { waitUntil } from '../../support/wait-until.ts';

test('commits run no WAL checkpoint; the last one writes all pages to the database file and empties the WAL file', async () => {
  await using ledger = await temporaryLedger();
  const checkpoints = await startCheckpoints(ledger.database, { path: ledger.path, report: assert.ifError });
  const ann = await ledger.account({ name: 'ann' });
  const walSize = () => statSync(`${ledger.path}-wal`).size;
  for (let n = 0; n < 400; n += 1) await (await ledger.begin(ann)).fail(failedResult);
  // At 1,000 pages, SQLite would have run a checkpoint and restarted the WAL file.
  assert.ok(walSize() > 1200 * 4096);
  await checkpoints[Symbol.asyncDispose]();
  assert.equal(walSize(), 0);
  assert.ok(statSync(ledger.path).size > 50_000);
});

test('a timer empties a long WAL file too, which a thread has written to the database file', async (t) => {
  await using ledger = await temporaryLedger();
  const { path, database } = ledger;
  const threadFile = join(import.meta.dirname, '../../../.build/checkpoint-thread.cjs');
  t.mock.timers.enable({ apis: ['setInterval'] });
  await using _checkpoints = await startCheckpoints(database, { path, report: assert.ifError, threadFile });
  await sql`CREATE TABLE long (text)`.execute(database);
  const text = 'x'.repeat(6_000_000);
  await sql`INSERT INTO long VALUES (${text})`.execute(database);
  const walSize = () => statSync(`${path}-wal`).size;
  assert.ok(walSize() > 6_000_000);
  t.mock.timers.tick(5000);
  await waitUntil('the WAL file is empty', () => walSize() === 0);
  assert.ok(statSync(path).size > 6_000_000);
});
