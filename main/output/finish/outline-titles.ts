/** Corrects the titles of outline items: Chromium joins the lines of a heading without blanks. */
import { PDFDict, PDFHexString, PDFName, PDFString, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';
import { itemsBelow, type OutlineItem } from './select/select-outline.ts';

/**
 * Gives the outline items the texts of the headings that differ from their titles in blanks only.
 * @param headings The texts of the page's headings, in document order.
 */
export function correctTitles(document: PDFDocument, headings: readonly string[]): void {
  const outline = document.catalog.lookupMaybe(PDFName.of('Outlines'), PDFDict);
  if (outline === undefined) return;
  /** By text without blanks: the headings, the next one last. */
  const headingsByKey = new Map<string, string[]>();
  for (const text of headings.toReversed()) {
    const key = withoutBlanks(text);
    const equal = headingsByKey.get(key);
    if (equal === undefined) headingsByKey.set(key, [text]);
    else equal.push(text);
  }
  for (const { dict } of itemsInOrder(outline)) {
    const title = dict.lookupMaybe(PDFName.of('Title'), PDFString, PDFHexString)?.decodeText() ?? '';
    const heading = headingsByKey.get(withoutBlanks(title))?.pop();
    if (heading !== undefined) dict.set(PDFName.of('Title'), PDFHexString.fromText(heading));
  }
}

function* itemsInOrder(parent: PDFDict, visited = new Set<PDFObject>()): Generator<OutlineItem> {
  for (const item of itemsBelow(parent, visited)) {
    yield item;
    yield* itemsInOrder(item.dict, visited);
  }
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}
