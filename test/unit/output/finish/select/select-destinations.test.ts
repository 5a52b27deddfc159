import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PDFArray, PDFDict, PDFName, PDFString, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';
import { pdfDestinations, pdfTags } from '../../../../support/output/pdf.ts';
import { linksOf, name, selectAndReload } from './select-sample.ts';

describe('a link', () => {
  test('keeps its target page; a link to a removed page is removed', async () => {
    const { document } = await selectAndReload([0, 1, 2, 6]);
    assert.deepEqual(linksOf(document, 0), [2, 3, 'https://example.com/', 1]);
    assert.deepEqual([1, 2, 3].map((index) => linksOf(document, index)), [[1], [2], [2]]); // prettier-ignore
  });

  /** Replaces the named destinations of the first page's links with another kind. */
  const withLinks =
    (changeLink: (link: PDFDict, destination: PDFArray) => void) => (document: PDFDocument) => {
      const destinations = document.catalog.lookup(name('Dests'), PDFDict);
      for (const annotation of document.getPage(0).node.Annots()?.asArray() ?? []) {
        const link = document.context.lookup(annotation, PDFDict);
        const destination = link.lookupMaybe(name('Dest'), PDFName);
        if (destination !== undefined) changeLink(link, destinations.lookup(destination, PDFArray));
      }
    };

  test('with a direct destination or a GoTo action keeps its target page', async () => {
    const itself = withLinks((link, destination) => { link.set(name('Dest'), destination); }); // prettier-ignore
    const inAction = withLinks((link, destination) => {
      link.delete(name('Dest'));
      link.set(name('A'), link.context.obj({ S: 'GoTo', D: destination }));
    });
    for (const prepare of [itself, inAction]) {
      const { document } = await selectAndReload([0, 1, 3], prepare);
      assert.deepEqual(linksOf(document, 0), [2, 3, 'https://example.com/', 1]);
    }
  });

  test('to a destination in the name tree is kept, with its name', async () => {
    const { document } = await selectAndReload([0, 1, 3], (all) => {
      const { context } = all;
      const pairs: PDFObject[] = [];
      withLinks((link, destination) => {
        const text = PDFString.of(`place ${pairs.length / 2}`);
        pairs.push(text, context.register(context.obj({ D: destination })));
        link.set(name('Dest'), text);
      })(all);
      const leaf = context.register(context.obj({ Limits: [pairs[0], pairs.at(-2)], Names: pairs }));
      all.catalog.set(name('Names'), context.obj({ Dests: { Kids: [leaf] } }));
    });
    const tree = document.catalog.lookup(name('Names'), PDFDict).lookup(name('Dests'), PDFDict);
    const leaf = tree.lookup(name('Kids'), PDFArray).lookup(0, PDFDict);
    assert.equal(String(leaf.lookup(name('Limits'))), '[ (place 0) (place 4) ]');
    assert.equal(leaf.lookup(name('Names'), PDFArray).size(), 6);
    assert.equal(document.getPage(0).node.Annots()?.size(), 4);
  });

  test('that is removed becomes a span for screen readers', async () => {
    assert.match(
      pdfTags((await selectAndReload([1, 2])).bytes),
      /H1 NonStruct "One" P NonStruct "On page 2. " Span NonStruct "Contents".*Link NonStruct "One" Object/,
    );
  });
});

test('only destinations on remaining pages keep their names', async () => {
  assert.deepEqual(pdfDestinations((await selectAndReload([2, 3, 6])).bytes), ['1 one-b', '2 two']);
  const { document } = await selectAndReload([6]);
  assert.ok(!document.catalog.has(name('Dests')));
});

test('an OpenAction to a removed page is removed, and an OpenAction to a remaining page stays', async () => {
  const opening = (index: number) => (document: PDFDocument) => {
    const destination = [document.getPage(index).ref, name('Fit')];
    document.catalog.set(name('OpenAction'), document.context.obj({ S: 'GoTo', D: destination }));
  };
  assert.ok(!(await selectAndReload([1, 2], opening(3))).document.catalog.has(name('OpenAction')));
  assert.ok((await selectAndReload([1, 2], opening(2))).document.catalog.has(name('OpenAction')));
});
