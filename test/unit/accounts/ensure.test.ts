import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ensureAccounts } from '../../../main/accounts/ensure.ts';
import type { AccountEntry } from '../../../main/settings/setting-kinds.ts';
import { describeWithDatabases, openBook } from '../../support/accounts/accounts.ts';

describeWithDatabases(({ kind, temporaryDatabase }) => {
  /** Returns a database that a test can start several times, each time with other settings. */
  async function installation() {
    const temporary = await temporaryDatabase();
    return {
      ...temporary,
      /** Returns the first account if this start created it. */
      start: (entries: readonly AccountEntry[], demo = false) =>
        ensureAccounts(temporary.database, { entries, demo }),
      book: openBook(temporary.database, true),
      /** Sets the spent credits of an account, as jobs would. */
      spend: (name: string, credits: number) =>
        temporary.database.updateTable('accounts').set({ spent: credits }).where('name', '=', name).execute(),
    };
  }

  const nameOf = (account: { readonly name: string } | undefined) => account?.name;

  describe('the first start', () => {
    test('without accounts creates an operator without a credit limit; later starts do not return its key', async () => {
      await using at = await installation();
      const first = await at.start([]);
      assert.match(first?.key ?? '', /^[0-9a-f]{40}$/);
      const admin = await at.book.authenticate('admin', first?.key ?? '');
      assert.deepEqual([admin?.name, admin?.operator], ['admin', true]);
      assert.equal((await at.book.find('admin')).balance, undefined);
      assert.equal(await at.start([]), undefined);
      assert.equal(nameOf(await at.book.authenticate('admin', first?.key ?? '')), 'admin');
    });

    test('with only the demo account creates an operator too', async () => {
      await using at = await installation();
      assert.equal((await at.start([], true))?.name, 'admin');
    });

    test('with accounts in the settings creates no operator', async () => {
      await using at = await installation();
      assert.equal(await at.start([{ user: 'ann', key: 'k' }], true), undefined);
      assert.deepEqual((await at.book.list()).map(nameOf), ['ann', 'demo']);
      assert.equal(
        await at.start([], true),
        undefined,
        'nor does a later start without accounts in the settings',
      );
    });

    test('with an account created on the command line creates no operator', async () => {
      await using at = await installation();
      await at.book.add({ name: 'ann' });
      assert.equal(await at.start([]), undefined);
    });
  });

  describe('an account in the settings', () => {
    test('starts with the credits of its entry or without a limit, and is no operator', async () => {
      await using at = await installation();
      await at.start([
        { user: 'ann', key: 'a', credits: 5 },
        { user: 'bob', key: 'b' },
        { user: 'none', key: 'n', credits: 0 },
      ]);
      assert.deepEqual(
        (await at.book.list()).map(({ name, balance, operator }) => [name, balance, operator]),
        [
          ['ann', 5, false],
          ['bob', undefined, false],
          ['none', 0, false],
        ],
      );
    });

    test('keeps its balance when the settings change', async () => {
      await using at = await installation();
      await at.start([{ user: 'ann', key: 'a', credits: 5 }]);
      await at.spend('ann', 2);
      await at.start([{ user: 'ann', key: 'a', credits: 5 }]);
      assert.equal((await at.book.find('ann')).balance, 3);
      await at.start([{ user: 'ann', key: 'other', credits: 100 }]);
      assert.equal((await at.book.find('ann')).balance, 3);
      await at.start([{ user: 'ann', key: 'other' }]);
      assert.equal((await at.book.find('ann')).balance, 3);
    });

    test('loses its old key when the settings have a new one, and keeps its other keys', async () => {
      await using at = await installation();
      await at.start([{ user: 'ann', key: 'old' }]);
      const shop = await at.book.addKey('ann', 'shop');
      await at.start([{ user: 'ann', key: 'new' }]);
      assert.equal(await at.book.authenticate('ann', 'old'), undefined);
      assert.equal(nameOf(await at.book.authenticate('ann', 'new')), 'ann');
      assert.equal(nameOf(await at.book.authenticate('ann', shop)), 'ann');
      const before = await at.book.listKeys('ann');
      await at.start([{ user: 'ann', key: 'new' }]);
      assert.deepEqual(await at.book.listKeys('ann'), before, 'an unchanged key is not replaced');
    });

    test('that was created on the command line keeps its key, and also gets the key from the settings', async () => {
      await using at = await installation();
      const created = await at.book.add({ name: 'ann', credits: 7, operator: true });
      await at.start([{ user: 'ann', key: 'theirs', credits: 100 }]);
      for (const key of [created, 'theirs'])
        assert.equal((await at.book.authenticate('ann', key))?.operator, true);
      assert.equal((await at.book.find('ann')).balance, 7);
    });

    test('that is listed twice has the key and the credits of the last entry', async () => {
      await using at = await installation();
      await at.start([
        { user: 'ann', key: 'first', credits: 1 },
        { user: 'ann', key: 'last', credits: 2 },
      ]);
      assert.equal(await at.book.authenticate('ann', 'first'), undefined);
      assert.equal(nameOf(await at.book.authenticate('ann', 'last')), 'ann');
      assert.equal((await at.book.find('ann')).balance, 2);
      assert.equal((await at.book.listKeys('ann')).length, 1);
    });
  });

  describe('the demo account', () => {
    test('has 100,000 credits, refilled daily', async () => {
      await using at = await installation();
      await at.start([], true);
      const demo = await at.book.authenticate('demo', 'demo');
      assert.deepEqual([demo?.name, demo?.operator], ['demo', false]);
      const { balance, refill } = await at.book.find('demo');
      assert.deepEqual([balance, refill], [100_000, { credits: 100_000, period: 'day' }]);
    });

    test('cannot authenticate once the demo setting is off, even with a new key', async () => {
      await using at = await installation();
      await at.start([], true);
      await at.start([], false);
      const closed = openBook(at.database);
      assert.equal(await closed.authenticate('demo', 'demo'), undefined);
      const newKey = await at.book.addKey('demo', 'another');
      assert.equal(await closed.authenticate('demo', newKey), undefined);
      assert.equal(nameOf(await at.book.authenticate('demo', 'demo')), 'demo');
    });

    test('keeps its spent credits across restarts', async () => {
      await using at = await installation();
      await at.start([], true);
      await at.spend('demo', 10);
      await at.start([], true);
      assert.equal((await at.book.find('demo')).balance, 99_990);
    });

    test('becomes an ordinary account with only the key from the settings if they list it', async () => {
      await using at = await installation();
      await at.start([], true);
      await at.spend('demo', 10);
      await at.start([{ user: 'demo', key: 'mine', credits: 5 }], true);
      assert.equal(await at.book.authenticate('demo', 'demo'), undefined);
      const closed = openBook(at.database);
      assert.equal(nameOf(await closed.authenticate('demo', 'mine')), 'demo');
      const { demo, balance, refill, spent } = await at.book.find('demo');
      assert.deepEqual([demo, balance, refill, spent], [false, 5, undefined, 10]);
    });

    test('cannot become an operator', async () => {
      await using at = await installation();
      await at.start([], true);
      await assert.rejects(at.book.change('demo', { operator: true }), /public/);
    });
  });

  // Only one service at a time uses an SQLite file.
  const skip = kind === 'sqlite' && 'for databases that several services share';

  for (const entries of [[], [{ user: 'ann', key: 'key' }]])
    test(
      `services that start together create ${entries.length === 0 ? 'one operator' : 'an account once'}`,
      { skip },
      async () => {
        for (let round = 0; round < 5; round += 1) {
          await using temporary = await temporaryDatabase();
          const databases = await Promise.all([1, 2, 3, 4].map(() => temporary.open()));
          // Connected, so that the transactions begin at the same time.
          for (const database of databases) await database.selectFrom('accounts').selectAll().execute();
          const first = await Promise.all(
            databases.map((database) => ensureAccounts(database, { entries, demo: true })),
          );
          const created = await temporary.database
            .selectFrom('accounts')
            .select('name')
            .orderBy('name')
            .execute();
          assert.deepEqual(
            created.map(({ name }) => name),
            entries.length === 0 ? ['admin', 'demo'] : ['ann', 'demo'],
          );
          assert.equal(first.filter((account) => account !== undefined).length, entries.length === 0 ? 1 : 0);
          for (const database of databases) await database.destroy();
        }
      },
    );
});
