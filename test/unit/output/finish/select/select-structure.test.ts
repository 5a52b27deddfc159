import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PDFArray, PDFDict, PDFNumber, type PDFDocument } from '@cantoo/pdf-lib';
import { pdfTags, pdfText } from '../../../../support/output/pdf.ts';
import { name, selectAndReload } from './select-sample.ts';

describe('the tags', () => {
  const rootOf = ({ catalog }: PDFDocument) => catalog.lookup(name('StructTreeRoot'), PDFDict);

  test('are only those of content on the selected pages', async () => {
    assert.match(
      pdfTags((await selectAndReload([2])).bytes),
      /^Document H2 NonStruct "One B" P .*Table TR TH: .*"Head" TD: .*"Cell"$/,
    );
  });

  test('of content that is split across pages remain for the part on the selected pages', async () => {
    const { bytes } = await selectAndReload([4, 6]);
    assert.match(
      pdfTags(bytes),
      /^Document Table TR TD: .*"Next" NonStruct "On page 7. " Span NonStruct "One"$/,
    );
  });

  test('do not refer to removed header cells', async () => {
    // Chromium writes an empty list of headers after a page break.
    const headed = ({ context }: PDFDocument) => {
      const [far] = context.enumerateIndirectObjects().flatMap(([, object]) => {
        const isElement = object instanceof PDFDict && object.get(name('S')) === name('TH');
        return isElement ? [object.lookup(name('ID'))] : [];
      }).slice(-1); // prettier-ignore
      for (const [, object] of context.enumerateIndirectObjects()) {
        if (!(object instanceof PDFDict) || object.get(name('S')) !== name('TD')) continue;
        const attributes = object.lookup(name('A'), PDFArray).lookup(0, PDFDict);
        if (far !== undefined) attributes.set(name('Headers'), context.obj([far]));
      }
    };
    const heads = (bytes: Buffer) => [...pdfTags(bytes).matchAll(/Headers/g)].length;
    assert.equal(heads((await selectAndReload([3, 4], headed)).bytes), 2);
    assert.equal(heads((await selectAndReload([2, 4], headed)).bytes), 0);
  });

  test('have entries in the parent tree for the remaining pages only', async () => {
    const { document } = await selectAndReload([3, 5]);
    const parents = rootOf(document).lookup(name('ParentTree'), PDFDict).lookup(name('Nums'), PDFArray);
    const keys = document
      .getPages()
      .map(({ node }) => node.lookup(name('StructParents'), PDFNumber).asNumber());
    assert.deepEqual([parents.get(0), parents.get(2)].map(String), keys.map(String));
    assert.equal(parents.size(), 4);
    for (const at of [1, 3])
      for (const element of parents.lookup(at, PDFArray).asArray())
        assert.ok(document.context.lookup(element) instanceof PDFDict);
  });

  test('can be found by their IDs in the ID tree', async () => {
    const { document } = await selectAndReload([2]);
    const leaf = rootOf(document)
      .lookup(name('IDTree'), PDFDict)
      .lookup(name('Kids'), PDFArray)
      .lookup(0, PDFDict);
    const pairs = leaf.lookup(name('Names'), PDFArray).asArray();
    assert.equal(String(leaf.lookup(name('Limits'))), `[ ${String(pairs[0])} ${String(pairs.at(-2))} ]`);
    pairs.forEach((id, index) => {
      const element = pairs[index + 1];
      if (index % 2 === 0)
        assert.equal(String(document.context.lookup(element, PDFDict).get(name('ID'))), String(id));
    });
    assert.ok(pairs.length > 10 && pairs.length < 40);
  });

  test('may be missing from the document', async () => {
    const { bytes } = await selectAndReload([1], ({ catalog }) => catalog.delete(name('StructTreeRoot')));
    assert.match(pdfText(bytes), /^One On page 2/);
  });
});
