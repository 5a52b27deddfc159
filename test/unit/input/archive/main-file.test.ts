import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseMain, type MainFile } from '../../../../main/input/archive/unpack-archive.ts';

const choose = (entries: readonly string[], name?: string): MainFile =>
  chooseMain({ root: '/', entries }, name);

test('the only HTML file at the top is the main file, with any name', () => {
  for (const name of ['letter.html', 'LETTER.HTM', 'a b#.xhtml', 'x.xht']) {
    assert.deepEqual(choose(['style.css', name, 'sub/index.html']), { main: name });
  }
});

test('index.html is the main file of several HTML files', () => {
  assert.deepEqual(choose(['a.html', 'Index.HTM', 'b.html']), { main: 'Index.HTM' });
});

test('without an index.html, the first of several HTML files is the main file, with a note', () => {
  const { main, note } = choose(['z.html', 'a.html', 'm.html']);
  assert.equal(main, 'z.html');
  assert.match(note ?? '', /3 HTML files.*'z\.html'.*zip_main_filename/);
});

test('zip_main_filename selects any file, regardless of case, slashes and Unicode composition', () => {
  const entries = ['index.html', 'Sub/Page One.html', 'caf\u00e9.html', 'A.html', 'a.htm'];
  for (const name of [
    'Sub/Page One.html',
    './sub/page one.HTML',
    'SUB\\PAGE ONE.html',
    '.\\Sub\\Page One.html',
  ]) {
    assert.deepEqual(choose(entries, name), { main: 'Sub/Page One.html' });
  }
  assert.deepEqual(choose(entries, 'cafe\u0301.html'), { main: 'caf\u00e9.html' });
  assert.deepEqual(choose(entries, 'a.html'), { main: 'A.html' });
});

test('an exact match of zip_main_filename takes precedence over one that differs in case', () => {
  assert.deepEqual(choose(['x/A.html', 'x/a.html'], 'x/a.html'), { main: 'x/a.html' });
});

test('a zip_main_filename that is not in the archive is refused, with up to five names that are', () => {
  const pages = ['1.html', '2.html', '3.html', '4.html', '5.html', '6.html', '7.html'];
  assert.throws(() => choose(pages, 'main.html'), {
    kind: 'archiveUnusable',
    message:
      "zip_main_filename 'main.html' is not in the archive; its HTML files are '1.html', '2.html', '3.html', '4.html', '5.html' and 2 more.",
  });
  assert.throws(() => choose(['sub/1.html'], 'sub/'), {
    message: /'sub\/' is a folder in the archive, not a file/,
  });
  assert.throws(() => choose(['a.html'], ''), { message: /'' is not in the archive/ });
  assert.throws(() => choose(['a.css'], 'x'), { message: /contains no HTML file/ });
});

test('an archive without an HTML file at its top is refused, with the names of those in folders', () => {
  assert.throws(() => choose(['a.css', 'sub/one.html', 'sub/two.htm']), {
    kind: 'archiveUnusable',
    message: /top folder.*'sub\/one\.html', 'sub\/two\.htm'/,
  });
  assert.throws(() => choose(['a.css']), { message: /contains no HTML file/ });
});
