import assert from 'node:assert/strict';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isReplaceable, renameWithRetry } from '../../../main/files/rename-with-retry.ts';

/** Returns a rename function that fails `times` times, as Windows does while another program holds the file open. */
function heldOpen(times: number, code = 'EPERM') {
  const counter = { tries: 0 };
  return {
    counter,
    rename: (from: string, to: string) => {
      counter.tries += 1;
      return counter.tries > times
        ? rename(from, to)
        : Promise.reject(Object.assign(new Error(`${code}: held open`), { code }));
    },
  };
}

describe('renameWithRetry', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-rename-'));
  const from = join(folder, 'a');
  const to = join(folder, 'b');
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });

  test('replaces a file that another program holds open for a moment on Windows', async () => {
    for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
      writeFileSync(from, code);
      writeFileSync(to, 'old');
      const { counter, rename } = heldOpen(3, code);
      await renameWithRetry(from, to, { platform: 'win32', rename });
      assert.deepEqual([readFileSync(to, 'utf8'), existsSync(from), counter.tries], [code, false, 4]);
    }
  });

  test('gives up with the error of the system if the file stays open', async () => {
    writeFileSync(from, 'new');
    const { rename } = heldOpen(Infinity, 'EBUSY');
    await assert.rejects(renameWithRetry(from, to, { platform: 'win32', rename }), { code: 'EBUSY' });
    assert.equal(readFileSync(from, 'utf8'), 'new');
  });

  test('fails immediately for any other error, and on other systems', async () => {
    for (const [platform, code] of [
      ['win32', 'ENOSPC'],
      ['linux', 'EPERM'],
    ] as const) {
      const { counter, rename } = heldOpen(1, code);
      await assert.rejects(renameWithRetry(from, to, { platform, rename }), { code });
      assert.equal(counter.tries, 1);
    }
  });

  test('isReplaceable is false on Windows while another program has the file open without sharing it', async (t) => {
    writeFileSync(to, 'shown');
    assert.equal(await isReplaceable(to, 'win32'), true);
    assert.equal(await isReplaceable(join(folder, 'missing'), 'win32'), true);
    if (process.platform !== 'win32') {
      t.diagnostic('only Windows can open a file without sharing it');
      return;
    }
    // UV_FS_O_EXLOCK of libuv.
    const viewer = openSync(to, 0x10000000);
    assert.equal(await isReplaceable(to), false);
    closeSync(viewer);
    assert.equal(await isReplaceable(to), true);
  });
});
