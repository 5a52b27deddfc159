import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import {
  uniqueName,
  replaceText,
  openSubFolder,
  writeDurably,
} from '../../../main/hot-folder/folder-file.ts';
import { scanFolder } from '../../../main/hot-folder/scan-folder.ts';
import { temporaryFolder } from '../../support/service/service.ts';

const skip = process.platform === 'win32' && 'Windows has no POSIX permissions';
const modeOf = (path: string) => statSync(path).mode & 0o7777;

describe('A file written into a hot folder', () => {
  let folder = '';
  let umask = 0;
  beforeEach(() => {
    folder = temporaryFolder();
    // The umask of an installed service.
    umask = process.umask(0o077);
  });
  afterEach(() => {
    process.umask(umask);
    rmSync(folder, { recursive: true });
  });
  const at = (...names: string[]) => join(folder, ...names);

  test(
    'has the permissions of the source with any umask, or 0600 if the source is gone',
    { skip },
    async () => {
      for (const mode of [0o644, 0o640, 0o600, 0o664]) {
        writeFileSync(at('a.html'), 'x');
        chmodSync(at('a.html'), mode);
        await writeDurably(at('a.pdf'), 'x', at('a.html'));
        assert.equal(modeOf(at('a.pdf')), mode);
        rmSync(at('a.pdf'));
      }
      await writeDurably(at('b.pdf'), 'x', at('gone.html'));
      assert.equal(modeOf(at('b.pdf')), 0o600);
    },
  );

  test(
    'is put into new subfolders with the permissions of the folder; existing subfolders keep their permissions',
    { skip },
    async () => {
      chmodSync(folder, 0o2775);
      await using opened = await openSubFolder(folder, 'out/today');
      writeFileSync(join(opened.path, 'a.pdf'), 'x');
      assert.deepEqual(readdirSync(at('out', 'today')), ['a.pdf']);
      assert.deepEqual([modeOf(at('out')), modeOf(at('out', 'today'))], [0o2775, 0o2775]);
      chmodSync(at('out'), 0o750);
      await (await openSubFolder(folder, 'out/today'))[Symbol.asyncDispose]();
      assert.equal(modeOf(at('out')), 0o750, 'changed permissions are kept');
    },
  );

  test('is never written outside the folder through a link', { skip }, async () => {
    const elsewhere = temporaryFolder();
    symlinkSync(elsewhere, at('out'));
    await assert.rejects(openSubFolder(folder, 'out'), /ELOOP|ENOTDIR|is a link or a file/);
    await assert.rejects(openSubFolder(folder, 'out/today'), /ELOOP|ENOTDIR|is a link or a file/);
    assert.deepEqual(readdirSync(elsewhere), []);
    rmSync(elsewhere, { recursive: true });
  });

  test(
    'replaces a link that has its name, and does not change the target of the link',
    { skip },
    async () => {
      writeFileSync(at('victim'), 'mine');
      symlinkSync(at('victim'), at('platen.json.error.txt.tmp'));
      symlinkSync(at('victim'), at('platen.json.error.txt'));
      writeFileSync(at('platen.json'), '{');
      await assert.rejects(scanFolder(folder, { jobTimeoutMs: 60_000 }));
      assert.equal(readFileSync(at('victim'), 'utf8'), 'mine');
      assert.match(readFileSync(at('platen.json.error.txt'), 'utf8'), /platen\.json is invalid/);
    },
  );

  test('leaves no temporary file when it cannot be renamed', async () => {
    mkdirSync(at('folder'));
    await assert.rejects(replaceText(at('folder'), 'x', folder));
    assert.deepEqual(readdirSync(folder), ['folder']);
  });

  const skipped = process.platform === 'win32' && 'Windows reports such a path as missing';
  test('is not written if no free name can be determined', { skip: skipped }, async () => {
    writeFileSync(at('failed'), 'a file');
    await assert.rejects(uniqueName(at('failed'), 'a.html', ['.error.txt']), { code: 'ENOTDIR' });
  });

  test('that a crash left incomplete is removed once it is old, also from the output folder', async () => {
    mkdirSync(at('out'));
    writeFileSync(at('platen.json'), '{"output":"out"}');
    const old = at('out', '.platen-1.tmp');
    const fresh = at('out', '.platen-2.tmp');
    for (const path of [old, fresh]) writeFileSync(path, 'x');
    const past = new Date(Date.now() - 7_200_000);
    utimesSync(old, past, past);
    await scanFolder(folder, { jobTimeoutMs: 60_000 });
    assert.deepEqual([existsSync(old), existsSync(fresh)], [false, true]);
  });
});
