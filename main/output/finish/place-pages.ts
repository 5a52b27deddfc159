/** Scales finished pages and lays them on their paper, with everything on them: content, links, places links lead to. */
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPage,
} from '@cantoo/pdf-lib';
import type { Placement } from '../print-plan.ts';

const pointsPerInch = 72;

/** The same bytes without a placement. */
export async function placePages(bytes: Buffer, placement: Placement | undefined): Promise<Buffer> {
  if (placement === undefined) return bytes;
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  for (const page of document.getPages()) {
    await placeContent(document, page, placement);
    moveLinks(page, placement);
  }
  for (const [, object] of document.context.enumerateIndirectObjects()) moveDestinations(object, placement);
  return Buffer.from(await document.save({ useObjectStreams: false, updateFieldAppearances: false }));
}

/**
 * The page's content becomes a form drawn on the page. Scaling it in place would leave gradients behind: patterns keep to the
 * space of the content stream they are used in (ISO 32000-1, 8.7.3.1), and a form's moves with it.
 */
async function placeContent(document: PDFDocument, page: PDFPage, placement: Placement): Promise<void> {
  const { factor, paper, left, bottom } = placement;
  if (page.node.Contents() !== undefined) {
    const form = await document.embedPage(page);
    await form.embed();
    page.node.set(PDFName.of('Contents'), document.context.obj([]));
    page.node.set(PDFName.of('Resources'), document.context.obj({ Font: {}, XObject: {}, ExtGState: {} }));
    const place = { x: left * pointsPerInch, y: bottom * pointsPerInch, xScale: factor, yScale: factor };
    page.drawPage(form, place);
  }
  page.setMediaBox(0, 0, paper.width * pointsPerInch, paper.height * pointsPerInch);
}

function moveLinks(page: PDFPage, placement: Placement): void {
  for (const annotation of page.node.Annots()?.asArray() ?? []) {
    const link = page.doc.context.lookup(annotation);
    if (!(link instanceof PDFDict)) continue;
    for (const key of ['Rect', 'QuadPoints']) {
      const corners = link.lookup(PDFName.of(key));
      if (corners instanceof PDFArray) movePoints(corners, 0, placement);
    }
  }
}

/** Destinations are arrays [page /XYZ left top zoom] (ISO 32000-1, 12.3.2.2), wherever they stand. */
function moveDestinations(object: PDFObject, placement: Placement): void {
  if (object instanceof PDFDict)
    object.values().forEach((value) => {
      moveDestinations(value, placement);
    });
  if (!(object instanceof PDFArray)) return;
  if (object.size() >= 4 && object.get(1) === PDFName.of('XYZ')) movePoints(object, 2, placement);
  else
    object.asArray().forEach((element) => {
      moveDestinations(element, placement);
    });
}

/** Moves the pairs of coordinates from an index on; the zoom at the end of a destination has no partner. */
function movePoints(array: PDFArray, from: number, { factor, left, bottom }: Omit<Placement, 'paper'>): void {
  for (let index = from; index + 1 < array.size(); index += 2) {
    move(array, index, (x) => x * factor + left * pointsPerInch);
    move(array, index + 1, (y) => y * factor + bottom * pointsPerInch);
  }
}

function move(array: PDFArray, index: number, to: (value: number) => number): void {
  const value = array.get(index);
  if (value instanceof PDFNumber) array.set(index, PDFNumber.of(to(value.asNumber())));
}
