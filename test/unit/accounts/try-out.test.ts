import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryOut } from '../../../main/accounts/try-out.ts';
import { lockOf, openBook, temporaryDatabase } from '../../support/accounts.ts';

test('the check of the database counts accounts, and changes nothing', async () => {
  await using held = await temporaryDatabase();
  const book = openBook(held.database);
  await book.add({ name: 'ann' });
  const before = await book.list();
  assert.equal(await tryOut(held.database), 1);
  assert.equal(await tryOut(held.database), 1);
  assert.deepEqual(await book.list(), before);
});

test('the check of the database reports a long lock of another process', async () => {
  await using held = await temporaryDatabase();
  {
    using _lock = lockOf(held.path);
    await assert.rejects(tryOut(held.database), /locked/);
  }
  assert.equal(await tryOut(held.database), 0);
});
