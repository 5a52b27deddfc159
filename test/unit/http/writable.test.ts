import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { watchWritable } from '../../../main/http/writable.ts';
import { mountSmallDisk, noSmallDisk } from '../../support/small-disk.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'platen-writable-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

test('a folder that can be written is, also when it has to be made anew, and nothing is left in it', async () => {
  const folder = join(root, 'work');
  assert.equal(await watchWritable(folder)(), undefined);
  assert.deepEqual(readdirSync(folder), []);
});

test('a file in the place of the folder is told', async () => {
  const folder = join(root, 'work');
  writeFileSync(folder, '');
  assert.match((await watchWritable(folder)()) ?? '', /^the data folder cannot be written: E(EXIST|NOTDIR)$/);
});

test('it is looked at once in three seconds, however often somebody asks', async () => {
  const folder = join(root, 'work');
  let now = 0;
  const whyNot = watchWritable(folder, () => now);
  assert.equal(await whyNot(), undefined);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  now = 2999;
  assert.equal(await whyNot(), undefined);
  now = 3000;
  assert.notEqual(await whyNot(), undefined);
  rmSync(folder);
  assert.notEqual(await whyNot(), undefined);
  now = 6000;
  assert.equal(await whyNot(), undefined);
});

test('a disk that is full, or has hardly room for an upload, is told', { skip: noSmallDisk }, async () => {
  using disk = mountSmallDisk(root, 4);
  for (const left of [0, 500_000]) {
    disk.fill(left);
    assert.equal(await watchWritable(root)(), 'the data folder cannot be written: no space left');
    disk.empty();
    assert.equal(await watchWritable(root)(), undefined);
  }
});

test(
  'a disk that hangs keeps nobody waiting for long: at first the last answer counts, then it is told',
  { skip: process.platform === 'win32' && 'it has no named pipes of this kind' },
  async () => {
    const folder = join(root, 'work');
    let now = 0;
    const whyNot = watchWritable(folder, () => now);
    assert.equal(await whyNot(), undefined);
    // Who opens a pipe to write waits until somebody reads it.
    const probe = join(folder, 'probe');
    execFileSync('mkfifo', [probe]);
    now = 3000;
    assert.equal(await whyNot(), undefined);
    now = 13_000;
    assert.equal(await whyNot(), 'the data folder cannot be written: it does not answer');
    assert.equal(await readFile(probe, 'utf8'), 'x');
    while ((await whyNot()) !== undefined) await turn();
    assert.deepEqual(readdirSync(folder), []);
  },
);
