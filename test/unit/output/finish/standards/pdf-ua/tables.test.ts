import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PDFContext } from '@cantoo/pdf-lib';
import type {
  PageElement,
  PageStructure,
} from '../../../../../../main/output/finish/standards/pdf-ua/page-structure.ts';
import { HtmlNodes } from '../../../../../../main/output/finish/standards/pdf-ua/html-nodes.ts';
import { StructureElement } from '../../../../../../main/output/finish/standards/pdf-ua/structure-tree.ts';
import { completeTable } from '../../../../../../main/output/finish/standards/pdf-ua/tables.ts';

const context = PDFContext.create();

/** A node of HTML: its id, its tag, and its children. */
type HtmlNode = readonly [id: number, tag: string, ...children: (HtmlNode | Partial<PageElement>)[]];

function isHtmlNode(part: HtmlNode | Partial<PageElement>): part is HtmlNode {
  return Array.isArray(part);
}

/** Returns the nodes of a document that contains one element. */
function htmlOf(root: HtmlNode): HtmlNodes {
  const ids: number[] = [];
  const parents: number[] = [];
  const elements: PageElement[] = [];
  const add = ([id, tag, ...parts]: HtmlNode, parent: number) => {
    const index = ids.push(id) - 1;
    parents.push(parent);
    const facts = parts.find((part): part is Partial<PageElement> => !isHtmlNode(part));
    elements.push({ id, tag, isLaidOut: true, ...facts });
    for (const child of parts) if (isHtmlNode(child)) add(child, index);
  };
  add(root, -1);
  return new HtmlNodes({ language: 'en', ids, parents, elements, texts: [] } satisfies PageStructure);
}

function element(type: string, node: number, ...kids: StructureElement[]): StructureElement {
  const created = StructureElement.createFor(context, type, node);
  created.kids = kids;
  return created;
}

/** Returns the types of an element and those below it, such as `TR(TD TD)`. */
function typesIn({ type, elements }: StructureElement): string {
  return elements.length === 0 ? type : `${type}(${elements.map(typesIn).join(' ')})`;
}

test('empty cells and rows, which Chromium does not print, are added where they are in the HTML', () => {
  const html = htmlOf([
    1,
    'table',
    [2, 'tr', [3, 'td'], [4, 'td'], [5, 'td']],
    [6, 'tr', [7, 'td'], [8, 'td'], [9, 'td']],
    [10, 'tr', [11, 'td', { columnSpan: 2 }], [12, 'td']],
  ]);
  const first = element('TR', 2, element('TD', 4));
  const last = element('TR', 10, element('TD', 12));
  const table = element('Table', 1, first, last);
  completeTable(table, html, { left: 1000 });
  assert.equal(typesIn(table), 'Table(TR(TD TD TD) TR(TD TD TD) TR(TD TD))');
  assert.deepEqual(
    first.elements.map(({ node }) => node),
    [undefined, 4, undefined],
  );
  assert.equal(last.elements[0]?.attributes[0]?.toString(), '<<\n/O /Table\n/ColSpan 2\n/RowSpan 1\n>>');
});

test('rows after the last printed one are not added, because their page may not be in the document', () => {
  const html = htmlOf([1, 'table', [2, 'tr', [3, 'td']], [4, 'tr', [5, 'td']]]);
  const table = element('Table', 1, element('TR', 2, element('TD', 3)));
  completeTable(table, html, { left: 1000 });
  assert.equal(typesIn(table), 'Table(TR(TD))');
});

test('all rows get the same number of columns, and cells end at the last row', () => {
  const html = htmlOf([1, 'table']);
  const tall = element('TD', 3);
  tall.addAttributes(context.obj({ O: 'Table', RowSpan: 9 }));
  const table = element('Table', 1, element('TR', 2, tall, element('TD', 4)), element('TR', 5));
  completeTable(table, html, { left: 1000 });
  assert.equal(typesIn(table), 'Table(TR(TD TD) TR(TD))');
  assert.match(tall.attributes[0]?.toString() ?? '', /RowSpan 2/);
});

test('a head makes the other rows a body, the caption comes first, and loose content gets a cell', () => {
  const html = htmlOf([1, 'table', [2, 'tr', [3, 'td']], [4, 'thead', [5, 'tr', [6, 'th']]], [7, 'caption']]);
  const table = element(
    'Table',
    1,
    element('TR', 2, element('TD', 3)),
    element('NonStruct', 4, element('TR', 5, element('TH', 6))),
    element('Caption', 7),
    element('P', 8),
  );
  completeTable(table, html, { left: 1000 });
  assert.equal(typesIn(table), 'Table(Caption TBody(TR(TD(P)) TR(TD)) THead(TR(TH)))');
});

test('a table with more slots than the budget is not filled, and does not conform', () => {
  const rows = Array.from({ length: 50 }, (_, index) => {
    const cell = element('TD', 2 * index + 3);
    cell.addAttributes(context.obj({ O: 'Table', ColSpan: 1000, RowSpan: 1000 }));
    return element('TR', 2 * index + 2, cell);
  });
  const table = element('Table', 1, ...rows);
  const slots = { left: 1_000_000 };
  const found = completeTable(table, htmlOf([1, 'table']), slots);
  assert.match(found[0]?.reason ?? '', /too many cells/);
  assert.ok(slots.left > -1e6);
  assert.ok(rows.every(({ elements }) => elements.length === 1));
});

test('a table of 150,000 cells in a row is filled', () => {
  const wide = element('TR', 2);
  wide.kids = Array.from({ length: 150_000 }, (_, index) => element('TD', index + 10));
  const table = element('Table', 1, wide, element('TR', 3, element('TD', 4)));
  assert.deepEqual(completeTable(table, htmlOf([1, 'table']), { left: 1_000_000 }), []);
  assert.equal(table.elements[1]?.elements.length, 150_000);
});
