import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseMain, type MainFile } from '../../../../main/input/archive/unpack-archive.ts';

const choose = (entries: readonly string[], name?: string): Promise<MainFile> =>
  chooseMain({ entries }, name);

test('the only HTML file at the top is the main file, with any name', async () => {
  for (const name of ['letter.html', 'LETTER.HTM', 'a b#.xhtml', 'x.xht']) {
    assert.deepEqual(await choose(['style.css', name, 'sub/index.html']), { main: name });
  }
});

test('index.html is the main file of several HTML files', async () => {
  assert.deepEqual(await choose(['a.html', 'Index.HTM', 'b.html']), { main: 'Index.HTM' });
});

test('without an index.html, the first of several HTML files is the main file, with a note', async () => {
  const { main, note } = await choose(['z.html', 'a.html', 'm.html']);
  assert.equal(main, 'z.html');
  assert.match(note ?? '', /3 HTML files.*'z\.html'.*zip_main_filename/);
});

test('zip_main_filename selects any file, regardless of case, slashes and Unicode composition', async () => {
  const entries = ['index.html', 'Sub/Page One.html', 'caf\u00e9.html', 'A.html', 'a.htm'];
  for (const name of [
    'Sub/Page One.html',
    './sub/page one.HTML',
    'SUB\\PAGE ONE.html',
    '.\\Sub\\Page One.html',
  ]) {
    assert.deepEqual(await choose(entries, name), { main: 'Sub/Page One.html' });
  }
  assert.deepEqual(await choose(entries, 'cafe\u0301.html'), { main: 'caf\u00e9.html' });
  assert.deepEqual(await choose(entries, 'a.html'), { main: 'A.html' });
});

test('zip_main_filename finds a name in an undeclared encoding', async () => {
  const archive = {
    entries: ['═╝╞¼.html', 'b.html'],
    rawNames: [['\xcd\xbc\xc6\xac.html', '═╝╞¼.html']] as const,
  };
  assert.deepEqual(await chooseMain(archive, '图片.html'), { main: '═╝╞¼.html' });
});

test('an exact match of zip_main_filename takes precedence over one that differs in case', async () => {
  assert.deepEqual(await choose(['x/A.html', 'x/a.html'], 'x/a.html'), { main: 'x/a.html' });
});

test('a zip_main_filename that is not in the archive is refused, with up to five names that are', async () => {
  const pages = ['1.html', '2.html', '3.html', '4.html', '5.html', '6.html', '7.html'];
  await assert.rejects(choose(pages, 'main.html'), {
    kind: 'archiveUnusable',
    message:
      "zip_main_filename 'main.html' is not in the archive; its HTML files are '1.html', '2.html', '3.html', '4.html', '5.html' and 2 more.",
  });
  await assert.rejects(choose(['sub/1.html'], 'sub/'), {
    message: /'sub\/' is a folder in the archive, not a file/,
  });
  await assert.rejects(choose(['a.html'], ''), { message: /'' is not in the archive/ });
  await assert.rejects(choose(['a.css'], 'x'), { message: /contains no HTML file/ });
});

test('without an HTML file at the top, the only one, or the only index.html, of the folders is the main file', async () => {
  const shared = ['assets/style.css', 'assets/a.png'];
  assert.deepEqual(await choose(['pages/letter.htm', ...shared]), { main: 'pages/letter.htm' });
  const { main, note } = await choose([...shared, 'dist/about.html', 'dist/index.html', 'dist/x/y.html']);
  assert.equal(main, 'dist/index.html');
  assert.match(
    note ?? '',
    /'dist\/index\.html', the only index\.html of its 3 HTML files.*zip_main_filename/,
  );
});

test('an archive whose folders have several candidates is refused, and each is named', async () => {
  await assert.rejects(choose(['a/index.html', 'b/index.html', 'b/other.html']), {
    kind: 'archiveUnusable',
    message: /zip_main_filename.*'a\/index\.html', 'b\/index\.html'\.$/,
  });
});

test('an archive without an HTML file at its top is refused, with the names of those in folders', async () => {
  await assert.rejects(choose(['a.css', 'sub/one.html', 'sub/two.htm']), {
    kind: 'archiveUnusable',
    message: /top folder.*'sub\/one\.html', 'sub\/two\.htm'/,
  });
  await assert.rejects(choose(['a.css']), { message: /contains no HTML file/ });
});
