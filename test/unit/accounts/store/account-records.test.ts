import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AccountProblem } from '../../../../main/accounts/account-problem.ts';
import { describeWithDatabases } from '../../../support/accounts/accounts.ts';

describeWithDatabases(({ temporaryAccounts }) => {
  const problem = (message: RegExp) => (thrown: unknown) =>
    thrown instanceof AccountProblem && message.test(thrown.message);

  describe('an account', () => {
    test('is created with the given properties and defaults for the others', async () => {
      await using temporary = await temporaryAccounts();
      await temporary.book.add({ name: 'plain' });
      await temporary.book.add({
        name: 'all',
        credits: 7,
        operator: true,
        debugLog: true,
        jobsAtOnce: 2,
        jobsPerMinute: 30,
        refill: { credits: 50, period: 'month' },
      });
      const { id: _id, createdAt: _createdAt, ...plain } = await temporary.book.find('plain');
      assert.deepEqual(plain, {
        name: 'plain',
        operator: false,
        debugLog: false,
        demo: false,
        tray: false,
        spent: 0,
      });
      const { id: _other, createdAt, ...all } = await temporary.book.find('all');
      assert.deepEqual(all, {
        name: 'all',
        operator: true,
        debugLog: true,
        demo: false,
        tray: false,
        spent: 0,
        balance: 7,
        jobsAtOnce: 2,
        jobsPerMinute: 30,
        refill: { credits: 50, period: 'month' },
      });
      assert.ok(Math.abs(createdAt - Date.now()) < 60_000);
    });

    test('is changed only in the given properties', async () => {
      await using temporary = await temporaryAccounts();
      await temporary.book.add({ name: 'ann', credits: 7, jobsAtOnce: 2, jobsPerMinute: 30, operator: true });
      const before = await temporary.book.find('ann');
      assert.deepEqual(await temporary.book.change('ann', {}), before);
      const { jobsAtOnce: _none, ...rest } = before;
      const after = await temporary.book.change('ann', { jobsAtOnce: 'none', debugLog: true });
      assert.deepEqual(after, { ...rest, debugLog: true });
      assert.deepEqual(await temporary.book.find('ann'), after);
    });

    test('keeps its balance until the next period when its refill is changed', async () => {
      await using temporary = await temporaryAccounts();
      await temporary.book.add({ name: 'ann', credits: 7 });
      await temporary.database.updateTable('accounts').set({ refilled_at: 0 }).execute();
      const { balance, refill } = await temporary.book.change('ann', {
        refill: { credits: 50, period: 'day' },
      });
      assert.deepEqual([balance, refill], [7, { credits: 50, period: 'day' }]);
      assert.equal((await temporary.book.find('ann')).balance, 7);
      assert.equal((await temporary.book.change('ann', { refill: 'none' })).refill, undefined);
    });

    test('cannot be created twice; a second attempt leaves it unchanged', async () => {
      await using temporary = await temporaryAccounts();
      const key = await temporary.book.add({ name: 'ann', credits: 7 });
      await assert.rejects(temporary.book.add({ name: 'ann', credits: 9 }), problem(/'ann' already exists/));
      assert.equal((await temporary.book.find('ann')).balance, 7);
      assert.equal((await temporary.book.listKeys('ann')).length, 1);
      assert.ok(await temporary.book.authenticate('ann', key));
    });

    test('that does not exist is named in the error of every call', async () => {
      await using temporary = await temporaryAccounts();
      const { book } = temporary;
      const operations = [
        () => book.find('zoe'),
        () => book.change('zoe', { operator: true }),
        () => book.remove('zoe'),
        () => book.setCredits('zoe', { kind: 'unlimited' }),
        () => book.addKey('zoe', 'x'),
        () => book.listKeys('zoe'),
        () => book.revokeKey('zoe', 'x'),
      ];
      for (const operation of operations) await assert.rejects(operation, problem(/no account 'zoe'/));
    });

    test('never gets the id of a removed account', async () => {
      await using temporary = await temporaryAccounts();
      await temporary.book.add({ name: 'ann' });
      const { id } = await temporary.book.find('ann');
      await temporary.book.remove('ann');
      await temporary.book.add({ name: 'ann' });
      assert.ok((await temporary.book.find('ann')).id > id);
    });
  });

  describe('the credits of an account', () => {
    test('can be set, increased, reduced and made unlimited', async () => {
      await using temporary = await temporaryAccounts();
      await temporary.book.add({ name: 'ann', credits: 7 });
      await temporary.database.updateTable('accounts').set({ spent: 3 }).where('name', '=', 'ann').execute();
      const balanceAfter = async (change: Parameters<typeof temporary.book.setCredits>[1]) =>
        (await temporary.book.setCredits('ann', change)).account.balance;
      assert.equal(await balanceAfter({ kind: 'add', credits: 10 }), 14);
      assert.equal(await balanceAfter({ kind: 'add', credits: -4 }), 10);
      assert.equal(await balanceAfter({ kind: 'set', credits: 100 }), 100);
      assert.equal(await balanceAfter({ kind: 'add', credits: -100 }), 0);
      assert.equal(await balanceAfter({ kind: 'unlimited' }), undefined);
      assert.equal((await temporary.book.find('ann')).spent, 3);
    });

    test('cannot be reduced below zero; unlimited credits accept neither additions nor a refill', async () => {
      await using temporary = await temporaryAccounts();
      await temporary.book.add({ name: 'ann', credits: 7 });
      await assert.rejects(
        temporary.book.setCredits('ann', { kind: 'add', credits: -8 }),
        problem(/has only 7 credits left; 8 cannot be taken/),
      );
      assert.equal((await temporary.book.find('ann')).balance, 7);
      await temporary.book.setCredits('ann', { kind: 'unlimited' });
      await assert.rejects(
        temporary.book.setCredits('ann', { kind: 'add', credits: 1 }),
        problem(/unlimited/),
      );
      await assert.rejects(
        temporary.book.change('ann', { refill: { credits: 1, period: 'day' } }),
        problem(/unlimited/),
      );
    });
  });
});
