import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { AccountProblem } from '../../../main/accounts/account-problem.ts';
import { openDatabase } from '../../../main/accounts/database.ts';
import { openBook, temporaryAccounts, temporaryDatabase } from '../../support/accounts.ts';

const entries = [
  { user: 'ann', key: 'secret' },
  { user: '__proto__', key: 'proto', credits: 1 },
  { user: 'jürgen', key: 'grün:ß' },
];

const problem = (message: RegExp) => (thrown: unknown) =>
  thrown instanceof AccountProblem && message.test(thrown.message);

describe('authentication', () => {
  test('accepts an account with its key', async () => {
    await using held = await temporaryAccounts(entries);
    for (const { user, key } of entries) assert.equal((await held.book.authenticate(user, key))?.name, user);
  });

  test('refuses another key or another name', async () => {
    await using held = await temporaryAccounts(entries);
    const wrong = [
      ['ann', ''],
      ['ann', 'Secret'],
      ['ann', 'secret '],
      ['ann', 'secret\0'],
      ['ann\0', 'secret'],
      ['ann ', 'secret'],
      ["ann' --", 'secret'],
      ['%', 'secret'],
      ['ann', 'proto'],
      ['Ann', 'secret'],
      ['', ''],
      ['', 'secret'],
      ['nobody', ''],
      ['constructor', ''],
      ['toString', 'undefined'],
      ['jürgen', 'grun:ß'],
      ['ann', 'x'.repeat(1_000_000)],
    ];
    for (const [user = '', key = ''] of wrong)
      assert.equal(await held.book.authenticate(user, key), undefined, user);
  });

  test('refuses everything without accounts', async () => {
    await using held = await temporaryDatabase();
    const book = openBook(held.database, true);
    assert.equal(await book.authenticate('', ''), undefined);
    assert.equal(await book.authenticate('demo', 'demo'), undefined);
  });

  test('an account by each of its keys, until that key is revoked, also by another process', async () => {
    await using held = await temporaryAccounts();
    const { book } = held;
    const first = await book.add({ name: 'bob' });
    const second = await book.addKey('bob', 'the shop');
    assert.match(second, /^[0-9a-f]{40}$/);
    assert.notEqual(first, second);
    for (const key of [first, second]) assert.equal((await book.authenticate('bob', key))?.name, 'bob');
    const shop = (await book.listKeys('bob')).find(({ name }) => name === 'the shop');
    await using other = await openDatabase(held.path);
    await openBook(other).revokeKey('bob', shop?.id ?? '');
    assert.equal(await book.authenticate('bob', second), undefined);
    assert.equal((await book.authenticate('bob', first))?.name, 'bob');
  });

  test('an account that was removed no more', async () => {
    await using held = await temporaryAccounts();
    const key = await held.book.add({ name: 'bob' });
    await held.book.remove('bob');
    assert.equal(await held.book.authenticate('bob', key), undefined);
    assert.deepEqual(
      await held.database
        .selectFrom('keys')
        .where('name', '=', 'first')
        .select('id')
        .execute()
        .then((keys) => keys.length),
      1,
      'only the first account keeps its key',
    );
  });

  test('returns the properties of the account', async () => {
    await using held = await temporaryAccounts();
    const key = await held.book.add({ name: 'bob', operator: true, debugLog: true });
    const bob = await held.book.authenticate('bob', key);
    assert.deepEqual(
      [bob?.name, bob?.operator, bob?.debugLog, bob?.id],
      ['bob', true, true, (await held.book.find('bob')).id],
    );
  });
});

describe('a key', () => {
  test('is nowhere in the data folder, which others cannot read', async () => {
    await using held = await temporaryAccounts([{ user: 'ann', key: 'a-key-of-the-settings' }]);
    const keys = [
      'a-key-of-the-settings',
      await held.book.add({ name: 'bob' }),
      await held.book.addKey('bob', 'x'),
    ];
    for (const name of readdirSync(held.folder)) {
      const path = join(held.folder, name);
      assert.equal(statSync(path).mode & 0o777, 0o600, name);
      for (const key of keys) {
        assert.ok(!readFileSync(path).includes(key), name);
        const bytes = Buffer.from(key, 'hex');
        assert.ok(bytes.length === 0 || !readFileSync(path).includes(bytes), name);
      }
    }
  });

  test('has the minute of its last use', async () => {
    await using held = await temporaryAccounts();
    const key = await held.book.add({ name: 'bob' });
    const lastUse = async () => (await held.book.listKeys('bob'))[0]?.lastUsedAt;
    assert.equal(await lastUse(), undefined);
    const before = Date.now();
    await held.book.authenticate('bob', 'wrong');
    await held.book.authenticate('bob', key);
    const noted = await until(lastUse);
    assert.ok(noted >= before && noted <= Date.now());
    const longAgo = Date.now() - 60_001;
    await held.database
      .updateTable('keys')
      .set({ last_used_at: longAgo + 30_000 })
      .execute();
    await held.book.authenticate('bob', key);
    await turn();
    assert.equal(await lastUse(), longAgo + 30_000, 'not written again within a minute');
    await held.database.updateTable('keys').set({ last_used_at: longAgo }).execute();
    await held.book.authenticate('bob', key);
    assert.ok(
      (await until(async () => ((await lastUse()) === longAgo ? undefined : await lastUse()))) >= before,
    );
  });

  test('that is not there, is revoked, or is of another account cannot be revoked', async () => {
    await using held = await temporaryAccounts(entries);
    const id = (await held.book.listKeys('ann'))[0]?.id ?? '';
    await assert.rejects(held.book.revokeKey('jürgen', id), problem(/no active key '/));
    const revoked = await held.book.revokeKey('ann', id);
    assert.ok(revoked.revokedAt !== undefined);
    await assert.rejects(held.book.revokeKey('ann', id), problem(/no active key '/));
    await assert.rejects(held.book.revokeKey('ann', 'ffff'), problem(/no active key 'ffff'/));
    assert.deepEqual(
      (await held.book.listKeys('ann')).map((key) => key.revokedAt),
      [revoked.revokedAt],
    );
  });

  test('cannot have the name reserved for keys of the settings', async () => {
    await using held = await temporaryAccounts(entries);
    await assert.rejects(held.book.addKey('ann', 'PLATEN_ACCOUNTS'), problem(/PLATEN_ACCOUNTS/));
  });
});

/** Asks again, a turn of the event loop later, until there is an answer. */
async function until(ask: () => Promise<number | undefined>): Promise<number> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await turn();
  }
  return assert.fail('it never came');
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
