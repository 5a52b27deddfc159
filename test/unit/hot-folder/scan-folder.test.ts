import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { FolderUnusable, scanFolder } from '../../../main/hot-folder/scan-folder.ts';
import { temporaryFolder } from '../../support/service/service.ts';

const limits = { jobTimeoutMs: 60_000 };
const past = new Date(Date.now() - 3_600_000);
const future = new Date(Date.now() + 3_600_000);

interface Temporary extends Disposable {
  readonly folder: string;
  readonly write: (name: string, text: string, time?: Date) => void;
}

function temporary(): Temporary {
  const folder = temporaryFolder();
  return {
    folder,
    write(name, text, time) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), text);
      if (time !== undefined) utimesSync(join(folder, name), time, time);
    },
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isConvertedByName = async (folder: string) =>
  Object.fromEntries(
    (await scanFolder(folder, limits)).seen.map(({ name, isConverted }) => [name, isConverted]),
  );

describe('A scan of a hot folder', () => {
  const skip = process.env.WINEPREFIX !== undefined && 'Wine does not know when a file was created';
  test(
    'treats a source with a newer output as converted, and a copy with an old modification time as new',
    { skip },
    async () => {
      using hot = temporary();
      hot.write('done.html', 'x');
      hot.write('done.pdf', 'x', future);
      hot.write('changed.html', 'x', future);
      hot.write('changed.pdf', 'x');
      hot.write('copied.pdf', 'x', new Date(past.getTime() + 1000));
      hot.write('copied.html', 'x', past);
      assert.deepEqual(await isConvertedByName(hot.folder), {
        'changed.html': false,
        'copied.html': false,
        'done.html': true,
      });
    },
  );

  test('treats no source as converted if converted sources are moved away', async () => {
    using hot = temporary();
    hot.write('platen.json', '{"after":"move"}');
    hot.write('a.html', 'x');
    hot.write('a.pdf', 'x', future);
    assert.deepEqual(await isConvertedByName(hot.folder), { 'a.html': false });
  });

  test('notices changes to sibling files only if pages may use them', async () => {
    using hot = temporary();
    hot.write('a.html', 'x');
    hot.write('a_files/s.css', 'one');
    const stabilityKeys = async () =>
      (await scanFolder(hot.folder, limits)).seen.map(({ stabilityKey }) => stabilityKey);
    const before = await stabilityKeys();
    hot.write('a_files/s.css', 'three');
    assert.deepEqual(await stabilityKeys(), before);
    hot.write('platen.json', '{"assets":"own"}');
    const withOwnAssets = await stabilityKeys();
    hot.write('a_files/deep/t.css', 'more');
    assert.notDeepEqual(await stabilityKeys(), withOwnAssets);
  });

  test('notices no change in the folders for outputs, finished and failed sources', async () => {
    using hot = temporary();
    hot.write('a.html', 'x');
    hot.write('platen.json', '{"assets":"all","output":"out/pdf"}');
    hot.write('css/s.css', 'one');
    const stabilityKeys = async () =>
      (await scanFolder(hot.folder, limits)).seen.map(({ stabilityKey }) => stabilityKey);
    const before = await stabilityKeys();
    for (const name of ['out/pdf/b.pdf', 'done/b.html', 'failed/c.html']) hot.write(name, 'x');
    assert.deepEqual(await stabilityKeys(), before);
    hot.write('css/s.css', 'three');
    assert.notDeepEqual(await stabilityKeys(), before);
  });

  test('removes temporary files of a crash once they are old', async () => {
    using hot = temporary();
    hot.write('.platen-old.tmp', 'x', new Date(past.getTime() - 1_000_000));
    hot.write('.platen-new.tmp', 'x');
    await scanFolder(hot.folder, limits);
    assert.throws(() => {
      chmodSync(join(hot.folder, '.platen-old.tmp'), 0o600);
    }, /ENOENT/);
    chmodSync(join(hot.folder, '.platen-new.tmp'), 0o600);
  });

  test('reads the folder once, however many pages may load the files of their companion folders', async () => {
    const scanMs = async (assets: string) => {
      using hot = temporary();
      for (let page = 0; page < 3000; page += 1) hot.write(`page${page}.html`, 'x');
      hot.write('platen.json', JSON.stringify({ assets }));
      const began = performance.now();
      await scanFolder(hot.folder, limits);
      return performance.now() - began;
    };
    const withoutAssets = await scanMs('none');
    const withCompanionFolders = await scanMs('own');
    assert.ok(
      withCompanionFolders < 5 * withoutAssets,
      `${withCompanionFolders} ms instead of ${withoutAssets}`,
    );
  });

  test('fails with the reason if the folder is missing or a file, or its platen.json is a link', async () => {
    using hot = temporary();
    hot.write('file', 'x');
    hot.write('elsewhere.json', '{}');
    const fails = async (folder: string, message: RegExp) => {
      await assert.rejects(scanFolder(folder, limits), (problem) => {
        assert.ok(problem instanceof FolderUnusable);
        assert.match(problem.message, message);
        return true;
      });
    };
    await fails(join(hot.folder, 'missing'), /^it does not exist$/);
    await fails(join(hot.folder, 'file'), /^it is a file, not a folder$/);
    // Windows allows only administrators to create links.
    if (process.platform === 'win32') return;
    symlinkSync(join(hot.folder, 'elsewhere.json'), join(hot.folder, 'platen.json'));
    await fails(hot.folder, /^platen\.json: it is a link or a folder, not a file$/);
  });
});
