/** The places of links on a page, and links taken along from another document. */
import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFString,
  type PDFDocument,
  type PDFPage,
} from '@cantoo/pdf-lib';
import { moveBox, movePoint, overlap, type Box, type Matrix } from '../../geometry.ts';
import { boxOf } from './page-frame.ts';

export interface Move {
  readonly matrix: Matrix;
  /** Nothing outside is shown; after the move. */
  readonly clip?: Box | undefined;
}

/** The annotations of a page, as dictionaries. */
export function annotationsOf({ node, doc }: PDFPage): PDFDict[] {
  return (node.Annots()?.asArray() ?? [])
    .map((annotation) => doc.context.lookup(annotation))
    .filter((annotation): annotation is PDFDict => annotation instanceof PDFDict);
}

/** Moves Rect and QuadPoints. False when nothing of the annotation is left inside the clip. */
export function moveAnnotation(annotation: PDFDict, { matrix, clip }: Move): boolean {
  const { context } = annotation;
  const rectangle = annotation.lookup(PDFName.of('Rect'));
  if (rectangle instanceof PDFArray && rectangle.size() === 4) {
    const moved = moveBox(matrix, boxOf(rectangle));
    const seen = clip === undefined ? moved : overlap(moved, clip);
    if (seen === undefined) return false;
    const { left, bottom, width, height } = seen;
    annotation.set(PDFName.of('Rect'), context.obj([left, bottom, left + width, bottom + height]));
  }
  const corners = annotation.lookup(PDFName.of('QuadPoints'));
  if (corners instanceof PDFArray)
    annotation.set(PDFName.of('QuadPoints'), context.obj(movedPoints(corners, matrix)));
  return true;
}

function movedPoints(points: PDFArray, matrix: Matrix): number[] {
  const numbers = points.asArray().map((number) => (number instanceof PDFNumber ? number.asNumber() : 0));
  return numbers.flatMap((x, index) => {
    const y = numbers[index + 1];
    return index % 2 === 1 || y === undefined ? [] : movePoint(matrix, x, y);
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

/** Addresses of the job's own document mean nothing outside of it: they become what the caller wrote, as well as can be. */
export function makeRelative(document: PDFDocument): void {
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

/** With the folder of the document's own (engine/job-document.ts), or from the top of its archive. */
const ownAddress = /^platen:\/\/job\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\/)?/;

/** The page gets a list of its own, for pages may share one. */
export function addAnnotations(page: PDFPage, annotations: readonly PDFDict[]): void {
  if (annotations.length === 0) return;
  const { context } = page.doc;
  const present = page.node.Annots()?.asArray() ?? [];
  const added = annotations.map((annotation) => context.register(annotation));
  page.node.set(PDFName.of('Annots'), context.obj([...present, ...added]));
}
