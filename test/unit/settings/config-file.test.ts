import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { windowsTool } from '../../../main/launch/run-program.ts';
import { isReadable, readConfigText } from '../../../main/settings/config-file.ts';

const everyone = '*S-1-1-0';

describe('a folder is readable', () => {
  const root = mkdtempSync(join(tmpdir(), 'platen-readable-'));
  after(() => {
    rmSync(root, { recursive: true });
  });

  test('if this user can list its files', () => {
    assert.equal(isReadable(root), true);
    assert.equal(isReadable(join(root, 'missing')), false);
    const file = join(root, 'program');
    writeFileSync(file, '');
    chmodSync(file, 0o755);
    assert.equal(isReadable(file), false, 'a file has no files, whatever its mode');
  });

  const notWindows = process.platform !== 'win32' && 'other systems have no such access rights';
  const wine = process.env.WINEPREFIX !== undefined && 'Wine does not check access rights';
  test('according to its access rights on Windows', { skip: notWindows || wine }, () => {
    const folder = join(root, 'closed');
    mkdirSync(folder);
    writeFileSync(join(folder, 'config.json'), '{}');
    const icacls = (...words: string[]) => execFileSync(windowsTool('icacls'), [folder, ...words]);
    icacls('/deny', `${everyone}:(OI)(CI)(RD)`);
    try {
      assert.equal(isReadable(folder), false);
      assert.equal(readConfigText(join(folder, 'config.json')), undefined);
    } finally {
      icacls('/remove:d', everyone);
    }
    assert.equal(readConfigText(join(folder, 'config.json')), '{}');
  });
});
