import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberedName, sourceOf, completeSources } from '../../../main/hot-folder/source-names.ts';

test('HTML files, SVG files and archives are sources, with extensions in any case', () => {
  for (const name of ['a.html', 'A.HTM', 'a.xhtml', 'a.svg', 'a.zip', 'a.tar.gz', 'a.tgz', 'Brief 1.5.html'])
    assert.equal(sourceOf(name)?.name, name);
  for (const name of ['a.pdf', 'a.txt', 'html', '.html', 'platen.json', 'a.html.error.txt', 'a.docx', 'a.gz'])
    assert.equal(sourceOf(name), undefined, name);
});

test('temporary files of editors, office programs and rsync are not sources', () => {
  for (const name of [
    '.a.html.Xy12Zq',
    '.a.html',
    '~$a.html',
    '~a.html',
    '#a.html#',
    'a.html~',
    'a.html.part',
  ])
    assert.equal(sourceOf(name), undefined, name);
});

test('a file with a partial download next to it is not a source yet', () => {
  const seen = completeSources([
    'a.html',
    'a.html.part',
    'b.zip',
    'b.zip.crdownload',
    'c.html',
    'c.html.txt',
  ]);
  assert.deepEqual(
    seen.map(({ name }) => name),
    ['c.html'],
  );
});

test('a number is inserted before the whole extension, such as .tar.gz', () => {
  assert.deepEqual(
    [
      numberedName('a.html', 1),
      numberedName('a.html', 2),
      numberedName('a.tar.gz', 3),
      numberedName('a_files', 2),
    ],
    ['a.html', 'a (2).html', 'a (3).tar.gz', 'a_files (2)'],
  );
});
