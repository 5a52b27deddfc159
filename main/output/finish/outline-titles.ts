/** Corrects the titles of outline items: Chromium joins the lines of a heading without blanks. */
import { PDFDict, PDFHexString, PDFName, PDFString, type PDFDocument } from '@cantoo/pdf-lib';
import { itemsBelow } from './select/select-outline.ts';

/**
 * Gives the outline items the texts of the headings that differ from their titles in blanks only.
 * @param headings The texts of the page's headings, in document order.
 */
export function correctTitles(document: PDFDocument, headings: readonly string[]): void {
  const outline = document.catalog.lookupMaybe(PDFName.of('Outlines'), PDFDict);
  if (outline === undefined) return;
  const places = new Map<string, number[]>();
  headings.forEach((text, index) => {
    const key = withoutBlanks(text);
    places.set(key, [...(places.get(key) ?? []), index]);
  });
  for (const { dict } of itemsInOrder(outline)) {
    const title = dict.lookupMaybe(PDFName.of('Title'), PDFString, PDFHexString)?.decodeText() ?? '';
    const heading = places.get(withoutBlanks(title))?.shift();
    if (heading !== undefined)
      dict.set(PDFName.of('Title'), PDFHexString.fromText(headings[heading] ?? title));
  }
}

function* itemsInOrder(
  parent: PDFDict,
  visited = new Set<PDFDict>(),
): Generator<ReturnType<typeof itemsBelow>[number]> {
  for (const item of itemsBelow(parent, new Set())) {
    if (visited.has(item.dict)) continue;
    visited.add(item.dict);
    yield item;
    yield* itemsInOrder(item.dict, visited);
  }
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}
