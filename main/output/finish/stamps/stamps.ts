/** Lays watermarks over printed pages and backgrounds under them: pages of a PDF document, or pictures. */
import type { PDFDocument, PDFPage } from '@cantoo/pdf-lib';
import { layerPainter } from '../layers/layers.ts';
import { centredIn, fitInto, multiply, type Box, type Size } from '../../geometry.ts';
import { frameOf } from '../layers/page-frame.ts';
import { openStamp, type Sheet } from './stamp-sheets.ts';

export interface Stamp {
  /** The option it came with, as callers know it. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly place: 'over' | 'under';
  /** Page n on page n and the last one on all that follow; otherwise the first page on every page. */
  readonly multipage: boolean;
}

/** Points by which paper sizes differ from program to program. */
const sameSize = 2;

/**
 * Each stamp lies outside of those before it: further up when over the pages, further down when under them.
 * @throws Failure valueNotAllowed for a file that cannot be laid on a page, naming the option
 */
export async function stampPages(document: PDFDocument, stamps: readonly Stamp[]): Promise<void> {
  for (const stamp of stamps) await stampWith(document, stamp);
}

async function stampWith(document: PDFDocument, stamp: Stamp): Promise<void> {
  const pages = document.getPages();
  const [first] = pages;
  if (first === undefined) return;
  const sheets = await openStamp(document, stamp, frameOf(first));
  const painters = new Map<string, (page: PDFPage) => void>();
  for (const [index, page] of pages.entries()) {
    const number = stamp.multipage ? Math.min(index, sheets.count - 1) : 0;
    const { width, height } = frameOf(page);
    const key = `${number} ${width} ${height}`;
    const painter = painters.get(key) ?? painterFor(await sheets.at(number), stamp, { width, height });
    painters.set(key, painter);
    painter(page);
  }
}

function painterFor(sheet: Sheet, { place }: Stamp, page: Size): (page: PDFPage) => void {
  const { xobject } = sheet;
  if (xobject === undefined) return () => {};
  const { left, bottom, width, height } = boxFor(sheet, page);
  const matrix = multiply(sheet.toUnit, [width, 0, 0, height, left, bottom]);
  return layerPainter({ place, artifact: place === 'over' ? 'Watermark' : 'Background', xobject, matrix });
}

/** Fitted into the page, in its middle; a letterhead of the page's own size keeps it, so that its lines meet the text's. */
function boxFor(sheet: Sheet, page: Size): Box {
  const isPageSize =
    Math.abs(sheet.width - page.width) <= sameSize && Math.abs(sheet.height - page.height) <= sameSize;
  return sheet.isPaper && isPageSize ? centredIn(page, 1, sheet) : fitInto(page, sheet);
}
