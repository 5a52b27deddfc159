import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { openKeyring } from '../../../main/accounts/open-keyring.ts';
import { decryptParts, encryptParts } from '../../../main/encryption/cipher.ts';
import { currentEpoch, Keyring, newKeyMaterial, UnreadableValue } from '../../../main/encryption/keyring.ts';
import { describeWithDatabases } from '../../support/accounts/accounts.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-keys-'));
after(() => {
  rmSync(folder, { recursive: true });
});
const hourMs = 3_600_000;

describe('A keyring', () => {
  test('reads what it has encrypted, but not under another name, and each time encrypts differently', () => {
    const keyring = Keyring.read('', newKeyMaterial(), currentEpoch());
    const [first, second] = ['Grüße', 'Grüße'].map((text) => keyring.encryptText('requests', text, 'job 1'));
    assert.notEqual(first, second);
    assert.equal(keyring.decryptText('requests', first ?? '', 'job 1'), 'Grüße');
    assert.throws(() => keyring.decryptText('requests', first ?? '', 'job 2'), UnreadableValue);
    assert.throws(() => keyring.decryptText('results', first ?? '', 'job 1'), UnreadableValue);
    for (const other of ['', '{"baseUrl":"x.y.z"}', '9999999999.x.y'])
      assert.throws(() => keyring.decryptText('requests', other, 'job 1'), UnreadableValue);
  });

  test('that has deleted its old keys cannot read an old copy of the database, nor can its key file', async () => {
    const path = join(folder, 'deleted');
    const keyring = Keyring.read(path, newKeyMaterial(), currentEpoch() - 50);
    await keyring.save();
    const old = readFileSync(path);
    const request = keyring.encryptText('requests', 'r', 'x');
    const result = keyring.encryptText('results', 'o', 'x');
    const secret = keyring.encryptSecret('s', 'x');
    // Ten hours later, when only the result is still needed.
    const now = Date.now() + 10 * hourMs;
    const laterKeyring = () => Keyring.read(path, readFileSync(path), 0);
    const aged = Keyring.read(path, old, 0);
    await aged.deleteOldKeys({ results: currentEpoch() - 40 }, now);
    assert.equal(laterKeyring().decryptText('results', result, 'x'), 'o');
    assert.equal(laterKeyring().decryptSecret(secret, 'x'), 's');
    assert.equal(laterKeyring().decryptText('requests', request, 'x'), 'r', 'the current key stays');
    const state = JSON.parse(readFileSync(path, 'utf8')) as Record<string, { epoch: number }>;
    assert.deepEqual([state.requests?.epoch, state.results?.epoch], [currentEpoch(), currentEpoch() - 40]);
    const early = Keyring.read('', old, 0);
    assert.equal(early.keyNamed('requests', `${currentEpoch() - 45}.salt`).length, 32);
    assert.throws(() => laterKeyring().keyNamed('requests', `${currentEpoch() - 45}.salt`), UnreadableValue);
    assert.deepEqual(
      laterKeyring().keyNamed('requests', `${currentEpoch()}.salt`),
      early.keyNamed('requests', `${currentEpoch()}.salt`),
    );
    assert.ok(!existsSync(`${path}.new`));
  });

  test('keeps every key that the database needs', async () => {
    const keyring = Keyring.read(join(folder, 'kept'), newKeyMaterial(), currentEpoch() - 50);
    const needed = currentEpoch() - 30;
    const key = keyring.keyNamed('requests', `${needed}.salt`);
    await keyring.deleteOldKeys({ requests: needed }, Date.now() + 100 * hourMs);
    assert.deepEqual(keyring.keyNamed('requests', `${needed}.salt`), key);
  });

  test('encrypts streams of any size in any parts, and refuses those that were changed or cut off', async () => {
    const key = randomBytes(32);
    for (const size of [0, 1, 15, 16, 17, 300_000]) {
      const content = randomBytes(size);
      const encrypted = await buffer(Readable.from(encryptParts([content], key, 'a')));
      assert.equal(encrypted.length, size + 28);
      const inParts = (bytes: Buffer, length: number) =>
        Readable.from(
          Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) =>
            bytes.subarray(index * length, (index + 1) * length),
          ),
        );
      for (const length of size > 1000 ? [65_536] : [1, 7, 28, 1000])
        assert.ok(
          content.equals(await buffer(Readable.from(decryptParts(inParts(encrypted, length), key, 'a')))),
        );
      const read = (bytes: Buffer, context = 'a') =>
        buffer(Readable.from(decryptParts(inParts(bytes, 1000), key, context)));
      await assert.rejects(read(encrypted, 'b'));
      await assert.rejects(read(encrypted.subarray(0, -1)));
      const changed = Buffer.from(encrypted);
      changed[12] = (changed[12] ?? 0) ^ 1;
      await assert.rejects(read(changed));
    }
  });
});

