import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { FolderUnusable, scanFolder } from '../../../main/hot-folder/look.ts';
import { temporaryFolder } from '../../support/service.ts';

const limits = { jobTimeout: 60_000 };
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

const doneIn = async (folder: string) =>
  Object.fromEntries(
    (await scanFolder(folder, limits)).seen.map(({ name, isConverted }) => [name, isConverted]),
  );

describe('A scan of a hot folder', () => {
  test('takes a source with a newer output for done, and a copy that kept its old time for new', async () => {
    using held = temporary();
    held.write('done.html', 'x');
    held.write('done.pdf', 'x', future);
    held.write('changed.html', 'x', future);
    held.write('changed.pdf', 'x');
    held.write('copied.pdf', 'x', new Date(past.getTime() + 1000));
    held.write('copied.html', 'x', past);
    assert.deepEqual(await doneIn(held.folder), {
      'changed.html': false,
      'copied.html': false,
      'done.html': true,
    });
  });

  test('takes no source for done that was to be moved away', async () => {
    using held = temporary();
    held.write('platen.json', '{"after":"move"}');
    held.write('a.html', 'x');
    held.write('a.pdf', 'x', future);
    assert.deepEqual(await doneIn(held.folder), { 'a.html': false });
  });

  test('notices changes of sibling files, if pages may use them', async () => {
    using held = temporary();
    held.write('a.html', 'x');
    held.write('a_files/s.css', 'one');
    const stills = async () =>
      (await scanFolder(held.folder, limits)).seen.map(({ stabilityKey }) => stabilityKey);
    const before = await stills();
    held.write('a_files/s.css', 'three');
    assert.deepEqual(await stills(), before);
    held.write('platen.json', '{"assets":"own"}');
    const own = await stills();
    held.write('a_files/deep/t.css', 'more');
    assert.notDeepEqual(await stills(), own);
  });

  test('removes leftovers of a crash when they are old', async () => {
    using held = temporary();
    held.write('.platen-old.tmp', 'x', new Date(past.getTime() - 1_000_000));
    held.write('.platen-new.tmp', 'x');
    await scanFolder(held.folder, limits);
    assert.throws(() => {
      chmodSync(join(held.folder, '.platen-old.tmp'), 0o600);
    }, /ENOENT/);
    chmodSync(join(held.folder, '.platen-new.tmp'), 0o600);
  });

  test('finds nothing where the folder is missing, a file, or its platen.json a link', async () => {
    using held = temporary();
    held.write('file', 'x');
    held.write('elsewhere.json', '{}');
    const fails = async (folder: string, says: RegExp) => {
      await assert.rejects(scanFolder(folder, limits), (problem) => {
        assert.ok(problem instanceof FolderUnusable);
        assert.match(problem.message, says);
        return true;
      });
    };
    await fails(join(held.folder, 'missing'), /^it does not exist$/);
    await fails(join(held.folder, 'file'), /^it is a file, not a folder$/);
    symlinkSync(join(held.folder, 'elsewhere.json'), join(held.folder, 'platen.json'));
    await fails(held.folder, /^platen\.json: it is a link or a folder, not a file$/);
  });
});
