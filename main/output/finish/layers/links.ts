/** Moves and copies links, and corrects their destinations and addresses. */
import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFString,
  type PDFDocument,
  type PDFPage,
  type PDFObject,
  type PDFRef,
} from '@cantoo/pdf-lib';
import { transformBox, transformPoint, overlap, type Box, type Matrix } from '../../geometry.ts';
import { numbersOf } from '../pdf-document.ts';
import { boxOf } from './page-forms.ts';

export interface AnnotationTransform {
  readonly matrix: Matrix;
  /** The visible area after the move. */
  readonly clip?: Box | undefined;
}

/** Returns the annotation dictionaries of a page. */
export function annotationsOf({ node, doc }: PDFPage): PDFDict[] {
  return (node.Annots()?.asArray() ?? [])
    .map((annotation) => doc.context.lookup(annotation))
    .filter((annotation): annotation is PDFDict => annotation instanceof PDFDict);
}

/** Moves the Rect and QuadPoints of an annotation. Returns false if the annotation is outside the clip. */
export function moveAnnotation(annotation: PDFDict, { matrix, clip }: AnnotationTransform): boolean {
  const { context } = annotation;
  const rectangle = annotation.lookup(PDFName.of('Rect'));
  if (rectangle instanceof PDFArray && rectangle.size() === 4) {
    const moved = transformBox(matrix, boxOf(rectangle));
    const visible = clip === undefined ? moved : overlap(moved, clip);
    if (visible === undefined) return false;
    const { left, bottom, width, height } = visible;
    annotation.set(PDFName.of('Rect'), context.obj([left, bottom, left + width, bottom + height]));
  }
  const corners = annotation.lookup(PDFName.of('QuadPoints'));
  if (corners instanceof PDFArray)
    annotation.set(PDFName.of('QuadPoints'), context.obj(movedPoints(corners, matrix)));
  return true;
}

function movedPoints(points: PDFArray, matrix: Matrix): number[] {
  const numbers = numbersOf(points);
  return numbers.flatMap((x, index) => {
    const y = numbers[index + 1];
    return index % 2 === 1 || y === undefined ? [] : transformPoint(matrix, x, y);
  });
}

export function isWebLink(annotation: PDFDict): boolean {
  const action = annotation.lookup(PDFName.of('A'));
  return (
    annotation.lookup(PDFName.of('Subtype')) === PDFName.of('Link') &&
    action instanceof PDFDict &&
    action.lookup(PDFName.of('S')) === PDFName.of('URI')
  );
}

/**
 * Replaces internal addresses of the job's files, which no viewer can open, with relative addresses, which are usually those in the
 * HTML.
 */
export function makeLinksRelative(document: PDFDocument): void {
  for (const page of document.getPages()) {
    for (const annotation of annotationsOf(page).filter(isWebLink)) {
      const action = annotation.lookup(PDFName.of('A'), PDFDict);
      const address = action.lookup(PDFName.of('URI'));
      if (!(address instanceof PDFString || address instanceof PDFHexString)) continue;
      const relative = address
        .decodeText()
        .replace(ownAddress, (_, folder?: string) => (folder === undefined ? '/' : ''));
      action.set(PDFName.of('URI'), PDFString.of(relative.replace(/[\\()]/g, '\\$&')));
    }
  }
}

/**
 * Matches the start of an internal address, with the random folder of the document (engine/requests/job-document.ts), or without it
 * if the address starts at the root of the archive.
 */
const ownAddress = /^platen:\/\/job\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\/)?/;

/** Adds annotations to a page, and returns their references. Copies the list of annotations, because pages may share one list. */
export function addAnnotations(page: PDFPage, annotations: readonly PDFDict[]): readonly PDFRef[] {
  if (annotations.length === 0) return [];
  const { context } = page.doc;
  const present = page.node.Annots()?.asArray() ?? [];
  const added = annotations.map((annotation) => context.register(annotation));
  page.node.set(PDFName.of('Annots'), context.obj([...present, ...added]));
  return added;
}

// Destinations of links inside the document.

/** How the pages were printed. Chromium writes destinations as if the margins were 0 and the scale 1. */
export interface PrintedAt {
  readonly scale: number;
  /** The left and top margins of each printed page, in points. */
  readonly origins: readonly { readonly left: number; readonly top: number }[];
}

/**
 * Corrects the named destinations. Chromium writes the destinations of the outline correctly. Must run before pages are moved.
 */
export function correctDestinations(document: PDFDocument, { scale, origins }: PrintedAt): void {
  const destinations = document.catalog.lookupMaybe(PDFName.of('Dests'), PDFDict);
  const pages = new Map<PDFObject, { readonly height: number; readonly index: number }>(
    document.getPages().map((page, index) => [page.ref, { height: page.getHeight(), index }]),
  );
  for (const [name] of destinations?.entries() ?? []) {
    const destination = destinations?.lookup(name);
    if (!(destination instanceof PDFArray) || destination.get(1) !== PDFName.of('XYZ')) continue;
    const page = pages.get(destination.get(0));
    const origin = page && origins[page.index];
    if (page === undefined || origin === undefined) continue;
    const left = destination.get(2);
    const top = destination.get(3);
    if (left instanceof PDFNumber) destination.set(2, PDFNumber.of(origin.left + left.asNumber() * scale));
    if (top instanceof PDFNumber) {
      const fromTop = origin.top + (page.height - top.asNumber()) * scale;
      destination.set(3, PDFNumber.of(page.height - fromTop));
    }
  }
}
