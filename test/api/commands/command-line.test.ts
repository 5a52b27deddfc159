import assert from 'node:assert/strict';
import { readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { runCommand, startCommand } from '../../support/service/command.ts';
import {
  stylesheetPage,
  filesIn,
  folderWith,
  green,
  isGreen,
  page,
  style,
  type DisposableFolder,
} from '../../support/service/convert-folder.ts';
import { pdfFacts, pdfText } from '../../support/output/pdf.ts';
import { extent, readImage } from '../../support/output/image.ts';
import { descendantsOf, electronOf, waitForExit } from '../../support/service/processes.ts';
import { tar } from '../../support/archives/tar-writer.ts';

function run({ path: folder }: DisposableFolder, ...words: string[]) {
  return runCommand(['convert', ...words], { folder });
}

describe('platen convert', () => {
  test('converts a page with its sibling files to PDF, with the options of the API', async () => {
    using folder = folderWith(page);
    const { code, error, out } = await run(folder, 'page.html', 'out.pdf', '--page-size', 'A5', '--title=T');
    assert.equal(code, 0, error);
    const pdf = readFileSync(join(folder.path, 'out.pdf'));
    assert.ok(await isGreen(pdf));
    assert.equal(Math.round(pdfFacts(pdf).width), 420);
    assert.match(error, /^page\.html -> .*out\.pdf \(1 page, /);
    assert.equal(out.length, 0);
    assert.deepEqual(filesIn(folder.path), ['css/a.css', 'out.pdf', 'page.html']);
  });

  test('reads standard input, and writes only the document to standard output', async () => {
    using folder = folderWith({ 'foot.html': '<b>Page <i class=service-page-number></i></b>' });
    const words = ['convert', '-', '-', '--footer-file', 'foot.html'];
    const { code, out, error } = await runCommand(words, {
      folder: folder.path,
      input: '<h1>From a pipe</h1>',
    });
    assert.equal(code, 0, error);
    assert.equal(out.subarray(0, 5).toString(), '%PDF-');
    assert.match(pdfText(out), /From a pipe.*Page 1/);
  });

  test("converts an archive to the image format that the output's file extension names", async () => {
    const files = Object.entries(page).map(([name, contents]) => ({ name, contents }));
    using folder = folderWith({ 'site.tar': tar(files) });
    const { code, error } = await run(folder, 'site.tar', 'out.png', '--screenshot-width', '300');
    assert.equal(code, 0, error);
    const { format, width } = await sharp(join(folder.path, 'out.png')).metadata();
    assert.deepEqual([format, width], ['png', 300]);
    assert.ok(extent(await readImage(readFileSync(join(folder.path, 'out.png'))), green));
  });

  test('fills a template and writes the debug log', async () => {
    using folder = folderWith({ 't.html': '<p>Number {{number}}</p>', 'd.json': '{"number": 42}' });
    const { code, error } = await run(folder, 't.html', '--data-file', 'd.json', '--debug-log', 'log.html');
    assert.equal(code, 0, error);
    assert.match(pdfText(readFileSync(join(folder.path, 't.pdf'))), /Number 42/);
    assert.match(readFileSync(join(folder.path, 'log.html'), 'utf8'), /<title>Debug log/);
  });

  test('loads no files outside the folder of the page, no hidden files, and no files at all with --no-root', async () => {
    const names = ['../secret.css', '.secret.css', 'link.css', '/secret.css', '%2e%2e/secret.css'];
    const links = names.map((name) => `<link rel=stylesheet href="${name}">`).join('');
    using folder = folderWith({
      'secret.css': style('green'),
      'site/.secret.css': style('green'),
      'site/page.html': `<!doctype html>${links}<div class=x>Text</div>`,
      ...Object.fromEntries(Object.entries(page).map(([name, content]) => [`own/${name}`, content])),
    });
    symlinkSync(join(folder.path, 'secret.css'), join(folder.path, 'site', 'link.css'));
    const { code, error } = await run(folder, 'site/page.html', 'a.pdf');
    assert.equal(code, 0, error);
    assert.equal(await isGreen(readFileSync(join(folder.path, 'a.pdf'))), false);
    await run(folder, 'own/page.html', 'b.pdf', '--no-root');
    assert.equal(await isGreen(readFileSync(join(folder.path, 'b.pdf'))), false);
    await run(folder, 'site/page.html', 'c.pdf', '--root', '.');
    assert.equal(await isGreen(readFileSync(join(folder.path, 'c.pdf'))), true);
  });

  for (const [what, words, code, message] of [
    ['an unknown flag', ['page.html', '--page-sice', 'A5'], 2, /did you mean --page-size\?/],
    ['a value that is not allowed', ['page.html', '--page-size', 'A9'], 2, /'A9' of page_size/],
    ['an invalid setting', ['page.html', '--workers', '0'], 2, /--workers: .*from 1 to 64/],
    [
      'a setting that only a service has',
      ['page.html', '--max-upload', '1MB'],
      2,
      /--max-upload requires --remote/,
    ],
    ['a missing file', ['nowhere.html'], 2, /no file or folder 'nowhere\.html'/],
    ['a PNG image named .html', ['dot.html', 'x.pdf'], 3, /dot\.html: 400\.305 - .*PNG image/],
    [
      'a URL that the network policy refuses',
      ['http://127.0.0.1:8730/', 'x.pdf'],
      4,
      /400\.322.*--network-allow HOST:PORT/,
    ],
    ['a page that never ends', ['loop.html', '--job-timeout', '3s'], 5, /400\.323.*--job-timeout/],
    ['an output path below a file', ['page.html', 'page.html/x.pdf'], 1, /a part of its path is a file/],
  ] as const)
    test(`exits with ${code} and prints a message for ${what}, and writes no output`, async () => {
      using folder = folderWith({
        ...page,
        'dot.html': Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
        'loop.html': '<script>for (;;);</script>',
      });
      const result = await run(folder, ...words);
      assert.deepEqual([result.code, filesIn(folder.path).length], [code, 4], result.error);
      assert.match(result.error, message);
    });
});

describe('platen convert with a folder', () => {
  const site = { 'in/a.html': '<p>A', 'in/sub/b.html': '<p>B', 'in/broken.html': '', 'in/notes.txt': 'x' };

  test('keeps subfolders, reports failures, and the next time converts only pages whose output is missing or outdated', async () => {
    using folder = folderWith(site);
    const first = await run(folder, 'in', '--out-dir', 'out');
    assert.equal(first.code, 3);
    assert.deepEqual(filesIn(join(folder.path, 'out')), ['a.pdf', 'sub/b.pdf']);
    assert.match(
      first.error,
      /2 converted, 1 failed\..*\nFailed:\n {2}in[\\/]broken\.html: 400\.305 - .*empty/,
    );

    writeFileSync(join(folder.path, 'in', 'broken.html'), '<p>Mended');
    const made = statSync(join(folder.path, 'out', 'a.pdf')).mtimeMs;
    const second = await run(folder, 'in', '--out-dir', 'out');
    assert.equal(second.code, 0, second.error);
    assert.match(second.error, /1 converted, 2 skipped/);
    assert.equal(statSync(join(folder.path, 'out', 'a.pdf')).mtimeMs, made);

    utimesSync(join(folder.path, 'in', 'a.html'), new Date(), new Date(Date.now() + 60_000));
    assert.match((await run(folder, 'in', '--out-dir', 'out')).error, /1 converted, 2 skipped/);
    assert.match((await run(folder, 'in', '--out-dir', 'out', '--force')).error, /3 converted\./);
  });

  test('accepts a glob pattern, and prints its report as lines of JSON', async () => {
    using folder = folderWith(site);
    const { code, out, error } = await run(folder, 'in/**/*.html', '--json', '--out-dir', 'out');
    assert.equal(code, 3, error);
    const lines = out
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const outcomes = lines
      .slice(0, -1)
      .map(({ kind, input, pages, reason }) => [String(input).replaceAll(sep, '/'), kind, pages ?? reason]);
    assert.deepEqual(outcomes.sort(), [
      ['in/a.html', 'converted', 1],
      ['in/broken.html', 'failed', 305],
      ['in/sub/b.html', 'converted', 1],
    ]);
    const { took, ...counts } = lines.at(-1) ?? {};
    assert.deepEqual(counts, { kind: 'summary', converted: 2, skipped: 0, failed: 1, left: 0 });
    assert.equal(typeof took, 'number');
  });

  const noInterrupt =
    process.platform === 'win32' && 'Node.js cannot send Ctrl-C to another process on Windows';
  const interrupted = 'leaves only complete outputs if interrupted, and continues when it is run again';
  test(interrupted, { skip: noInterrupt }, async () => {
    const names = Array.from({ length: 12 }, (_, index) => `in/${String(index).padStart(2, '0')}.html`);
    using folder = folderWith(Object.fromEntries(names.map((name) => [name, `<p>${name}`])));
    using temporary = folderWith({});
    const words = ['convert', 'in', '--out-dir', 'out', '--workers', '2', '--javascript-delay', '700'];
    const command = startCommand(words, { folder: folder.path, environment: { TMPDIR: temporary.path } });
    await command.waitForStderr(' -> ', 2);
    const under = descendantsOf(Number(command.process.pid));
    assert.ok(under.length > 0);
    command.process.kill('SIGINT');
    const { code, error } = await command.result;
    assert.equal(code, 130, error);
    const left = Number(/(\d+) not converted; run the same command/.exec(error)?.[1]);
    const made = filesIn(join(folder.path, 'out'));
    assert.ok(
      made.every((name) => /^\d\d\.pdf$/.test(name)),
      made.join(),
    );
    assert.deepEqual([made.length + left, filesIn(temporary.path)], [12, []]);
    for (const name of made) assert.equal(pdfFacts(readFileSync(join(folder.path, 'out', name))).pages, 1);
    for (const process of under) await waitForExit(process);

    const again = await run(folder, 'in', '--out-dir', 'out');
    assert.equal(again.code, 0, again.error);
    assert.match(again.error, new RegExp(`${left} converted, ${made.length} skipped`));
    assert.equal(filesIn(join(folder.path, 'out')).length, 12);
  });
});

describe('platen convert, if its Electron process is killed,', () => {
  test('starts another Electron process, and converts all files', async () => {
    const names = ['in/a.html', 'in/b.html', 'in/c.html'];
    using folder = folderWith(Object.fromEntries(names.map((name) => [name, `<p>${name}`])));
    const command = startCommand(['convert', 'in', '--workers', '2', '--javascript-delay', '2000'], {
      folder: folder.path,
    });
    await command.waitForStderr(' -> ', 1);
    process.kill(electronOf(command), 'SIGKILL');
    const { code, error } = await command.result;
    assert.equal(code, 0, error);
    assert.match(error, /3 converted\./);
    for (const name of names) {
      const pdf = readFileSync(join(folder.path, name.replace('.html', '.pdf')));
      assert.match(pdfText(pdf), new RegExp(name));
    }
  });
});

describe('platen convert --watch', () => {
  // Node.js cannot send Ctrl-C to another process on Windows, so the test ends the process there.
  const codeAfterInterrupt = process.platform === 'win32' ? null : 0;

  test('converts again whenever the page or a sibling file is saved, until Ctrl-C', async () => {
    using folder = folderWith({ ...page, 'css/a.css': style('red') });
    const command = startCommand(['convert', 'page.html', 'out.pdf', '--watch'], { folder: folder.path });
    await command.waitForStderr('Watching', 1);
    const output = () => readFileSync(join(folder.path, 'out.pdf'));
    assert.equal(await isGreen(output()), false);
    writeFileSync(join(folder.path, 'css', 'a.css'), style('green'));
    await command.waitForStderr('Watching', 2);
    assert.equal(await isGreen(output()), true);
    writeFileSync(join(folder.path, 'page.html'), `${stylesheetPage}<p>Saved`);
    await command.waitForStderr('Watching', 3);
    assert.match(pdfText(output()), /Saved/);
    command.process.kill('SIGINT');
    assert.equal((await command.result).code, codeAfterInterrupt);
  });

  test('converts a page that is added to the folder, and ignores its own outputs', async () => {
    using folder = folderWith({ 'in/a.html': '<p>A' });
    const command = startCommand(['convert', 'in', '--watch'], { folder: folder.path });
    await command.waitForStderr('Watching', 1);
    writeFileSync(join(folder.path, 'in', 'b.html'), '<p>B');
    await command.waitForStderr('Watching', 2);
    assert.match(pdfText(readFileSync(join(folder.path, 'in', 'b.pdf'))), /B/);
    writeFileSync(join(folder.path, 'in', 'a.html'), '<p>Again');
    await command.waitForStderr('Watching', 3);
    command.process.kill('SIGINT');
    const { code, error } = await command.result;
    assert.deepEqual([code, error.split(' -> ').length - 1], [codeAfterInterrupt, 3], error);
  });
});
