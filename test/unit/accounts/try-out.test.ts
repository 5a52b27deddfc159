import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryOut } from '../../../main/accounts/try-out.ts';
import { lockOf, openBook, temporaryDatabase } from '../../support/accounts.ts';

test('trying out the database says how many accounts there are, and leaves it as it was', async () => {
  await using held = await temporaryDatabase();
  const book = openBook(held.database);
  await book.add({ name: 'ann' });
  const before = await book.list();
  assert.equal(await tryOut(held.database), 1);
  assert.equal(await tryOut(held.database), 1);
  assert.deepEqual(await book.list(), before);
});

test('trying out a database that another process writes to for long says so', async () => {
  await using held = await temporaryDatabase();
  {
    using _lock = lockOf(held.path);
    await assert.rejects(tryOut(held.database), /locked/);
  }
  assert.equal(await tryOut(held.database), 0);
});
