import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FolderWatcher } from '../../../main/hot-folder/folder-watcher.ts';
import { scanFolder } from '../../../main/hot-folder/scan-folder.ts';
import { temporaryFolder } from '../../support/service/service.ts';

const never = new AbortController().signal;
const long = 600_000;

/** Returns whether the watcher reports a change in time; one minute is ample for a file system event. */
async function reportsChange(watcher: FolderWatcher, timeoutMs = 60_000): Promise<boolean> {
  const began = performance.now();
  await watcher.wait(0, timeoutMs, never);
  return performance.now() - began < timeoutMs;
}

const skip =
  process.platform === 'win32' && 'Windows: folders are not watched, the regular scans find changes';
test(
  'a new watcher first reports a change, because files may already exist, and then only real changes',
  { skip },
  async () => {
    const folder = temporaryFolder();
    using watcher = new FolderWatcher();
    watcher.watch(folder, 'one');
    assert.equal(await reportsChange(watcher, long), true);
    watcher.watch(folder, 'one');
    assert.equal(await reportsChange(watcher, 50), false);
    writeFileSync(join(folder, 'a.html'), 'x');
    assert.equal(await reportsChange(watcher), true);
    rmSync(folder, { recursive: true });
  },
);

test('a recreated folder has a new identity, so that it is watched again', { skip }, async () => {
  const folder = join(temporaryFolder(), 'in');
  using watcher = new FolderWatcher();
  const listen = async () => {
    const { identity } = await scanFolder(folder, { jobTimeoutMs: 60_000 });
    watcher.watch(folder, identity);
    return identity;
  };
  mkdirSync(folder);
  const before = await listen();
  const began = Date.now();
  // The birth time has a resolution of some milliseconds.
  while (Date.now() < began + 30) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  assert.notEqual(await listen(), before);
  rmSync(join(folder, '..'), { recursive: true });
});
