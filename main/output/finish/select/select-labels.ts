/** Lets each page keep its label (ISO 32000-1, 12.4.2), which says how a range of pages counts from its first page on. */
import { PDFDict, PDFName, PDFNumber, type PDFDocument } from '@cantoo/pdf-lib';
import { treePairs } from './pdf-tree.ts';

interface Range {
  readonly first: number;
  readonly label: PDFDict;
}

export function selectLabels(document: PDFDocument, indices: readonly number[]): void {
  const tree = document.catalog.lookupMaybe(PDFName.of('PageLabels'), PDFDict);
  if (tree === undefined) return;
  const ranges = rangesIn(tree);
  const pairs = indices.flatMap((index, place) => {
    const range = ranges.findLast(({ first }) => first <= index);
    const before = indices[place - 1];
    const goesOn = before === index - 1 && range !== undefined && before >= range.first;
    if (goesOn) return [];
    return [PDFNumber.of(place), range === undefined ? document.context.obj({}) : labelAt(range, index)];
  });
  document.catalog.set(PDFName.of('PageLabels'), document.context.obj({ Nums: pairs }));
}

function rangesIn(tree: PDFDict): Range[] {
  return treePairs(tree, 'Nums').flatMap(([first, value]) => {
    const label = tree.context.lookup(value);
    return first instanceof PDFNumber && label instanceof PDFDict ? [{ first: first.asNumber(), label }] : [];
  });
}

/** The range's label, beginning with the number that page has in it. */
function labelAt({ first, label }: Range, index: number): PDFDict {
  const start = label.lookupMaybe(PDFName.of('St'), PDFNumber)?.asNumber() ?? 1;
  const moved = label.clone();
  if (index > first) moved.set(PDFName.of('St'), PDFNumber.of(start + index - first));
  return moved;
}
