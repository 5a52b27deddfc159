import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PDFDocument } from '@cantoo/pdf-lib';
import { prune } from '../../../../main/output/finish/pdf-document.ts';
import { selectPages } from '../../../../main/output/finish/select/select-pages.ts';
import { pdfFacts, pdfTags } from '../../../support/output/pdf.ts';
import { chapters, load, save } from './select/select-sample.ts';

test('pruning a document of a thousand pages to two makes it at least a hundred times smaller', async () => {
  const document = await PDFDocument.create();
  for (let page = 0; page < 1000; page += 1)
    document.addPage([100, 100]).drawRectangle({ width: page, height: 9 });
  const all = await save(document);
  const copy = await load(all);
  selectPages(copy, [400, 999]);
  prune(copy);
  const some = await save(copy);
  assert.equal(pdfFacts(some).pages, 2);
  assert.ok(some.length < all.length / 100);
  const sections = /xref\n0 (\d+)\n(?:\d{10} \d{5} [fn] \n)+\s*trailer/.exec(some.toString('latin1'));
  assert.equal(
    Number(sections?.[1]),
    (await load(some)).context.largestObjectNumber + 1,
    'one section, no gaps',
  );
});

test('pruning keeps the tags of a document, and removes objects without references', async () => {
  const document = await load();
  prune(document);
  assert.equal(pdfTags(await save(document)), pdfTags(chapters));
  document.context.register(document.context.obj({ Nobody: 'leads here' }));
  const before = document.context.enumerateIndirectObjects().length;
  prune(document);
  assert.equal(document.context.enumerateIndirectObjects().length, before - 1);
});
