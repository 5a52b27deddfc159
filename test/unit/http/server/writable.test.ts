import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openWritableCheck } from '../../../../main/http/server/writable.ts';
import { mountSmallDisk, smallDiskSkipReason } from '../../../support/service/small-disk.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'platen-writable-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

test('the readiness check accepts a writable folder, creates a missing folder, and leaves nothing in it', async () => {
  const folder = join(root, 'work');
  assert.equal(await openWritableCheck(folder)(), undefined);
  assert.deepEqual(readdirSync(folder), []);
});

test('the readiness check reports a file in place of the folder', async () => {
  const folder = join(root, 'work');
  writeFileSync(folder, '');
  assert.match(
    (await openWritableCheck(folder)()) ?? '',
    /^the data folder cannot be written: E(EXIST|NOTDIR)$/,
  );
});

test('the readiness check tests the folder at most once in three seconds', async () => {
  const folder = join(root, 'work');
  let now = 0;
  const check = openWritableCheck(folder, () => now);
  assert.equal(await check(), undefined);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  now = 2999;
  assert.equal(await check(), undefined);
  now = 3000;
  assert.notEqual(await check(), undefined);
  rmSync(folder);
  assert.notEqual(await check(), undefined);
  now = 6000;
  assert.equal(await check(), undefined);
});

test(
  'the readiness check reports a disk that is full or nearly full',
  { skip: smallDiskSkipReason },
  async () => {
    using disk = mountSmallDisk(root, 4);
    for (const freeBytes of [0, 500_000]) {
      disk.fill(freeBytes);
      assert.equal(await openWritableCheck(root)(), 'the data folder cannot be written: no space left');
      disk.empty();
      assert.equal(await openWritableCheck(root)(), undefined);
    }
  },
);

test(
  'the readiness check returns its last result while a disk hangs, and reports the hang after ten seconds',
  { skip: process.platform === 'win32' && 'Windows has no FIFOs' },
  async () => {
    const folder = join(root, 'work');
    let now = 0;
    const check = openWritableCheck(folder, () => now);
    assert.equal(await check(), undefined);
    // Opening a FIFO for writing blocks until a reader opens it.
    const probe = join(folder, 'probe');
    execFileSync('mkfifo', [probe]);
    now = 3000;
    assert.equal(await check(), undefined);
    now = 13_000;
    assert.equal(await check(), 'the data folder cannot be written: the drive does not respond');
    assert.equal(await readFile(probe, 'utf8'), 'x');
    while ((await check()) !== undefined) await turn();
    assert.deepEqual(readdirSync(folder), []);
  },
);
