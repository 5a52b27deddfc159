import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PDFContext } from '@cantoo/pdf-lib';
import { HtmlNodes } from '../../../../../../main/output/finish/standards/pdf-ua/html-nodes.ts';
import { StructureElement } from '../../../../../../main/output/finish/standards/pdf-ua/structure-tree.ts';
import { TreePlaces } from '../../../../../../main/output/finish/standards/pdf-ua/tree-places.ts';
import { UntaggedTexts } from '../../../../../../main/output/finish/standards/pdf-ua/untagged-texts.ts';

const context = PDFContext.create();

/** An item (node 2) with a number (3), a tagged text (4) and a text without tags (5). */
function openItem(): { readonly item: StructureElement; readonly texts: UntaggedTexts } {
  const html = new HtmlNodes({
    language: 'en',
    ids: [1, 2, 3, 4, 5],
    parents: [-1, 0, 1, 1, 1],
    elements: [{ id: 2, tag: 'li' }],
    texts: [
      { id: 3, text: '10. ', isMarker: true },
      { id: 4, text: 'first', isMarker: false },
      { id: 5, text: 'a long text', isMarker: false },
    ],
  });
  const body = StructureElement.create(context, 'LBody', [StructureElement.createFor(context, 'Span', 4)]);
  const item = StructureElement.createFor(context, 'LI', 2);
  item.kids = [body];
  const root = StructureElement.create(context, 'Document', [item]);
  return { item, texts: new UntaggedTexts(html, new TreePlaces(root, html)) };
}

test('the number of an item becomes its label, and other text goes to its place in the body', () => {
  const { item, texts } = openItem();
  const label = texts.elementFor('10.');
  const text = texts.elementFor('a long text');
  assert.deepEqual(
    item.elements.map(({ type }) => type),
    ['Lbl', 'LBody'],
  );
  assert.equal(item.elements[0], label);
  assert.equal(item.elements[1]?.elements[1], text);
});

test('the lines of a text have one element', () => {
  const { texts } = openItem();
  const first = texts.elementFor('a long ');
  assert.ok(first !== undefined);
  assert.equal(texts.elementFor('text'), first);
  assert.equal(texts.elementFor('text'), undefined, 'the text has ended');
});

test('white space, text with tags, and text that the page does not have are no text of a node', () => {
  const { texts } = openItem();
  for (const painted of [' ', 'first', 'decoration']) assert.equal(texts.elementFor(painted), undefined);
});
