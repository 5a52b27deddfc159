/** Corrects the places that links inside a document lead to. */
import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';

/** How a page was printed: Chromium gives the places as if it were without margins and at scale 1. */
export interface PrintedAt {
  readonly scale: number;
  /** The margins of each printed page, in points from its upper left corner. */
  readonly origins: readonly { readonly left: number; readonly top: number }[];
}

/** For pages as Chromium prints them, before they are moved. Bookmarks are right already: only named places are not. */
export function correctPlaces(document: PDFDocument, { scale, origins }: PrintedAt): void {
  const places = document.catalog.lookupMaybe(PDFName.of('Dests'), PDFDict);
  const pages = new Map<PDFObject, { readonly height: number; readonly index: number }>(
    document.getPages().map((page, index) => [page.ref, { height: page.getHeight(), index }]),
  );
  for (const [name] of places?.entries() ?? []) {
    const place = places?.lookup(name);
    if (!(place instanceof PDFArray) || place.get(1) !== PDFName.of('XYZ')) continue;
    const page = pages.get(place.get(0));
    const origin = page && origins[page.index];
    if (page === undefined || origin === undefined) continue;
    const [left, top] = [place.get(2), place.get(3)];
    if (left instanceof PDFNumber) place.set(2, PDFNumber.of(origin.left + left.asNumber() * scale));
    if (top instanceof PDFNumber) {
      const fromTop = origin.top + (page.height - top.asNumber()) * scale;
      place.set(3, PDFNumber.of(page.height - fromTop));
    }
  }
}
