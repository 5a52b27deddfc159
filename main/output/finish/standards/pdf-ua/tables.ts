/**
 * Completes the structure of tables (ISO 32000-1, 14.8.4.3.4): a table contains rows, or a head, bodies and a foot with rows, and all rows
 * have the same number of columns. Chromium prints no elements for empty cells and rows.
 */
import { PDFName, PDFNumber, type PDFContext } from '@cantoo/pdf-lib';
import type { PageElement } from './page-structure.ts';
import type { HtmlNodes } from './html-nodes.ts';
import type { Nonconformity } from '../nonconformity.ts';
import { genericTypes, groupKids, hasType, unwrapKids } from './structure-kids.ts';
import { StructureElement, type StructureKid } from './structure-tree.ts';

const groupTypesByTag: Readonly<Record<string, string>> = { thead: 'THead', tbody: 'TBody', tfoot: 'TFoot' };
const groupTypes = ['THead', 'TBody', 'TFoot'];
const cellTypes = ['TH', 'TD'];

/** The slots of the grids of all tables that may still be filled. */
export interface SlotBudget {
  left: number;
}

/** Returns what keeps the table from conforming: its grid has more slots than the budget. */
export function completeTable(table: StructureElement, html: HtmlNodes, slots: SlotBudget): Nonconformity[] {
  const { context } = table.dict;
  for (const kid of table.elements) {
    const type = groupTypesByTag[html.of(kid)?.tag ?? ''];
    if (type !== undefined && genericTypes.has(kid.type)) kid.type = type;
  }
  const kids = unwrapKids(table.kids, ['TR', 'Caption', ...groupTypes]);
  const captions = kids.filter((kid) => hasType(kid, ['Caption']));
  const rows = kids.filter((kid) => hasType(kid, ['TR', ...groupTypes]));
  const others = [
    ...captions.slice(1),
    ...kids.filter((kid) => !hasType(kid, ['TR', 'Caption', ...groupTypes])),
  ];
  const ownRows = withMissingRows(rows, { html, context });
  if (others.length > 0) ownRows.unshift(rowWith(context, others));
  const hasGroups = ownRows.some((kid) => hasType(kid, groupTypes));
  table.kids = [...captions.slice(0, 1), ...(hasGroups ? rowGroups(context, ownRows) : ownRows)];
  const allRows: StructureElement[] = [];
  for (const part of table.elements) {
    if (part.type === 'TR') allRows.push(part);
    else if (part.type !== 'Caption') for (const row of completeGroup(part, html)) allRows.push(row);
  }
  for (const row of allRows) completeRow(row, html);
  return completeGrid(allRows, slots) ? [] : [{ reason: tooManySlots }];
}

const tooManySlots =
  'the tables have too many cells with their colspan and rowspan; make these smaller, or the tables shorter';

/** Returns the rows and groups as groups: at most one head, at least one body, and at most one foot. */
function rowGroups(context: PDFContext, rows: readonly StructureKid[]): StructureKid[] {
  const groups = groupKids(
    rows,
    (kid) => hasType(kid, ['TR']),
    (kids) => StructureElement.create(context, 'TBody', kids),
  );
  for (const type of ['THead', 'TFoot']) {
    const found = groups.filter((kid) => kid instanceof StructureElement && kid.type === type);
    for (const group of found.slice(1) as StructureElement[]) group.type = 'TBody';
  }
  if (!groups.some((kid) => hasType(kid, ['TBody'])))
    for (const group of groups as StructureElement[]) group.type = 'TBody';
  return groups;
}

/** Makes all kids of a group rows, and returns them. */
function completeGroup(group: StructureElement, html: HtmlNodes): StructureElement[] {
  const { context } = group.dict;
  const rows = unwrapKids(group.kids, ['TR']).map((kid) =>
    hasType(kid, ['TR']) ? kid : rowWith(context, [kid]),
  );
  group.kids = withMissingRows(rows, { html, context });
  return group.elements;
}

function rowWith(context: PDFContext, content: StructureKid[]): StructureElement {
  return StructureElement.create(context, 'TR', [StructureElement.create(context, 'TD', content)]);
}

interface TableContext {
  readonly html: HtmlNodes;
  readonly context: PDFContext;
}

