import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { describe, test } from 'node:test';
import { readRoot } from '../../../../main/cli/convert/sibling-folder.ts';
import type { ItemInput } from '../../../../main/cli/convert/inputs.ts';
import { planItems, type ConversionPlanOptions } from '../../../../main/cli/convert/plan.ts';

const top = resolve('/nowhere/site');

function file(path: string, base = dirname(path)): ItemInput {
  return { kind: 'file', name: path, path: join(top, path), base: join(top, base === '.' ? '' : base) };
}
const url = (address: string): ItemInput => ({ kind: 'url', name: address, url: new URL(address) });
const stdin: ItemInput = { kind: 'stdin', name: 'standard input', path: '/tmp/input' };

const outputsOf = (inputs: readonly ItemInput[], options: Partial<ConversionPlanOptions> = {}) =>
  planItems(inputs, { format: 'pdf', ...options }).items.map(({ output }) =>
    output
      ?.replace(top + sep, '')
      .replace(process.cwd() + sep, './')
      .replaceAll(sep, '/'),
  );

describe('The outputs of platen convert', () => {
  test('are next to their inputs by default, with the extension of their format', () => {
    assert.deepEqual(outputsOf([file('a.html'), file('sub/b.tar.gz')]), ['a.pdf', 'sub/b.pdf']);
    assert.deepEqual(outputsOf([file('a.html')], { format: 'png' }), ['a.png']);
  });

  test('keep the folders of their inputs in an output folder', () => {
    const found = [file('docs/a.html', 'docs'), file('docs/sub/b.html', 'docs')];
    assert.deepEqual(outputsOf(found, { outDir: 'out' }), ['./out/a.pdf', './out/sub/b.pdf']);
    const named = [file('one/index.html'), file('two/index.html')];
    assert.deepEqual(outputsOf(named, { outDir: 'out' }), ['./out/one/index.pdf', './out/two/index.pdf']);
  });

  test('never have the same path', () => {
    const inputs = [file('a.html'), file('a.htm'), file('A.zip'), file('b.html')];
    assert.deepEqual(outputsOf(inputs), ['a.html.pdf', 'a.htm.pdf', 'A.zip.pdf', 'b.pdf']);
    const sites = [url('https://example.com/a/x.html'), url('https://example.com/b/x.html')];
    assert.deepEqual(outputsOf(sites), ['./x.pdf', './x-2.pdf']);
  });

  test('of standard input or with --output - go to standard output, those of URLs to the current folder', () => {
    assert.deepEqual(outputsOf([stdin]), [undefined]);
    assert.deepEqual(outputsOf([file('a.html')], { output: '-' }), [undefined]);
    assert.deepEqual(outputsOf([url('https://www.example.com/')]), ['./example.com.pdf']);
  });

  test('are never shared by several inputs, overwrite no input, and are no folders', () => {
    assert.throws(() => outputsOf([file('a.html'), file('b.html')], { output: 'x.pdf' }), /2 inputs cannot/);
    assert.throws(() => outputsOf([file('a.html')], { output: join(top, 'a.html') }), /by its own output/);
    assert.throws(() => outputsOf([file('a.html')], { output: tmpdir() }), /is a folder; use --out-dir/);
  });

  test('of several inputs have debug logs in the same folder structure; a single input has the named log file', () => {
    const found = [file('docs/a.html', 'docs'), file('docs/sub/b.html', 'docs')];
    const { items } = planItems(found, { format: 'pdf', debugLog: 'logs' });
    const logs = items.map(({ debugLog }) => debugLog);
    assert.deepEqual(logs, [resolve('logs/a.pdf.html'), resolve('logs/sub/b.pdf.html')]);
    const { items: singleItem } = planItems([file('a.html')], { format: 'pdf', debugLog: 'log.html' });
    assert.equal(singleItem[0]?.debugLog, resolve('log.html'));
  });
});

describe('Local files that a page may load', () => {
  const siblingFolderOf = (input: ItemInput, root?: string) =>
    planItems([input], { format: 'pdf', root, output: 'x.pdf' }).items[0]?.siblingFolder;

  test('are those in the folder of the page, or in the input folder that contains it', () => {
    assert.deepEqual(siblingFolderOf(file('sub/a.html')), { root: join(top, 'sub'), path: 'a.html' });
    assert.deepEqual(siblingFolderOf(file('docs/sub/a.html', 'docs')), {
      root: join(top, 'docs'),
      path: 'sub/a.html',
    });
  });

  test('are those in the --root folder, which must contain the input', () => {
    assert.deepEqual(siblingFolderOf(file('sub/a.html'), top), { root: top, path: 'sub/a.html' });
    assert.throws(
      () => siblingFolderOf(file('sub/a.html'), join(top, 'other')),
      /not in the folder that --root/,
    );
    assert.equal(siblingFolderOf(file('sub/a.html'), 'none'), undefined);
    assert.deepEqual(siblingFolderOf(stdin, top), { root: top, path: 'index.html' });
    assert.equal(siblingFolderOf(stdin), undefined);
    assert.equal(siblingFolderOf(url('https://example.com/'), top), undefined);
  });

  test('never include the whole file system: --root must be a folder other than /', () => {
    assert.equal(readRoot('main/..'), process.cwd());
    assert.throws(() => readRoot('package.json'), /--root: 'package.json' is not a folder/);
    assert.throws(() => readRoot('none'), /--root: 'none' is not a folder/);
    assert.throws(() => readRoot(resolve('/')), /root of the file system/);
  });

  test('are never the whole home folder unless --root names it', () => {
    const ofHome: ItemInput = {
      kind: 'file',
      name: 'a.html',
      path: join(homedir(), 'a.html'),
      base: homedir(),
    };
    assert.deepEqual(siblingFolderOf(ofHome, homedir()), { root: homedir(), path: 'a.html' });
    for (const base of [homedir(), dirname(homedir()), resolve('/')]) {
      const input: ItemInput = { kind: 'file', name: 'a.html', path: join(base, 'a.html'), base };
      const plan = planItems([input], { format: 'pdf' });
      assert.equal(plan.items[0]?.siblingFolder, undefined);
      assert.deepEqual(plan.withoutAssets, [input]);
    }
    // Windows allows only administrators to create links.
    if (process.platform === 'win32') return;
    const link = join(mkdtempSync(join(tmpdir(), 'platen-plan-')), 'home');
    symlinkSync(homedir(), link);
    const linked: ItemInput = { kind: 'file', name: 'a.html', path: join(link, 'a.html'), base: link };
    assert.equal(siblingFolderOf(linked), undefined);
    rmSync(dirname(link), { recursive: true });
  });
});
