import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../../main/accounts/store/write-test.ts';
import { lockDatabase, openBook, temporaryDatabase } from '../../../support/accounts/accounts.ts';

test('the database check returns the number of accounts, and changes nothing', async () => {
  await using temporary = await temporaryDatabase();
  const book = openBook(temporary.database);
  await book.add({ name: 'ann' });
  const before = await book.list();
  assert.equal(await testDatabase(temporary.database), 1);
  assert.equal(await testDatabase(temporary.database), 1);
  assert.deepEqual(await book.list(), before);
});

test('the database check fails while another connection holds a lock', async () => {
  await using temporary = await temporaryDatabase();
  {
    using _lock = lockDatabase(temporary.path);
    await assert.rejects(testDatabase(temporary.database), /locked/);
  }
  assert.equal(await testDatabase(temporary.database), 0);
});
