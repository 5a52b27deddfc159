import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ensureTray } from '../../../main/accounts/accounting.ts';
import { Failure } from '../../../main/failure/failure.ts';
import type { FailureKind } from '../../../main/failure/catalogue.ts';
import { openOperatorConsole, type OperatorConsole } from '../../support/console/operator-console.ts';

const refused = (act: Promise<unknown>, kind: FailureKind, message: RegExp) =>
  assert.rejects(act, (problem) => {
    assert.ok(problem instanceof Failure, String(problem));
    assert.equal(problem.kind, kind);
    assert.match(problem.message, message);
    return true;
  });

const add = async ({ calls, admin }: OperatorConsole, name: string, more: object = {}) =>
  (await calls.addAccount({ name, ...more }, admin)).key;

describe('an operator', () => {
  test('adds an account with a working key, changes it, sets its credits and removes it', async () => {
    await using operatorConsole = await openOperatorConsole();
    const { calls, admin, book } = operatorConsole;
    const key = await add(operatorConsole, 'ann', {
      credits: 5,
      jobsAtOnce: 2,
      refill: { credits: 9, period: 'day' },
    });
    assert.equal((await book.authenticate('ann', key))?.name, 'ann');
    await calls.changeAccount(
      { name: 'ann', jobsAtOnce: 'none', operator: undefined, debugLog: true },
      admin,
    );
    const ann = (await calls.accounts({}, admin)).find(({ name }) => name === 'ann');
    assert.deepEqual(
      [ann?.balance, ann?.jobsAtOnce, ann?.debugLog, ann?.operator, ann?.refill],
      [5, undefined, true, false, { credits: 9, period: 'day' }],
    );
    await calls.setCredits({ name: 'ann', credits: { add: -3 } }, admin);
    assert.equal((await book.find('ann')).balance, 2);
    await calls.setCredits({ name: 'ann', credits: 'unlimited' }, admin);
    assert.equal((await book.find('ann')).balance, undefined);
    await calls.removeAccount({ name: 'ann' }, admin);
    assert.equal(await book.authenticate('ann', key), undefined);
  });

  test('adds, lists and revokes keys', async () => {
    await using operatorConsole = await openOperatorConsole();
    const { calls, admin, book } = operatorConsole;
    await add(operatorConsole, 'ann');
    const { key } = await calls.addKey({ name: 'ann', purpose: 'the shop' }, admin);
    assert.equal((await book.authenticate('ann', key))?.name, 'ann');
    const shop = (await calls.keys({ name: 'ann' }, admin)).find(({ name }) => name === 'the shop');
    await calls.revokeKey({ name: 'ann', id: shop?.id ?? '' }, admin);
    assert.equal(await book.authenticate('ann', key), undefined);
  });

  test('is named in a log line for each change, and no key is logged', async () => {
    await using operatorConsole = await openOperatorConsole();
    const { calls, admin, logLines } = operatorConsole;
    const first = await add(operatorConsole, 'ann');
    const { key } = await calls.addKey({ name: 'ann', purpose: 'shop' }, admin);
    await calls.changeAccount({ name: 'ann', jobsPerMinute: 3 }, admin);
    await calls.setCredits({ name: 'ann', credits: 1 }, admin);
    await calls.removeAccount({ name: 'ann' }, admin);
    assert.deepEqual(
      logLines.map(({ msg, by, account }) => [msg, by, account]),
      [
        ['an account was added', 'admin', 'ann'],
        ['a key was added', 'admin', 'ann'],
        ['an account was changed', 'admin', 'ann'],
        ['the credits of an account were set', 'admin', 'ann'],
        ['an account was removed', 'admin', 'ann'],
      ],
    );
    for (const secret of [first, key]) assert.ok(!JSON.stringify(logLines).includes(secret));
  });

  test('gets an error with the reason for each impossible request', async () => {
    await using operatorConsole = await openOperatorConsole();
    const { calls, admin } = operatorConsole;
    await add(operatorConsole, 'ann');
    await refused(
      add(operatorConsole, 'ann'),
      'valueNotAllowed',
      /An account 'ann' already exists.*\.$|^An account 'ann'/,
    );
    await refused(add(operatorConsole, 'a:b'), 'valueNotAllowed', /name: the value 'a:b' is not allowed/);
    await refused(calls.keys({ name: 'bob' }, admin), 'notFound', /^There is no account 'bob'/);
    await refused(calls.removeAccount({ name: 'bob' }, admin), 'notFound', /no account 'bob'/);
    await refused(calls.changeAccount({ name: 'bob' }, admin), 'notFound', /no account 'bob'/);
    await refused(calls.revokeKey({ name: 'ann', id: 'x' }, admin), 'notFound', /no active key 'x'/);
    await refused(calls.addKey({ name: 'ann', purpose: 'two\nlines' }, admin), 'valueNotAllowed', /purpose/);
    await refused(
      calls.addKey({ name: 'ann', purpose: 'PLATEN_ACCOUNTS' }, admin),
      'valueNotAllowed',
      /the settings use that name/,
    );
    await refused(
      calls.setCredits({ name: 'ann', credits: { add: 1 } }, admin),
      'valueNotAllowed',
      /unlimited credits/,
    );
    await refused(calls.setCredits({ name: 'ann', credits: 1e13 }, admin), 'valueNotAllowed', /at most/);
    await refused(add(operatorConsole, 'carl', { credits: 1e13 }), 'valueNotAllowed', /at most/);
  });
});

describe('so that an operator remains,', () => {
  test('operators can neither remove nor demote their own account', async () => {
    await using operatorConsole = await openOperatorConsole();
    const { calls, admin } = operatorConsole;
    await add(operatorConsole, 'other', { operator: true });
    await refused(calls.removeAccount({ name: 'admin' }, admin), 'valueNotAllowed', /your own account/);
    await refused(
      calls.changeAccount({ name: 'admin', operator: false }, admin),
      'valueNotAllowed',
      /your own account/,
    );
    await calls.changeAccount({ name: 'admin', debugLog: true }, admin);
  });

  test('the last operator with a key can neither be removed nor demoted, and keeps the last key', async () => {
    await using operatorConsole = await openOperatorConsole();
    const { calls, book, database } = operatorConsole;
    const tray = await ensureTray(database);
    const [key] = await book.listKeys('admin');
    const last = [
      () => calls.removeAccount({ name: 'admin' }, tray),
      () => calls.changeAccount({ name: 'admin', operator: false }, tray),
      () => calls.revokeKey({ name: 'admin', id: key?.id ?? '' }, tray),
    ];
    for (const act of last) await refused(act(), 'valueNotAllowed', /last operator/);
    assert.equal((await book.listKeys('admin'))[0]?.revokedAt, undefined);
    // An operator without a valid key cannot sign in, so it does not count.
    await book.add({ name: 'other', operator: true });
    const [others] = await book.listKeys('other');
    await book.revokeKey('other', others?.id ?? '');
    for (const act of last) await refused(act(), 'valueNotAllowed', /last operator/);
    await calls.addKey({ name: 'other', purpose: 'again' }, tray);
    await calls.removeAccount({ name: 'admin' }, tray);
  });
});
