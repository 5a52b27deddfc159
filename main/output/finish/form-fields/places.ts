/** Where controls came to lie on paper: takes the markers, which are links, off the pages. */
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
import type { FormField } from '../../../engine/form-field.ts';

export interface Placed<F extends FormField = FormField> {
  readonly field: F;
  readonly page: PDFPage;
  /** Of the marker, on the page's list; to be made the field's widget. */
  readonly ref: PDFRef;
  readonly rect: Rect;
  /** Points to a CSS pixel. */
  readonly scale: number;
}

/** Points. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type Marker = Pick<Placed, 'page' | 'ref' | 'rect'>;

/** The controls found, in their order, which becomes that of the tabulator key on each page. */
export function takeMarkers(document: PDFDocument, fields: readonly FormField[]): Placed[] {
  const markers = new Map<string, Marker>();
  const known = new Set(fields.map(({ marker }) => marker));
  for (const page of document.getPages()) {
    for (const [address, marker] of markersOn(page, known)) {
      const before = markers.get(address);
      // What is fixed is on every page, and what is higher than a page is on several; the same field is on one.
      if (before === undefined || areaOf(marker.rect) > areaOf(before.rect) + 1) markers.set(address, marker);
    }
  }
  return fields.flatMap((field) => {
    const marker = markers.get(field.marker);
    if (marker === undefined) return [];
    marker.page.node.addAnnot(marker.ref);
    return [place(field, marker)];
  });
}

/** Takes them off the page. */
function markersOn(page: PDFPage, known: ReadonlySet<string>): (readonly [string, Marker])[] {
  const { context } = page.doc;
  const annotations = page.node.Annots();
  const found: (readonly [string, Marker])[] = [];
  for (let index = (annotations?.size() ?? 0) - 1; index >= 0; index -= 1) {
    const entry = annotations?.get(index);
    const link = context.lookup(entry);
    if (!(link instanceof PDFDict)) continue;
    const address = addressOf(link);
    if (address === undefined || !known.has(address)) continue;
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

/** The marker lies on the padding box, the field on the border box. */
function place(field: FormField, { page, ref, rect }: Marker): Placed {
  const { width, height, border } = field.box;
  // Of the areas, so that a control that stands on its side has the same scale.
  const scale = Math.sqrt(areaOf(rect) / (width * height));
  const around = {
    x: rect.x - border.left * scale,
    y: rect.y - border.bottom * scale,
    width: rect.width + (border.left + border.right) * scale,
    height: rect.height + (border.top + border.bottom) * scale,
  };
  return { field, page, ref, rect: around, scale };
}
