/** Scales finished pages and lays them on their paper, with everything on them: content, links, places links lead to. */
import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPage,
  type PDFRef,
} from '@cantoo/pdf-lib';
import { movePoint, multiply, transformAt, type Matrix } from '../../geometry.ts';
import type { Placement } from '../../print-plan.ts';
import { wrapContents } from './layers.ts';
import { annotationsOf, moveAnnotation, type Move } from './links.ts';
import { clipTo, concat } from './operators.ts';
import { frameOf } from './page-frame.ts';
import { movePatterns } from './patterns.ts';

const pointsPerInch = 72;

/** For pages as Chromium prints them, before anything else is laid on them. */
export function layOnPaper(document: PDFDocument, placement: Placement): void {
  const laying: Laying = { placement, streams: new Map(), patterns: new Map() };
  const matrices = new Map<PDFObject, Matrix>();
  for (const page of document.getPages()) matrices.set(page.ref, layPage(page, laying));
  for (const [, object] of document.context.enumerateIndirectObjects()) moveDestinations(object, matrices);
}

interface Laying {
  readonly placement: Placement;
  /** What pages share. */
  readonly streams: Map<string, PDFRef>;
  readonly patterns: Map<string, PDFObject>;
}

/**
 * The content stays in the page's own streams: in a form, the structure tree of a tagged document would lose it
 * (ISO 32000-1, 14.7.4.2).
 */
function layPage(page: PDFPage, { placement, streams, patterns }: Laying): Matrix {
  const { paper, clip } = placement;
  const matrix = matrixFor(page, placement);
  const cut = clip === undefined ? '' : `${clipTo(clip)} `;
  wrapContents(page, stream(page, streams, `q ${cut}${concat(matrix)}\n`), stream(page, streams, '\nQ\n'));
  movePatterns(page, matrix, patterns);
  moveLinks(page, { matrix, clip });
  page.setMediaBox(0, 0, paper.width * pointsPerInch, paper.height * pointsPerInch);
  return matrix;
}

/** From the printed page to the paper. */
function matrixFor(page: PDFPage, { factor, left, bottom, matrix }: Placement): Matrix {
  const { fromUser, height } = frameOf(page);
  const [x, y] = [left * pointsPerInch, bottom * pointsPerInch];
  const laid = multiply(fromUser, [factor, 0, 0, factor, x, y]);
  return matrix === undefined ? laid : multiply(laid, transformAt(matrix, x, y + height * factor));
}

function stream({ doc }: PDFPage, streams: Map<string, PDFRef>, text: string): PDFRef {
  const ref = streams.get(text) ?? doc.context.register(doc.context.stream(text));
  streams.set(text, ref);
  return ref;
}

/** A link that is cut off whole is no link any more. */
function moveLinks(page: PDFPage, move: Move): void {
  const annotations = page.node.Annots();
  if (annotations === undefined) return;
  const gone = annotationsOf(page).filter((annotation) => !moveAnnotation(annotation, move));
  if (gone.length === 0) return;
  const { context } = page.doc;
  const kept = annotations.asArray().filter((entry) => !gone.some((one) => one === context.lookup(entry)));
  page.node.set(PDFName.of('Annots'), context.obj(kept));
}

/** Destinations are arrays [page /XYZ left top zoom] (ISO 32000-1, 12.3.2.2), wherever they stand. */
function moveDestinations(object: PDFObject, matrices: ReadonlyMap<PDFObject, Matrix>): void {
  if (object instanceof PDFDict)
    object.values().forEach((value) => {
      moveDestinations(value, matrices);
    });
  if (!(object instanceof PDFArray)) return;
  const [page, kind] = object.asArray();
  const matrix = page && matrices.get(page);
  if (matrix !== undefined && kind === PDFName.of('XYZ')) moveDestination(object, matrix);
  else
    object.asArray().forEach((element) => {
      moveDestinations(element, matrices);
    });
}

/** A coordinate that is null, where the reader is to stay, stays null. */
function moveDestination(destination: PDFArray, matrix: Matrix): void {
  const [left, top] = [destination.get(2), destination.get(3)];
  const [x, y] = movePoint(matrix, valueOf(left), valueOf(top));
  if (left instanceof PDFNumber) destination.set(2, PDFNumber.of(x));
  if (top instanceof PDFNumber) destination.set(3, PDFNumber.of(y));
}

function valueOf(number: PDFObject): number {
  return number instanceof PDFNumber ? number.asNumber() : 0;
}
