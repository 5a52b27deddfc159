import assert from 'node:assert/strict';
import { test } from 'node:test';
import { structureOf } from '../../../../../../main/output/finish/standards/pdf-ua/page-structure.ts';

/** Returns the snapshot of a document whose links are each inside the one before, around a text. */
function nestedLinks(count: number, text: string) {
  const strings = ['A', '#text', text];
  const nodes = Array.from({ length: count + 1 }, (_, index) => index);
  const isText = (index: number) => index === count;
  return {
    anchorPrefix: 'picture-',
    dom: {
      strings,
      documents: [
        {
          nodes: {
            parentIndex: nodes.map((index) => index - 1),
            nodeType: nodes.map((index) => (isText(index) ? 3 : 1)),
            nodeName: nodes.map((index) => (isText(index) ? 1 : 0)),
            nodeValue: nodes.map((index) => (isText(index) ? 2 : -1)),
            backendNodeId: nodes,
            attributes: nodes.map(() => []),
            contentDocumentIndex: { index: [], value: [] },
          },
          layout: { nodeIndex: [], styles: [], text: [], bounds: [] },
        },
      ],
    },
  };
}

test('a link that contains many others, and a long text, is labelled with the beginning of its text', () => {
  const { elements } = structureOf(nestedLinks(50_000, 'x'.repeat(20_000)));
  assert.equal(elements.length, 50_000);
  // The text is too deep inside the first link.
  assert.equal(elements[0]?.label, undefined);
  assert.equal(elements.at(-1)?.label, 'x'.repeat(10_000));
});
