import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ensureAccounts } from '../../../main/accounts/ensure.ts';
import { ensureTray } from '../../../main/accounts/accounting.ts';
import { AccountProblem } from '../../../main/accounts/account-problem.ts';
import { accountTable } from '../../../main/cli/account/table.ts';
import { describeWithDatabases, openBook } from '../../support/accounts/accounts.ts';

describeWithDatabases(({ temporaryDatabase, temporaryAccounts }) => {
  describe("the tray's account", () => {
    test('is an operator without a credit limit or a key, and exists once', async () => {
      await using temporary = await temporaryAccounts();
      const tray = await ensureTray(temporary.database);
      assert.deepEqual([tray.name, tray.operator], ['tray', true]);
      const { balance, tray: isTray } = await temporary.book.find('tray');
      assert.deepEqual([balance, isTray, await temporary.book.listKeys('tray')], [undefined, true, []]);
      assert.equal((await ensureTray(temporary.database)).id, tray.id);
    });

    test('cannot have a key, and cannot authenticate', async () => {
      await using temporary = await temporaryAccounts();
      await ensureTray(temporary.database);
      await assert.rejects(
        temporary.book.addKey('tray', 'by accident'),
        (problem) => problem instanceof AccountProblem && problem.message.includes('cannot have a key'),
      );
      for (const key of ['', 'tray', 'undefined'])
        assert.equal(await temporary.book.authenticate('tray', key), undefined);
    });

    test('must remain an operator, and is unlimited again at the next start', async () => {
      await using temporary = await temporaryAccounts();
      await ensureTray(temporary.database);
      await assert.rejects(temporary.book.change('tray', { operator: false }), /must remain an operator/);
      await temporary.book.setCredits('tray', { kind: 'set', credits: 1 });
      await ensureTray(temporary.database);
      assert.equal((await temporary.book.find('tray')).balance, undefined);
    });

    test('is named tray-2 if an ordinary account is named tray; the ordinary account does not become an operator', async () => {
      await using temporary = await temporaryAccounts();
      const key = await temporary.book.add({ name: 'tray' });
      assert.equal((await ensureTray(temporary.database)).name, 'tray-2');
      const ordinary = await temporary.book.authenticate('tray', key);
      assert.equal(ordinary?.operator, false);
    });

    test('is renamed to tray-2 if the settings list an account named tray; the listed account is no operator', async () => {
      await using temporary = await temporaryAccounts();
      const tray = await ensureTray(temporary.database);
      await ensureAccounts(temporary.database, { entries: [{ user: 'tray', key: 'known' }], demo: false });
      const authenticated = await temporary.book.authenticate('tray', 'known');
      assert.deepEqual([authenticated?.operator, authenticated?.id === tray.id], [false, false]);
      assert.deepEqual(await ensureTray(temporary.database), { ...tray, name: 'tray-2' });
    });

    test('does not prevent the creation of the first operator', async () => {
      await using temporary = await temporaryDatabase();
      await ensureTray(temporary.database);
      assert.equal((await ensureAccounts(temporary.database, { entries: [], demo: false }))?.name, 'admin');
    });

    test('is marked in the account list of the command line', async () => {
      await using temporary = await temporaryDatabase();
      await ensureTray(temporary.database);
      const listed = (await openBook(temporary.database).list()).map((account) => ({ account, keys: [] }));
      assert.match(accountTable(listed), /^tray +unlimited .*operator, tray \(no key\)$/m);
    });
  });
});
