import assert from 'node:assert/strict';
import { webhookSecretContext } from '../../../main/accounts/store/account-records.ts';
import { testKeyring } from '../../support/accounts/keyring.ts';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { AccountProblem } from '../../../main/accounts/account-problem.ts';
import { describeWithDatabases, openBook } from '../../support/accounts/accounts.ts';

describeWithDatabases(({ kind, temporaryDatabase, temporaryAccounts }) => {
  const entries = [
    { user: 'ann', key: 'secret' },
    { user: '__proto__', key: 'proto', credits: 1 },
    { user: 'jürgen', key: 'grün:ß' },
  ];

  const problem = (message: RegExp) => (thrown: unknown) =>
    thrown instanceof AccountProblem && message.test(thrown.message);

  describe('the secret for callbacks', () => {
    test('is replaced by each new one, which other processes see immediately', async () => {
      await using temporary = await temporaryAccounts(entries);
      const { book } = temporary;
      assert.equal(await book.hasWebhookSecret('ann'), false);
      const first = await book.renewWebhookSecret('ann');
      const second = await book.renewWebhookSecret('ann');
      // Standard Webhooks: 24 to 64 random bytes, in base64 after the prefix.
      for (const secret of [first, second]) {
        const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
        assert.equal(Buffer.from(base64, 'base64').length, 32);
      }
      assert.notEqual(first, second);
      await using otherProcess = await temporary.open();
      const { id, webhook_secret: stored } = await otherProcess
        .selectFrom('accounts')
        .select(['id', 'webhook_secret'])
        .where('name', '=', 'ann')
        .executeTakeFirstOrThrow();
      assert.equal(testKeyring.decryptSecret(stored ?? '', webhookSecretContext(id)), second);
      assert.equal(await book.hasWebhookSecret('jürgen'), false);
      await assert.rejects(book.renewWebhookSecret('nobody'), problem(/no account 'nobody'/));
    });
  });

  describe('authentication', () => {
    test('accepts an account with its key', async () => {
      await using temporary = await temporaryAccounts(entries);
      for (const { user, key } of entries)
        assert.equal((await temporary.book.authenticate(user, key))?.name, user);
    });

    test('refuses any other name or key', async () => {
      await using temporary = await temporaryAccounts(entries);
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
        assert.equal(await temporary.book.authenticate(user, key), undefined, user);
    });

    test('refuses every name and key while there are no accounts', async () => {
      await using temporary = await temporaryDatabase();
      const book = openBook(temporary.database, true);
      assert.equal(await book.authenticate('', ''), undefined);
      assert.equal(await book.authenticate('demo', 'demo'), undefined);
    });

    test('accepts each key of an account until it is revoked, even by another process', async () => {
      await using temporary = await temporaryAccounts();
      const { book } = temporary;
      const first = await book.add({ name: 'bob' });
      const second = await book.addKey('bob', 'the shop');
      assert.match(second, /^[0-9a-f]{40}$/);
      assert.notEqual(first, second);
      for (const key of [first, second]) assert.equal((await book.authenticate('bob', key))?.name, 'bob');
      const shop = (await book.listKeys('bob')).find(({ name }) => name === 'the shop');
      await using otherProcess = await temporary.open();
      await openBook(otherProcess).revokeKey('bob', shop?.id ?? '');
      assert.equal(await book.authenticate('bob', second), undefined);
      assert.equal((await book.authenticate('bob', first))?.name, 'bob');
    });

    test('refuses a removed account, whose keys are deleted', async () => {
      await using temporary = await temporaryAccounts();
      const key = await temporary.book.add({ name: 'bob' });
      await temporary.book.remove('bob');
      assert.equal(await temporary.book.authenticate('bob', key), undefined);
      assert.deepEqual(
        await temporary.database
          .selectFrom('keys')
          .where('name', '=', 'first')
          .select('id')
          .execute()
          .then((keys) => keys.length),
        1,
        'only the first account keeps its key',
      );
    });

    test('returns the account with its id and rights', async () => {
      await using temporary = await temporaryAccounts();
      const key = await temporary.book.add({ name: 'bob', operator: true, debugLog: true });
      const bob = await temporary.book.authenticate('bob', key);
      assert.deepEqual(
        [bob?.name, bob?.operator, bob?.debugLog, bob?.id],
        ['bob', true, true, (await temporary.book.find('bob')).id],
      );
    });
  });

  describe('a key', () => {
    test('is never stored in plain text, and other users cannot read the database files', async () => {
      await using temporary = await temporaryAccounts([{ user: 'ann', key: 'a-key-of-the-settings' }]);
      const keys = [
        'a-key-of-the-settings',
        await temporary.book.add({ name: 'bob' }),
        await temporary.book.addKey('bob', 'x'),
      ];
      const rows = JSON.stringify(await temporary.database.selectFrom('keys').selectAll().execute());
      for (const key of keys) assert.ok(!rows.includes(key));
      if (kind === 'postgres') return;
      for (const name of readdirSync(temporary.folder)) {
        const path = join(temporary.folder, name);
        // On Windows, files have no mode. They inherit the permissions of the data folder.
        if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600, name);
        for (const key of keys) {
          assert.ok(!readFileSync(path).includes(key), name);
          const bytes = Buffer.from(key, 'hex');
          assert.ok(bytes.length === 0 || !readFileSync(path).includes(bytes), name);
        }
      }
    });

    test('has the time of its last use, accurate to a minute', async () => {
      await using temporary = await temporaryAccounts();
      const key = await temporary.book.add({ name: 'bob' });
      const lastUse = async () => (await temporary.book.listKeys('bob'))[0]?.lastUsedAt;
      assert.equal(await lastUse(), undefined);
      const before = Date.now();
      await temporary.book.authenticate('bob', 'wrong');
      await temporary.book.authenticate('bob', key);
      const lastUsedAt = await until(lastUse);
      assert.ok(lastUsedAt >= before && lastUsedAt <= Date.now());
      const longAgo = Date.now() - 60_001;
      await temporary.database
        .updateTable('keys')
        .set({ last_used_at: longAgo + 30_000 })
        .execute();
      await temporary.book.authenticate('bob', key);
      await turn();
      assert.equal(await lastUse(), longAgo + 30_000, 'not written again within a minute');
      await temporary.database.updateTable('keys').set({ last_used_at: longAgo }).execute();
      await temporary.book.authenticate('bob', key);
      assert.ok(
        (await until(async () => ((await lastUse()) === longAgo ? undefined : await lastUse()))) >= before,
      );
    });

    test('cannot be revoked if it is unknown, already revoked or belongs to another account', async () => {
      await using temporary = await temporaryAccounts(entries);
      const id = (await temporary.book.listKeys('ann'))[0]?.id ?? '';
      await assert.rejects(temporary.book.revokeKey('jürgen', id), problem(/no active key '/));
      const revoked = await temporary.book.revokeKey('ann', id);
      assert.ok(revoked.revokedAt !== undefined);
      await assert.rejects(temporary.book.revokeKey('ann', id), problem(/no active key '/));
      await assert.rejects(temporary.book.revokeKey('ann', 'ffff'), problem(/no active key 'ffff'/));
      assert.deepEqual(
        (await temporary.book.listKeys('ann')).map((key) => key.revokedAt),
        [revoked.revokedAt],
      );
    });

    test('cannot be named PLATEN_ACCOUNTS, the name of the keys from the settings', async () => {
      await using temporary = await temporaryAccounts(entries);
      await assert.rejects(temporary.book.addKey('ann', 'PLATEN_ACCOUNTS'), problem(/PLATEN_ACCOUNTS/));
    });
  });

  /** Calls `read` once per event-loop turn until it resolves to a value, which is returned. */
  async function until(read: () => Promise<number | undefined>): Promise<number> {
    for (let attempt = 0; attempt < 1000; attempt += 1) {
      const answer = await read();
      if (answer !== undefined) return answer;
      await turn();
    }
    return assert.fail('no value after 1,000 event-loop turns');
  }

  const turn = () => new Promise((resolve) => setImmediate(resolve));
});
