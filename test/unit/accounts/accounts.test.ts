import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoAccount, openAccounts } from '../../../main/accounts/accounts.ts';

const book = openAccounts([
  { user: 'ann', key: 'secret' },
  { user: '__proto__', key: 'proto', credits: 1 },
  { user: 'jürgen', key: 'grün:ß' },
]);

test('an account is let in by its own key', async () => {
  assert.equal((await book.authenticate('ann', 'secret'))?.name, 'ann');
  assert.equal((await book.authenticate('__proto__', 'proto'))?.name, '__proto__');
  assert.equal((await book.authenticate('jürgen', 'grün:ß'))?.name, 'jürgen');
});

test('nobody is let in by another key, or under another name', async () => {
  const wrong = [
    ['ann', ''],
    ['ann', 'Secret'],
    ['ann', 'secret '],
    ['ann', 'secret\0'],
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
    assert.equal(await book.authenticate(user, key), undefined, user);
});

test('an empty book lets nobody in', async () => {
  const empty = openAccounts([]);
  assert.deepEqual(
    [empty.size, await empty.authenticate('', ''), await empty.authenticate('demo', 'demo')],
    [0, undefined, undefined],
  );
});

test('of an account named twice the last key counts, and it is one account', async () => {
  const twice = openAccounts([demoAccount, { user: 'demo', key: 'changed' }]);
  assert.deepEqual(
    [
      twice.size,
      await twice.authenticate('demo', 'demo'),
      (await twice.authenticate('demo', 'changed'))?.name,
    ],
    [1, undefined, 'demo'],
  );
});
