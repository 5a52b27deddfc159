import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ensureAccounts } from '../../../main/accounts/ensure.ts';
import { ensureTray } from '../../../main/accounts/accounting.ts';
import { AccountProblem } from '../../../main/accounts/account-problem.ts';
import { accountTable } from '../../../main/cli/account/table.ts';
import { temporaryAccounts, temporaryDatabase, openBook } from '../../support/accounts.ts';

describe("the tray's account", () => {
  test('is a unique operator without limit and key', async () => {
    await using temporary = await temporaryAccounts();
    const tray = await ensureTray(temporary.database);
    assert.deepEqual([tray.name, tray.operator], ['tray', true]);
    const { balance, tray: isTray } = await temporary.book.find('tray');
    assert.deepEqual([balance, isTray, await temporary.book.listKeys('tray')], [undefined, true, []]);
    assert.equal((await ensureTray(temporary.database)).id, tray.id);
  });

  test('gets no key, and cannot authenticate', async () => {
    await using temporary = await temporaryAccounts();
    await ensureTray(temporary.database);
    await assert.rejects(
      temporary.book.addKey('tray', 'by accident'),
      (problem) => problem instanceof AccountProblem && problem.message.includes('cannot have a key'),
    );
    for (const key of ['', 'tray', 'undefined'])
      assert.equal(await temporary.book.authenticate('tray', key), undefined);
  });

  test('remains an operator, and regains its rights at the next start', async () => {
    await using temporary = await temporaryAccounts();
    await ensureTray(temporary.database);
    await assert.rejects(temporary.book.change('tray', { operator: false }), /must remain an operator/);
    await temporary.book.setCredits('tray', { kind: 'set', credits: 1 });
    await ensureTray(temporary.database);
    assert.equal((await temporary.book.find('tray')).balance, undefined);
  });

  test('leaves an ordinary account of that name unchanged, and takes another name', async () => {
    await using temporary = await temporaryAccounts();
    const key = await temporary.book.add({ name: 'tray' });
    assert.equal((await ensureTray(temporary.database)).name, 'tray-2');
    const ordinary = await temporary.book.authenticate('tray', key);
    assert.equal(ordinary?.operator, false);
  });

  test('gives its name to an account of the settings, whose key must not be an operator’s', async () => {
    await using temporary = await temporaryAccounts();
    const tray = await ensureTray(temporary.database);
    await ensureAccounts(temporary.database, { entries: [{ user: 'tray', key: 'known' }], demo: false });
    const authenticated = await temporary.book.authenticate('tray', 'known');
    assert.deepEqual([authenticated?.operator, authenticated?.id === tray.id], [false, false]);
    assert.deepEqual(await ensureTray(temporary.database), { ...tray, name: 'tray-2' });
  });

  test('does not count as a first account: the first operator is still created', async () => {
    await using temporary = await temporaryDatabase();
    await ensureTray(temporary.database);
    assert.equal((await ensureAccounts(temporary.database, { entries: [], demo: false }))?.name, 'admin');
  });

  test('is marked in the list of the command line', async () => {
    await using temporary = await temporaryDatabase();
    await ensureTray(temporary.database);
    const listed = (await openBook(temporary.database).list()).map((account) => ({ account, keys: [] }));
    assert.match(accountTable(listed), /^tray +unlimited .*operator, tray \(no key\)$/m);
  });
});
