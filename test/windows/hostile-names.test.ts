/** Names with a special meaning on Windows: devices, alternate data streams, trailing dots and blanks, long paths. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, afterEach, describe, test } from 'node:test';
import { Failure } from '../../main/failure/failure.ts';
import { siblingFiles } from '../../main/input/prepare-source.ts';
import { startUnpacker, type Unpacker } from '../support/archives/archive-worker.ts';
import { zip } from '../support/archives/zip-writer.ts';
import { bodyText } from '../support/archives/stored-file.ts';

let unpacker: Unpacker;
before(() => {
  unpacker = startUnpacker();
});
after(() => {
  unpacker[Symbol.dispose]();
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'platen-names-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('The sibling files of a local document', () => {
  const read = async (path: string) => {
    const file = await siblingFiles(join(folder, 'documents'))(path);
    return file && (await bodyText(file));
  };
  beforeEach(() => {
    mkdirSync(join(folder, 'documents', 'css'), { recursive: true });
    writeFileSync(join(folder, 'documents', 'a.css'), 'a');
    writeFileSync(join(folder, 'documents', 'css', 'b.css'), 'b');
    writeFileSync(join(folder, 'secret.txt'), 'secret');
  });

  test('are served by their names', async () => {
    assert.deepEqual([await read('a.css'), await read('css/b.css'), await read('A.CSS')], ['a', 'b', 'a']);
  });

  for (const path of [
    '..\\secret.txt',
    '..%5Csecret.txt',
    'css\\..\\..\\secret.txt',
    '../secret.txt',
    'a.css:stream',
    'a.css::$DATA',
    'a.css.',
    'a.css ',
    'css./b.css',
    'NUL',
    'con',
    'COM1',
    'aux.css',
    'C:/Windows/win.ini',
    '//localhost/C$/Windows/win.ini',
    '\\\\?\\C:\\Windows\\win.ini',
    'PROGRA~1',
  ])
    test(`do not include ${path}`, async () => {
      assert.equal(await read(path), undefined);
    });
});

describe('An archive', () => {
  test('whose path is longer than 260 characters is unpacked and read', async () => {
    const name = `${'folder-of-some-length/'.repeat(14)}index.html`;
    const {
      unpacked,
      error,
      folder: target,
    } = await unpacker.unpack(
      zip([
        { name, contents: 'deep' },
        { name: 'top.html', contents: 'top' },
      ]),
    );
    assert.equal(error, undefined);
    assert.deepEqual(unpacked?.entries, [name, 'top.html']);
    assert.equal(readFileSync(join(target, ...name.split('/')), 'utf8'), 'deep');
  });

  for (const name of [
    'index.html:hidden',
    'index.html::$DATA',
    'CON',
    'sub/nul.txt',
    'aux .html',
    'evil.html.',
    'evil.html ',
    '..\\..\\evil.html',
    'C:\\evil.html',
    '\\\\?\\C:\\evil.html',
  ])
    test(`with the entry ${name} is refused, and nothing is written outside its folder`, async () => {
      const archive = zip([{ name: 'index.html' }, { name, contents: 'x' }]);
      const { error, unpacked, outsideFiles } = await unpacker.unpack(archive);
      assert.ok(error instanceof Failure, String(error));
      assert.deepEqual([error.kind, unpacked], ['archiveUnusable', undefined]);
      assert.deepEqual(outsideFiles, ['a', 'a/b', 'a/b/job', 'upload']);
    });
});
