import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { insertAccount } from '../../../main/accounts/store/account-records.ts';
import { openConsoleOutputRecords } from '../../../main/accounts/store/cluster/console-output-records.ts';
import { openOutputs, defaultLimits, type Outputs } from '../../../main/console/outputs.ts';
import { temporaryDatabase } from '../../support/accounts/accounts.ts';

let folder = '';
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'platen-outputs-')), 'outputs');
});
afterEach(() => rm(join(folder, '..'), { recursive: true }));

const ann = 1;
const bob = 2;
const keep = (outputs: Outputs, account: number, bytes = 'made') =>
  outputs.store({ account, bytes: Buffer.from(bytes), type: 'application/pdf', name: 'a.pdf' });
const storedFiles = () => readdirSync(folder).length;

test('an output is found by its id only for its own account', async () => {
  const outputs = openOutputs(folder);
  const id = await keep(outputs, ann);
  assert.match(id, /^[0-9a-f]{40}$/);
  const { path, ...facts } = (await outputs.find(id, ann)) ?? { path: '' };
  assert.deepEqual(facts, { ...facts, account: ann, type: 'application/pdf', name: 'a.pdf', size: 4 });
  assert.equal(readFileSync(path, 'utf8'), 'made');
  assert.equal(await outputs.find(id, bob), undefined);
  assert.equal(await outputs.find('0'.repeat(40), ann), undefined);
});

test('other users of the machine cannot read an output', { skip: process.platform === 'win32' }, async () => {
  const outputs = openOutputs(folder);
  const { path = '' } = (await outputs.find(await keep(outputs, ann), ann)) ?? {};
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
});

test('an output expires together with its file', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const outputs = openOutputs(folder);
    const id = await keep(outputs, ann);
    const { path = '' } = (await outputs.find(id, ann)) ?? {};
    mock.timers.tick(defaultLimits.keepMs - 1);
    assert.ok(await outputs.find(id, ann));
    mock.timers.tick(1);
    assert.equal(await outputs.find(id, ann), undefined);
    while (existsSync(path)) await new Promise((resolve) => setImmediate(resolve));
  } finally {
    mock.timers.reset();
  }
});

test('an account that exceeds the maximum number of outputs loses its oldest one; other accounts lose none', async () => {
  const outputs = openOutputs(folder, { ...defaultLimits, outputs: 2 });
  const bobs = await keep(outputs, bob);
  const first = await keep(outputs, ann);
  const second = await keep(outputs, ann);
  const third = await keep(outputs, ann);
  const areStored = await Promise.all(
    [first, second, third].map(async (id) => (await outputs.find(id, ann)) !== undefined),
  );
  assert.deepEqual(areStored, [false, true, true]);
  assert.ok(await outputs.find(bobs, bob));
  assert.equal(storedFiles(), 3);
});

test('an account with more outputs than others loses its older ones first', async () => {
  const outputs = openOutputs(folder, { ...defaultLimits, totalBytes: 10 });
  const bobs = await keep(outputs, bob, '1234');
  const anns = await keep(outputs, ann, '1234');
  const newest = await keep(outputs, ann, '12345');
  assert.deepEqual(
    [
      (await outputs.find(bobs, bob))?.size,
      await outputs.find(anns, ann),
      (await outputs.find(newest, ann))?.size,
    ],
    [4, undefined, 5],
  );
});

test('the oldest outputs are removed when all outputs together exceed the limit; a single larger output is still stored', async () => {
  const outputs = openOutputs(folder, { ...defaultLimits, totalBytes: 10 });
  await keep(outputs, bob, '1234');
  const anns = await keep(outputs, ann, '1234');
  const carls = await keep(outputs, 3, '12345');
  assert.deepEqual(
    [(await outputs.find(anns, ann))?.size, (await outputs.find(carls, 3))?.size, storedFiles()],
    [4, 5, 2],
  );
  const large = await keep(outputs, bob, 'larger than all of it');
  assert.equal((await outputs.find(large, bob))?.size, 21);
  assert.equal(storedFiles(), 1);
});

test('accounts with many large outputs do not make another account lose its output', async () => {
  const outputs = openOutputs(folder, { ...defaultLimits, totalBytes: 10 });
  const anns = await keep(outputs, ann, '12');
  for (let round = 0; round < 5; round += 1) for (const other of [bob, 3]) await keep(outputs, other, '123');
  assert.equal((await outputs.find(anns, ann))?.size, 2);
});

test('a removed output is gone immediately; a second removal does nothing', async () => {
  const outputs = openOutputs(folder);
  const id = await keep(outputs, ann);
  await outputs.remove(id);
  await outputs.remove(id);
  assert.equal(await outputs.find(id, ann), undefined);
  assert.equal(storedFiles(), 0);
});

test('an output that another node has stored is found in the shared database, also after that node has ended', async () => {
  await using temporary = await temporaryDatabase();
  const owner = (await insertAccount(temporary.database, { name: 'ann' }, Date.now())).id;
  const open = (name: string) =>
    openOutputs(join(folder, name), defaultLimits, openConsoleOutputRecords(temporary.database));
  const bytes = randomBytes(2_500_000);
  const id = await open('a').store({ account: owner, bytes, type: 'image/png', name: 'ä.png' });
  const other = open('b');
  const found = await other.find(id, owner);
  assert.deepEqual([found?.name, found?.type, found?.size], ['ä.png', 'image/png', bytes.length]);
  assert.ok(bytes.equals(readFileSync(found?.path ?? '')));
  assert.equal(await open('c').find(id, owner + 1), undefined);
  await other.remove(id);
  assert.equal(await open('d').find(id, owner), undefined);
});

test('concurrent requests for an output of another node read it from the database once', async () => {
  let reads = 0;
  const output = { account: ann, bytes: Buffer.from('made'), type: 'application/pdf', name: 'a.pdf' };
  const outputs = openOutputs(folder, defaultLimits, {
    store: () => Promise.resolve(),
    remove: () => Promise.resolve(),
    async read() {
      reads += 1;
      await new Promise((resolve) => setImmediate(resolve));
      return output;
    },
  });
  const id = '0'.repeat(40);
  const found = await Promise.all(Array.from({ length: 20 }, () => outputs.find(id, ann)));
  assert.equal(reads, 1);
  for (const { path } of found.map((each) => each ?? { path: '' }))
    assert.equal(readFileSync(path, 'utf8'), 'made');
});
