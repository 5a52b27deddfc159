/** Finds the printed positions of form controls. Each is marked by a link, which is removed from the page. */
import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFPage,
  PDFRef,
  PDFString,
} from '@cantoo/pdf-lib';
import type { FormField } from '../../../engine/page-scripts/controls/form-field.ts';

export interface PlacedField<F extends FormField = FormField> {
  readonly field: F;
  readonly page: PDFPage;
  /** The reference of the marker among the annotations of the page. The widget of the field reuses it. */
  readonly ref: PDFRef;
  readonly rect: Rect;
  /** Points per CSS pixel. */
  readonly scale: number;
}

/** A rectangle in points. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type MarkerPosition = Pick<PlacedField, 'page' | 'ref' | 'rect'>;

/** Returns the fields with a marker in document order, which becomes the tab order of each page. Removes the markers. */
export function takeMarkers(document: PDFDocument, fields: readonly FormField[]): PlacedField[] {
  const markers = new Map<string, MarkerPosition>();
  const knownMarkers = new Set(fields.map(({ marker }) => marker));
  for (const page of document.getPages()) {
    for (const [address, marker] of markersOn(page, knownMarkers)) {
      const before = markers.get(address);
      // A fixed control is printed on every page and a tall one on several, but a field can be on only one page: the one with the
      // largest part.
      if (before === undefined || areaOf(marker.rect) > areaOf(before.rect) + 1) markers.set(address, marker);
    }
  }
  return fields.flatMap((field) => {
    const marker = markers.get(field.marker);
    if (marker === undefined) return [];
    marker.page.node.addAnnot(marker.ref);
    return [toFieldPosition(field, marker)];
  });
}

/** Removes the markers from the page and returns them with their addresses. */
function markersOn(page: PDFPage, knownMarkers: ReadonlySet<string>): (readonly [string, MarkerPosition])[] {
  const { context } = page.doc;
  const annotations = page.node.Annots();
  const found: (readonly [string, MarkerPosition])[] = [];
  for (let index = (annotations?.size() ?? 0) - 1; index >= 0; index -= 1) {
    const entry = annotations?.get(index);
    const link = context.lookup(entry);
    if (!(link instanceof PDFDict)) continue;
    const address = addressOf(link);
    if (address === undefined || !knownMarkers.has(address)) continue;
    annotations?.remove(index);
    const ref = entry instanceof PDFRef ? entry : context.register(link);
    found.push([address, { page, ref, rect: link.lookup(PDFName.of('Rect'), PDFArray).asRectangle() }]);
  }
  return found;
}

function addressOf(link: PDFDict): string | undefined {
  const action = link.lookup(PDFName.of('A'));
  const address = action instanceof PDFDict ? action.lookup(PDFName.of('URI')) : undefined;
  const isText = address instanceof PDFString || address instanceof PDFHexString;
  return isText ? address.decodeText() : undefined;
}

function areaOf({ width, height }: Rect): number {
  return width * height;
}

/** Computes the position of a field: the marker covers the padding box, and the field covers the border box. */
function toFieldPosition(field: FormField, { page, ref, rect }: MarkerPosition): PlacedField {
  const { width, height, border } = field.box;
  // Compares areas, so that the scale is also correct for a control that is rotated by 90 degrees.
  const scale = Math.sqrt(areaOf(rect) / (width * height));
  const borderBox = {
    x: rect.x - border.left * scale,
    y: rect.y - border.bottom * scale,
    width: rect.width + (border.left + border.right) * scale,
    height: rect.height + (border.top + border.bottom) * scale,
  };
  return { field, page, ref, rect: borderBox, scale };
}
