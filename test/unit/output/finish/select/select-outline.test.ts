import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PDFDict, PDFNumber, PDFString, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';
import { name, pageAt, selectAndReload } from './select-sample.ts';

interface Item { readonly title: string; readonly page: number | undefined; readonly count: number; readonly items: Item[] } // prettier-ignore

/** Returns the items, and checks the links between them. */
function itemsBelow(document: PDFDocument, parent: PDFObject | undefined): Item[] {
  const above = document.context.lookup(parent, PDFDict);
  const items: Item[] = [];
  let before: PDFObject | undefined;
  for (
    let ref = above.get(name('First'));
    ref !== undefined;
    ref = document.context.lookup(ref, PDFDict).get(name('Next'))
  ) {
    const item = document.context.lookup(ref, PDFDict);
    assert.deepEqual([item.get(name('Parent')), item.get(name('Prev'))], [parent, before]);
    const count = item.lookupMaybe(name('Count'), PDFNumber)?.asNumber() ?? 0;
    const title = item.lookup(name('Title'), PDFString).decodeText();
    items.push({
      title,
      page: pageAt(document, item.lookup(name('Dest'))),
      count,
      items: itemsBelow(document, ref),
    });
    before = ref;
  }
  assert.equal(above.get(name('Last')), before);
  return items;
}
const outlineOf = (document: PDFDocument) => itemsBelow(document, document.catalog.get(name('Outlines')));
const rootCount = ({ catalog }: PDFDocument) =>
  catalog.lookup(name('Outlines'), PDFDict).lookup(name('Count'), PDFNumber).asNumber();
const leaf = (title: string, page: number) => ({ title, page, count: 0, items: [] });

describe('the outline', () => {
  test('keeps items of remaining pages', async () => {
    const { document } = await selectAndReload([1, 2, 3]);
    const chapter = { title: 'One', page: 1, count: 1, items: [leaf('One B', 2)] };
    assert.deepEqual(outlineOf(document), [chapter, leaf('Two', 3)]);
    assert.equal(rootCount(document), 3);
  });

  test('keeps a parent of a remaining item, with the target of that item', async () => {
    const { document } = await selectAndReload([0, 5]);
    assert.deepEqual(outlineOf(document), [{ title: 'Two', page: 2, count: 1, items: [leaf('Two B', 2)] }]);
    assert.equal(rootCount(document), 2);
  });

  test('keeps closed items closed', async () => {
    const { document } = await selectAndReload([3, 5, 6], (all) => {
      const outlines = all.catalog.lookup(name('Outlines'), PDFDict);
      outlines.lookup(name('Last'), PDFDict).set(name('Count'), PDFNumber.of(-1));
    });
    assert.deepEqual(outlineOf(document), [{ title: 'Two', page: 1, count: -1, items: [leaf('Two B', 2)] }]);
    assert.equal(rootCount(document), 1);
  });

  test('is removed if no target remains', async () => {
    const { document } = await selectAndReload([0, 4], ({ catalog }) => {
      catalog.set(name('PageMode'), name('UseOutlines'));
    });
    assert.ok(!document.catalog.has(name('Outlines')) && !document.catalog.has(name('PageMode')));
  });
});