/** Adds the empty rows between two printed rows. Others may be on pages that are not in the document. */
function withMissingRows(kids: readonly StructureKid[], { html, context }: TableContext): StructureKid[] {
  return kids.flatMap((kid, index) => {
    const next = kids[index + 1];
    if (!isRow(kid) || !isRow(next)) return [kid];
    return [
      kid,
      ...rowsBetween(kid, next, html).map((row) => StructureElement.createFor(context, 'TR', row.id)),
    ];
  });
}

function isRow(kid: StructureKid | undefined): kid is StructureElement {
  return kid instanceof StructureElement && kid.type === 'TR';
}

/** Returns the rows of HTML between two rows of the same group. */
function rowsBetween(first: StructureElement, second: StructureElement, html: HtmlNodes): PageElement[] {
  if (first.node === undefined || second.node === undefined) return [];
  const parent = html.parentOf(first.node);
  if (parent === undefined || parent !== html.parentOf(second.node)) return [];
  const from = html.orderOf(first.node);
  const to = html.orderOf(second.node);
  return html.childrenOf(parent).filter(({ id, tag, isLaidOut }) => {
    const order = html.orderOf(id);
    return tag === 'tr' && isLaidOut === true && order > from && order < to;
  });
}

/** Makes all kids of a row cells, and adds the empty ones. */
function completeRow(row: StructureElement, html: HtmlNodes): void {
  const { context } = row.dict;
  row.kids = unwrapKids(row.kids, cellTypes).map((kid) =>
    hasType(kid, cellTypes) ? kid : StructureElement.create(context, 'TD', [kid]),
  );
  if (row.node === undefined) return;
  const printed = new Map(row.elements.map((cell) => [cell.node, cell]));
  const cells = html
    .childrenOf(row.node)
    .filter(({ tag, isLaidOut }) => /^t[hd]$/.test(tag) && isLaidOut === true);
  const own = cells.map((cell) => printed.get(cell.id) ?? emptyCell(context, cell));
  const ownKids = new Set<StructureKid>(own);
  row.kids = [...own, ...row.kids.filter((kid) => !ownKids.has(kid))];
}

function emptyCell(
  context: PDFContext,
  { columnSpan, rowSpan }: Partial<PageElement> = {},
): StructureElement {
  const cell = StructureElement.create(context, 'TD');
  if (columnSpan !== undefined || rowSpan !== undefined)
    cell.addAttributes(context.obj({ O: 'Table', ColSpan: columnSpan ?? 1, RowSpan: rowSpan ?? 1 }));
  return cell;
}

// The grid of cells (HTML, 4.9.12).

/**
 * Shortens cells that extend beyond the last row, and fills rows with empty cells up to the width of the table. Returns false if the grid
 * has more slots than the budget: a few large spans fill billions of them.
 */
function completeGrid(rows: readonly StructureElement[], slots: SlotBudget): boolean {
  /** For each row, the columns that are taken by cells. */
  const taken = rows.map(() => new Set<number>());
  let width = 0;
  for (const [index, row] of rows.entries()) {
    let column = 0;
    for (const cell of row.elements) {
      while (taken[index]?.has(column) === true) column += 1;
      const columns = spanOf(cell, 'ColSpan');
      const height = Math.min(spanOf(cell, 'RowSpan'), rows.length - index);
      if (height < spanOf(cell, 'RowSpan')) setSpan(cell, 'RowSpan', height);
      slots.left -= columns * height;
      if (slots.left < 0) return false;
      for (let at = index; at < index + height; at += 1)
        for (let next = column; next < column + columns; next += 1) taken[at]?.add(next);
      column += columns;
      width = Math.max(width, column);
    }
  }
  for (const [index, row] of rows.entries()) {
    const missing = width - (taken[index]?.size ?? 0);
    slots.left -= missing;
    if (slots.left < 0) return false;
    for (let added = 0; added < missing; added += 1) row.kids.push(emptyCell(row.dict.context));
  }
  return true;
}

type SpanKey = 'ColSpan' | 'RowSpan';

/** More columns or rows than any table has (HTML, 4.9.11). */
const maxSpan = 1000;

function spanOf(cell: StructureElement, key: SpanKey): number {
  for (const attributes of cell.attributes) {
    const value = attributes.lookup(PDFName.of(key));
    if (value instanceof PDFNumber) return Math.min(Math.max(1, value.asNumber()), maxSpan);
  }
  return 1;
}

function setSpan(cell: StructureElement, key: SpanKey, span: number): void {
  for (const attributes of cell.attributes)
    if (attributes.has(PDFName.of(key))) attributes.set(PDFName.of(key), PDFNumber.of(span));
}
