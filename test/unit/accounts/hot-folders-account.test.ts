import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AccountProblem } from '../../../main/accounts/account-problem.ts';
import { ensureAccounts } from '../../../main/accounts/ensure.ts';
import { ensureHotFolders } from '../../../main/accounts/accounting.ts';
import { accountTable } from '../../../main/cli/account/table.ts';
import { describeWithDatabases, openBook } from '../../support/accounts/accounts.ts';

describeWithDatabases(({ temporaryDatabase, temporaryAccounts }) => {
  describe('the account of the hot folders', () => {
    test('has unlimited credits, is no operator, exists once, and is recreated after removal', async () => {
      await using temporary = await temporaryAccounts();
      const account = await ensureHotFolders(temporary.database);
      assert.deepEqual([account.name, account.operator], ['hot-folders', false]);
      const { balance, hotFolders } = await temporary.book.find('hot-folders');
      assert.deepEqual([balance, hotFolders], [undefined, true]);
      assert.deepEqual(await ensureHotFolders(temporary.database), account);
      await temporary.book.remove('hot-folders');
      assert.equal((await ensureHotFolders(temporary.database)).name, 'hot-folders');
    });

    test('cannot have a key, become an operator or authenticate', async () => {
      await using temporary = await temporaryAccounts();
      await ensureHotFolders(temporary.database);
      await assert.rejects(
        temporary.book.addKey('hot-folders', 'by accident'),
        (problem) => problem instanceof AccountProblem && problem.message.includes('cannot have a key'),
      );
      await assert.rejects(temporary.book.change('hot-folders', { operator: true }), /cannot be an operator/);
      for (const key of ['', 'hot-folders', 'undefined'])
        assert.equal(await temporary.book.authenticate('hot-folders', key), undefined);
    });

    test('keeps limits and credits that an operator sets', async () => {
      await using temporary = await temporaryAccounts();
      await ensureHotFolders(temporary.database);
      await temporary.book.setCredits('hot-folders', { kind: 'set', credits: 5 });
      await temporary.book.change('hot-folders', { jobsAtOnce: 1 });
      await ensureHotFolders(temporary.database);
      const { balance, jobsAtOnce } = await temporary.book.find('hot-folders');
      assert.deepEqual([balance, jobsAtOnce], [5, 1]);
    });

    test('is renamed to hot-folders-2 if the settings list an account named hot-folders', async () => {
      await using temporary = await temporaryAccounts();
      const { id } = await ensureHotFolders(temporary.database);
      await ensureAccounts(temporary.database, {
        entries: [{ user: 'hot-folders', key: 'known' }],
        demo: false,
      });
      assert.notEqual((await temporary.book.authenticate('hot-folders', 'known'))?.id, id);
      const { id: same, name } = await ensureHotFolders(temporary.database);
      assert.deepEqual([same, name], [id, 'hot-folders-2']);
    });

    test('does not prevent the creation of the first operator, and is marked in the account list', async () => {
      await using temporary = await temporaryDatabase();
      await ensureHotFolders(temporary.database);
      assert.equal((await ensureAccounts(temporary.database, { entries: [], demo: false }))?.name, 'admin');
      const listed = (await openBook(temporary.database).list()).map((account) => ({ account, keys: [] }));
      assert.match(accountTable(listed), /^hot-folders +unlimited .*hot folders \(no key\)$/m);
    });
  });
});
