import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { folderFiles } from '../../../main/input/folder-files.ts';
import { bodyText } from '../../support/archives/stored-file.ts';

describe('the files of an archive', () => {
  const parent = mkdtempSync(join(tmpdir(), 'platen-folder-'));
  const root = join(parent, 'root');
  mkdirSync(join(root, 'Bilder'), { recursive: true });
  writeFileSync(join(parent, 'secret.txt'), 'secret');
  const contents: Readonly<Record<string, string>> = {
    'style.css': 'p{}',
    'Bilder/Größe #1 100%.svg': '<svg/>',
    'page.html': '<meta charset="latin1">',
    'plain.html': '<p>ü',
    // The first 64 KiB end inside of a character.
    'long.html': `${'a'.repeat(65_535)}üü`,
    'long-4.html': `${'a'.repeat(65_534)}😀`,
    // Sent while it is read.
    'large.html': `${'a'.repeat(65_535)}ü${'b'.repeat(1_500_000)}`,
    'large.txt': 'c'.repeat(1_500_000),
  };
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(root, name), content);
  const files = folderFiles({ root, entries: [...Object.keys(contents), 'gone.txt', 'link.txt'] });
  symlinkSync(join(parent, 'secret.txt'), join(root, 'link.txt'));
  after(() => {
    rmSync(parent, { recursive: true });
  });

  const read = async (path: string) => {
    const file = await files(path);
    return file && { type: file.contentType, size: file.size, text: await bodyText(file) };
  };

  test('are found by their encoded path, with the types that a web server would send', async () => {
    assert.deepEqual(await read('style.css'), { type: 'text/css', size: 3, text: 'p{}' });
    const path = `Bilder/${encodeURIComponent('Größe #1 100%.svg')}`;
    assert.deepEqual(await read(path), { type: 'image/svg+xml', size: 6, text: '<svg/>' });
    assert.equal((await read(path.replace('/', '//')))?.text, '<svg/>', 'two slashes count as one');
  });

  test('are found even if the case or the Unicode composition of letters differs', async () => {
    assert.equal((await read('STYLE.CSS'))?.text, 'p{}');
    assert.equal(
      (await read(`bilder/${encodeURIComponent('gro\u0308ße #1 100%.svg'.normalize('NFD'))}`))?.text,
      '<svg/>',
    );
  });

  test('are found without delay, even if the path is a million combining marks', async () => {
    const marks = encodeURIComponent('\u0316\u0301'.repeat(500_000));
    assert.equal(await read(marks), undefined);
    assert.equal(await read(`bilder/${marks}`), undefined);
  });

  test('that are HTML are UTF-8 unless they declare an encoding', async () => {
    assert.equal((await read('page.html'))?.type, 'text/html');
    for (const name of ['plain.html', 'long.html', 'long-4.html', 'large.html'])
      assert.equal((await read(name))?.type, 'text/html; charset=utf-8', name);
  });

  test('are served whole, whatever their size', async () => {
    for (const [name, content] of Object.entries(contents)) {
      const file = await read(encodeURI(name).replaceAll('#', '%23'));
      assert.equal(file?.size, Buffer.byteLength(content), name);
      assert.ok(file.text === content, name);
    }
  });

  test('are only its entries: no folders, other files, or links to the outside, in any spelling', async () => {
    for (const path of [
      '',
      'Bilder',
      'Bilder/',
      '../secret.txt',
      '..%2fsecret.txt',
      '%2e%2e/secret.txt',
      '/etc/passwd',
      'link.txt',
      'gone.txt',
      '%',
      '%00',
      'constructor',
    ]) {
      assert.equal(await read(path), undefined, path);
    }
  });
});

test(
  'a file that cannot be opened for lack of file descriptors is reported; a missing one is not',
  {
    skip:
      process.platform === 'linux'
        ? false
        : 'prlimit, which limits the file descriptors of the process, exists only on Linux',
  },
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'platen-files-'));
    writeFileSync(join(root, 'there.txt'), 'there');
    const reported: unknown[] = [];
    const files = folderFiles(
      { root, entries: ['there.txt', 'gone.txt'] },
      { onOutOfResources: (problem) => reported.push(problem) },
    );
    assert.equal(await files('gone.txt'), undefined);
    assert.deepEqual(reported, []);
    const descriptors = allDescriptors();
    const file = await files('there.txt').finally(() => {
      descriptors.forEach(closeSync);
    });
    assert.equal(file, undefined);
    assert.deepEqual(
      reported.map((problem) => (problem as NodeJS.ErrnoException).code),
      ['EMFILE'],
    );
    rmSync(root, { recursive: true });
  },
);

/** Lowers the limit of file descriptors, and opens files until it is reached. Returns the descriptors of these files. */
function allDescriptors(): readonly number[] {
  const limit = readdirSync('/proc/self/fd').length + 50;
  execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${limit}:`]);
  const descriptors: number[] = [];
  try {
    for (;;) descriptors.push(openSync('/dev/null', 'r'));
  } catch {
    return descriptors;
  }
}
