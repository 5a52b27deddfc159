import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFolderWatcher } from '../../../main/hot-folder/bell.ts';
import { scanFolder } from '../../../main/hot-folder/look.ts';
import { temporaryFolder } from '../../support/service.ts';

const never = new AbortController().signal;
const long = 600_000;

/** Whether it rings before the time is up; a minute is long for a change that was told. */
async function rings(bell: ReturnType<typeof openFolderWatcher>, most = 60_000): Promise<boolean> {
  const began = performance.now();
  await bell.wait(0, most, never);
  return performance.now() - began < most;
}

test('a new watcher reports once, for earlier files', async () => {
  const folder = temporaryFolder();
  using bell = openFolderWatcher();
  bell.watch(folder, 'one');
  assert.equal(await rings(bell, long), true);
  bell.watch(folder, 'one');
  assert.equal(await rings(bell, 50), false);
  writeFileSync(join(folder, 'a.html'), 'x');
  assert.equal(await rings(bell), true);
  rmSync(folder, { recursive: true });
});

test('a recreated folder is watched again', async () => {
  const folder = join(temporaryFolder(), 'in');
  using bell = openFolderWatcher();
  const listen = async () => {
    const { identity } = await scanFolder(folder, { jobTimeout: 60_000 });
    bell.watch(folder, identity);
    return identity;
  };
  mkdirSync(folder);
  const before = await listen();
  const began = Date.now();
  // Its beginning is told in steps of some milliseconds.
  while (Date.now() < began + 30) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  assert.notEqual(await listen(), before);
  rmSync(join(folder, '..'), { recursive: true });
});
