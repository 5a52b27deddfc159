import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { watchWritable } from '../../../main/http/writable.ts';
import { mountSmallDisk, noSmallDisk } from '../../support/small-disk.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'platen-writable-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

test('a folder that can be written is, also when it has to be made anew, and nothing is left in it', () => {
  const folder = join(root, 'work');
  assert.equal(watchWritable(folder)(), undefined);
  assert.deepEqual(readdirSync(folder), []);
});

test('a file in the place of the folder is told', () => {
  const folder = join(root, 'work');
  writeFileSync(folder, '');
  assert.match(watchWritable(folder)() ?? '', /^the data folder cannot be written: E(EXIST|NOTDIR)$/);
});

test('it is looked at once in three seconds, however often somebody asks', () => {
  const folder = join(root, 'work');
  let now = 0;
  const whyNot = watchWritable(folder, () => now);
  assert.equal(whyNot(), undefined);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  now = 2999;
  assert.equal(whyNot(), undefined);
  now = 3000;
  assert.notEqual(whyNot(), undefined);
  rmSync(folder);
  assert.notEqual(whyNot(), undefined);
  now = 6000;
  assert.equal(whyNot(), undefined);
});

test('a disk that is full, or has hardly room for an upload, is told', { skip: noSmallDisk }, () => {
  using disk = mountSmallDisk(root, 4);
  for (const left of [0, 500_000]) {
    disk.fill(left);
    assert.equal(watchWritable(root)(), 'the data folder cannot be written: no space left');
    disk.empty();
    assert.equal(watchWritable(root)(), undefined);
  }
});
