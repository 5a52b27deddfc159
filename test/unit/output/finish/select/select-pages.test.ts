import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { PDFArray, PDFDict, PDFDocument } from '@cantoo/pdf-lib';
import { prune } from '../../../../../main/output/finish/pdf-document.ts';
import { selectPages } from '../../../../../main/output/finish/select/select-pages.ts';
import { pdfFacts, pdfText } from '../../../../support/output/pdf.ts';
import { load, danglingReferences, name, save, selectAndReload } from './select-sample.ts';

describe('pages selected from a document', () => {
  test('are the requested ones, in order, with their content and size', async () => {
    const { document, bytes } = await selectAndReload([1, 5, 6]);
    assert.equal(document.getPageCount(), 3);
    assert.deepEqual([1, 2, 3].map((page) => pdfText(bytes, page).slice(0, 20)), ['One On page 2. Conte', 'Two B On page 6.', 'On page 7. One']); // prettier-ignore
    assert.ok(Math.abs(pdfFacts(bytes).height - 842) < 1);
  });

  test('contain no reference to a removed page', async () => {
    for (let bits = 1; bits < 127; bits += 9) {
      const indices = [0, 1, 2, 3, 4, 5, 6].filter((index) => (bits >> index) & 1);
      const { document } = await selectAndReload(indices);
      assert.equal(document.getPageCount(), indices.length);
    }
  });

  test('can be counted, and reduced by a second selection', async () => {
    const document = await load();
    assert.equal(document.getPageCount(), 7);
    selectPages(document, [1, 3, 5, 6]);
    assert.equal(document.getPages().length, 4);
    assert.equal(document.getPageCount(), 4);
    selectPages(document, [1, 2]);
    prune(document);
    const saved = await save(document);
    assert.match(pdfText(saved), /^Two On page 4.*Two B On page 6/);
    assert.deepEqual(danglingReferences(await load(saved)), []);
  });

  test('keep the attributes inherited from their parents', async () => {
    const document = await PDFDocument.create();
    for (let page = 0; page < 4; page += 1) document.addPage([100, 100]);
    const root = document.catalog.get(name('Pages'));
    const { context } = document;
    const node = context.obj({
      Type: 'Pages',
      Parent: root,
      Kids: [],
      Count: 2,
      Rotate: 90,
      MediaBox: [0, 0, 40, 80],
    });
    const kids = document.catalog.Pages().Kids();
    const ref = context.register(node);
    for (const kid of [kids.get(2), kids.get(3)]) {
      context.lookup(kid, PDFDict).set(name('Parent'), ref);
      context.lookup(kid, PDFDict).delete(name('MediaBox'));
      node.lookup(name('Kids'), PDFArray).push(kid);
    }
    document.catalog.Pages().set(name('Kids'), context.obj([kids.get(0), kids.get(1), ref]));
    const copy = await load(await save(document));
    selectPages(copy, [3]);
    prune(copy);
    assert.deepEqual(pdfFacts(await save(copy)), { pages: 1, width: 40, height: 80 });
    assert.equal(copy.getPage(0).getRotation().angle, 90);
  });

  test('must exist, and at least one is required', async () => {
    const document = await load();
    for (const indices of [[], [7], [-1]]) assert.throws(() => { selectPages(document, indices); }, RangeError); // prettier-ignore
  });

  const skip = spawnSync('qpdf', ['--version']).error !== undefined && 'qpdf is not installed';
  test('make a document that is valid for qpdf', { skip }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'platen-test-'));
    for (const indices of [[0], [2, 4], [1, 3, 5]]) {
      const file = join(folder, `${indices.join('-')}.pdf`);
      writeFileSync(file, (await selectAndReload(indices)).bytes);
      const { stdout, status } = spawnSync('qpdf', ['--check', file]);
      assert.equal(status, 0, stdout.toString());
    }
    rmSync(folder, { recursive: true });
  });
});
