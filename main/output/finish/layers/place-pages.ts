/** Scales printed pages and places them on their paper, including links and destinations. */
import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFNumber,
  PDFStream,
  type PDFDocument,
  type PDFObject,
  type PDFPage,
  type PDFRef,
} from '@cantoo/pdf-lib';
import { transformPoint, multiply, transformAt, type Matrix } from '../../geometry.ts';
import type { ContentPlacement } from '../../pdf/print-plan.ts';
import { numbersOf } from '../pdf-document.ts';
import { wrapContents } from './layers.ts';
import { annotationsOf, moveAnnotation, type AnnotationTransform } from './links.ts';
import { clipTo, matrixOperator, frameOf } from './page-forms.ts';

const pointsPerInch = 72;

/** Places all pages on their paper. Must run on pages as Chromium prints them, before any layers are added. */
export function placeOnPaper(document: PDFDocument, placement: ContentPlacement): void {
  const options: PlacePagesOptions = { placement, streams: new Map(), patterns: new Map() };
  const matrices = new Map<PDFObject, Matrix>();
  for (const page of document.getPages()) matrices.set(page.ref, placePage(page, options));
  for (const [, object] of document.context.enumerateIndirectObjects()) moveDestinations(object, matrices);
}

interface PlacePagesOptions {
  readonly placement: ContentPlacement;
  /** Content streams by their text, shared by all pages. */
  readonly streams: Map<string, PDFRef>;
  /** Moved patterns, shared by all pages. */
  readonly patterns: Map<string, PDFObject>;
}

/**
 * Places a page on its paper, and returns the matrix that maps the printed page to the paper. The content stays in the streams of
 * the page, because the structure tree of a tagged document would no longer find it in a form (ISO 32000-1, 14.7.4.2).
 */
function placePage(page: PDFPage, { placement, streams, patterns }: PlacePagesOptions): Matrix {
  const { paper, clip } = placement;
  const matrix = matrixFor(page, placement);
  const cut = clip === undefined ? '' : `${clipTo(clip)} `;
  wrapContents(
    page,
    stream(page, streams, `q ${cut}${matrixOperator(matrix)}\n`),
    stream(page, streams, '\nQ\n'),
  );
  movePatterns(page, matrix, patterns);
  moveLinks(page, { matrix, clip });
  page.setMediaBox(0, 0, paper.width * pointsPerInch, paper.height * pointsPerInch);
  return matrix;
}

/** Returns the matrix that maps the printed page to the paper. */
function matrixFor(page: PDFPage, { scale, left, bottom, matrix }: ContentPlacement): Matrix {
  const { fromUser, height } = frameOf(page);
  const x = left * pointsPerInch;
  const y = bottom * pointsPerInch;
  const placed = multiply(fromUser, [scale, 0, 0, scale, x, y]);
  return matrix === undefined ? placed : multiply(placed, transformAt(matrix, x, y + height * scale));
}

function stream({ doc }: PDFPage, streams: Map<string, PDFRef>, text: string): PDFRef {
  const ref = streams.get(text) ?? doc.context.register(doc.context.stream(text));
  streams.set(text, ref);
  return ref;
}

/** Moves the links of a page, and removes those that are outside the clip. */
function moveLinks(page: PDFPage, move: AnnotationTransform): void {
  const annotations = page.node.Annots();
  if (annotations === undefined) return;
  const removed = new Set<PDFObject | undefined>(
    annotationsOf(page).filter((annotation) => !moveAnnotation(annotation, move)),
  );
  if (removed.size === 0) return;
  const { context } = page.doc;
  const kept = annotations.asArray().filter((entry) => !removed.has(context.lookup(entry)));
  page.node.set(PDFName.of('Annots'), context.obj(kept));
}

/** Moves the destinations in an object, which are recognised by their form, [page /XYZ left top zoom] (ISO 32000-1, 12.3.2.2). */
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

/** Moves a destination. Keeps a coordinate of null, with which the viewer keeps its current position. */
function moveDestination(destination: PDFArray, matrix: Matrix): void {
  const left = destination.get(2);
  const top = destination.get(3);
  const [x, y] = transformPoint(matrix, valueOf(left), valueOf(top));
  if (left instanceof PDFNumber) destination.set(2, PDFNumber.of(x));
  if (top instanceof PDFNumber) destination.set(3, PDFNumber.of(y));
}

function valueOf(number: PDFObject): number {
  return number instanceof PDFNumber ? number.asNumber() : 0;
}

// Gradients and tiling patterns of moved content.

/**
 * Replaces each pattern of a page with a moved copy, because patterns use the space of the page, regardless of transforms in its
 * content (ISO 32000-1, 8.7.3.1). Patterns inside forms move with the form. `cache` contains the copies for pages with the same
 * matrix.
 */
function movePatterns(page: PDFPage, matrix: Matrix, cache: Map<string, PDFObject>): void {
  const { node, doc } = page;
  const resources = node.Resources();
  const patterns = resources?.lookupMaybe(PDFName.of('Pattern'), PDFDict);
  if (resources === undefined || patterns === undefined) return;
  const copies = doc.context.obj({});
  for (const [name, pattern] of patterns.entries()) {
    const key = `${pattern.toString()} ${matrix.join(' ')}`;
    const copy = cache.get(key) ?? movedPattern(page, pattern, matrix);
    cache.set(key, copy);
    copies.set(name, copy);
  }
  const ownResources = resources.clone();
  ownResources.set(PDFName.of('Pattern'), copies);
  node.set(PDFName.of('Resources'), ownResources);
}

function movedPattern({ doc }: PDFPage, pattern: PDFObject, matrix: Matrix): PDFObject {
  const found = doc.context.lookup(pattern);
  if (!(found instanceof PDFDict || found instanceof PDFStream)) return pattern;
  const copy = found.clone();
  const dict = copy instanceof PDFStream ? copy.dict : copy;
  dict.set(PDFName.of('Matrix'), doc.context.obj([...multiply(matrixOf(dict), matrix)]));
  return doc.context.register(copy);
}

function matrixOf(dict: PDFDict): Matrix {
  const entry = dict.lookup(PDFName.of('Matrix'));
  if (!(entry instanceof PDFArray) || entry.size() !== 6) return [1, 0, 0, 1, 0, 0];
  const numbers = numbersOf(entry);
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers;
  return [a, b, c, d, e, f];
}