describeWithDatabases(({ kind, temporaryDatabase }) => {
  const settingsOf = (file: string) => ({ data: folder, 'encryption-key-file': file });

  test('the first start creates the key file, which only its owner can read; later ones need the same', async () => {
    await using temporary = await temporaryDatabase();
    const store = { database: temporary.database, isShared: kind === 'postgres' };
    const open = (file: string) => openKeyring({ store, settings: settingsOf(file) });
    const path = join(folder, `first-${kind}`);
    const encrypted = (await open(path)).encryptSecret('s', 'x');
    assert.equal(statSync(path).mode & 0o777, process.platform === 'win32' ? 0o666 : 0o600);
    assert.equal((await open(path)).decryptSecret(encrypted, 'x'), 's');
    await assert.rejects(
      open(join(folder, 'missing')),
      /missing is missing.*Copy the key file of another node/,
    );
    writeFileSync(join(folder, 'other'), 'o'.repeat(44), { mode: 0o600 });
    await assert.rejects(open(join(folder, 'other')), /other is not the key of this database/);
    writeFileSync(path, `{"secrets":"${'A'.repeat(40)}"}`);
    await assert.rejects(open(path), /is damaged; restore it/);
    if (process.platform === 'win32') return;
    chmodSync(path, 0o604);
    await assert.rejects(open(path), /can be read by other users/);
  });

  test('nodes with copies of a file of random bytes have the same keys, whenever they start', async () => {
    await using temporary = await temporaryDatabase();
    const store = { database: temporary.database, isShared: kind === 'postgres' };
    const [one, two] = [join(folder, `one-${kind}`), join(folder, `two-${kind}`)] as const;
    for (const path of [one, two]) writeFileSync(path, 'r'.repeat(44), { mode: 0o600 });
    const first = await openKeyring({ store, settings: settingsOf(one) });
    await temporary.database
      .updateTable('encryption')
      .set({ first_epoch: currentEpoch() - 9 })
      .execute();
    const text = first.encryptText('requests', 'r', 'x');
    assert.throws(() => first.keyNamed('requests', `${currentEpoch() - 9}.salt`), UnreadableValue);
    const second = await openKeyring({ store, settings: settingsOf(two) });
    await second.deleteOldKeys({}, Date.now());
    const third = await openKeyring({ store, settings: settingsOf(two) });
    assert.equal(third.checkValue, first.checkValue);
    assert.throws(() => third.decryptText('requests', text, 'x'), UnreadableValue);
    assert.deepEqual(
      third.keyNamed('requests', `${currentEpoch()}.salt`),
      second.keyNamed('requests', `${currentEpoch()}.salt`),
    );
  });

  if (kind === 'sqlite')
    test('a node that has lost its key file begins with a new one, and says so', async () => {
      await using temporary = await temporaryDatabase();
      const store = { database: temporary.database, isShared: false };
      const settings = { data: mkdtempSync(join(folder, 'data-')), 'encryption-key-file': undefined };
      const lost: string[] = [];
      const open = () => openKeyring({ store, settings, onKeyLost: (path) => lost.push(path) });
      await open();
      rmSync(join(settings.data, 'encryption.key'));
      await open();
      assert.deepEqual(lost, [join(settings.data, 'encryption.key')]);
      await open();
      assert.equal(lost.length, 1);
    });
});
