import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, describe, test } from 'node:test';
import { findInputs } from '../../../../main/cli/convert/inputs.ts';

/** Returns whether folder permissions restrict this process. They do not restrict root, and Windows ignores them. */
function isRestrictedByModes(): boolean {
  return process.platform !== 'win32' && process.getuid?.() !== 0;
}

describe('The inputs of platen convert', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-inputs-'));
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  for (const path of [
    'a.html',
    'b.HTM',
    'c.css',
    'd.tar.gz',
    'sub/e.xhtml',
    '.hidden/f.html',
    'node_modules/g.html',
  ]) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), 'x');
  }
  symlinkSync(folder, join(folder, 'sub', 'round'));
  const found = async (...words: string[]) =>
    (await findInputs(words, { stdin: '/tmp/in', signal: new AbortController().signal })).map((input) =>
      input.kind === 'file' ? relative(folder, input.path).replaceAll('\\', '/') : input.name,
    );

  test('include all pages and archives of a folder tree, except hidden files, links and node_modules', async () => {
    assert.deepEqual(await found(folder), ['a.html', 'b.HTM', 'd.tar.gz', 'sub/e.xhtml']);
    await assert.rejects(
      found(join(folder, 'node_modules', 'g.html'), join(folder, '.hidden', 'x')),
      /no file or/,
    );
  });

  test('can be a pattern that the shell did not expand', async () => {
    assert.deepEqual(await found(join(folder, '*.html')), ['a.html']);
    assert.deepEqual(await found(join(folder, '**', '*.{html,xhtml}')), ['a.html', 'sub/e.xhtml']);
    await assert.rejects(found(join(folder, '*.svg')), /no file matches/);
  });

  test('are searched only to the depth of the pattern, and only until an abort', async () => {
    assert.deepEqual(await found(join(folder, '*', '*.xhtml')), ['sub/e.xhtml']);
    await assert.rejects(found(join(folder, '*.xhtml')), /no file matches/);
    const aborted = { stdin: '', signal: AbortSignal.abort(new Error('Ctrl-C')) };
    for (const word of [folder, join(folder, '*.html')])
      await assert.rejects(findInputs([word], aborted), /Ctrl-C/);
  });

  test(
    'cannot include an unreadable folder, but patterns skip it',
    { skip: !isRestrictedByModes() },
    async () => {
      const closed = join(folder, 'closed');
      mkdirSync(closed, { mode: 0 });
      await assert.rejects(found(folder), /closed' cannot be read: permission denied/);
      assert.deepEqual(await found(join(folder, '**', '*.xhtml')), ['sub/e.xhtml']);
      rmdirSync(closed);
    },
  );

  test('that are named twice are converted once', async () => {
    assert.deepEqual(await found(join(folder, 'a.html'), folder, join(folder, 'a.html')), [
      'a.html',
      'b.HTM',
      'd.tar.gz',
      'sub/e.xhtml',
    ]);
  });

  test('can be http and file URLs, and one - for standard input', async () => {
    assert.deepEqual(await found('https://example.com/x', '-'), ['https://example.com/x', 'standard input']);
    assert.deepEqual(await found(pathToFileURL(join(folder, 'a.html')).href), ['a.html']);
    await assert.rejects(found('-', '-'), /only once/);
  });

  for (const [word, expectedMessage] of [
    ['nowhere.html', /no file or folder 'nowhere.html'/],
    ['ftp://example.com/x', /neither an http:\/\/ or https:\/\/ URL/],
    ['https:/example', /not a complete/],
    ['/dev/null', /neither a file nor a folder/],
  ] as const)
    test(`cannot include '${word}'; the error names the reason`, async () => {
      await assert.rejects(found(word), { name: 'UsageProblem', message: expectedMessage });
    });
});
