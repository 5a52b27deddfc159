/** Removes the outline items (ISO 32000-1, 12.3.3) that lead to removed pages. */
import { PDFDict, PDFName, PDFNumber, PDFRef, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';
import type { TargetOf } from './select-destinations.ts';

interface OutlineSelection {
  readonly targetOf: TargetOf;
  readonly isKeptElement: (element: PDFObject) => boolean;
}

export interface OutlineItem {
  readonly ref: PDFRef;
  readonly dict: PDFDict;
}

const targetKeys = ['Dest', 'A', 'SE'].map((key) => PDFName.of(key));

/**
 * Removes outline items. An item whose page is removed stays if a child remains, and gets the destination of the first such child.
 */
export function selectOutline(document: PDFDocument, selection: OutlineSelection): void {
  const { catalog } = document;
  const ref = catalog.get(PDFName.of('Outlines'));
  const dict = catalog.lookupMaybe(PDFName.of('Outlines'), PDFDict);
  if (!(ref instanceof PDFRef) || dict === undefined) return;
  const items = selectItems(dict, selection, new Set([ref]));
  linkItems({ ref, dict }, items);
  if (items.length > 0) return;
  catalog.delete(PDFName.of('Outlines'));
  if (catalog.get(PDFName.of('PageMode')) === PDFName.of('UseOutlines'))
    catalog.delete(PDFName.of('PageMode'));
}

/** Rebuilds the references between all outline items, because Chromium 130 sets items as their own parents. */
export function relinkOutline(document: PDFDocument): void {
  selectOutline(document, { targetOf: () => 'kept page', isKeptElement: () => true });
}

/** Returns the remaining children of an item. Also links the children of each child with each other. */
function selectItems(parent: PDFDict, selection: OutlineSelection, visited: Set<PDFObject>): OutlineItem[] {
  return itemsBelow(parent, visited).filter((item) => {
    const below = selectItems(item.dict, selection, visited);
    const hadItems = item.dict.has(PDFName.of('First'));
    linkItems(item, below);
    const target = selection.targetOf(item.dict);
    const element = item.dict.get(PDFName.of('SE'));
    if (element !== undefined && !selection.isKeptElement(element)) item.dict.delete(PDFName.of('SE'));
    if (target === 'removed page' && below[0] !== undefined) copyTarget(below[0].dict, item.dict);
    return below.length > 0 || (target === 'none' ? !hadItems : target !== 'removed page');
  });
}

/** Returns the children of an item. Stops at items in `visited`, because a damaged outline may be circular. */
export function itemsBelow(parent: PDFDict, visited: Set<PDFObject>): OutlineItem[] {
  const items: OutlineItem[] = [];
  let ref = parent.get(PDFName.of('First'));
  while (ref instanceof PDFRef && !visited.has(ref)) {
    visited.add(ref);
    const dict = parent.context.lookup(ref);
    if (!(dict instanceof PDFDict)) break;
    items.push({ ref, dict });
    ref = dict.get(PDFName.of('Next'));
  }
  return items;
}

/** Sets the references between the items and their parent, and the count of the parent. */
function linkItems(parent: OutlineItem, items: readonly OutlineItem[]): void {
  items.forEach((item, index) => {
    setOrDelete(item.dict, 'Parent', parent.ref);
    setOrDelete(item.dict, 'Prev', items[index - 1]?.ref);
    setOrDelete(item.dict, 'Next', items[index + 1]?.ref);
  });
  setOrDelete(parent.dict, 'First', items[0]?.ref);
  setOrDelete(parent.dict, 'Last', items.at(-1)?.ref);
  const count = items.reduce((sum, { dict }) => sum + 1 + Math.max(0, countOf(dict)), 0);
  const isOpen = countOf(parent.dict) > 0;
  setOrDelete(parent.dict, 'Count', count === 0 ? undefined : PDFNumber.of(isOpen ? count : -count));
}

/**
 * Returns the count of an item: the number of visible descendants if it is open; a negative number if it is closed; 0 if absent.
 */
function countOf(dict: PDFDict): number {
  return dict.lookupMaybe(PDFName.of('Count'), PDFNumber)?.asNumber() ?? 0;
}

function copyTarget(from: PDFDict, to: PDFDict): void {
  for (const key of targetKeys) setOrDelete(to, key.decodeText(), from.get(key));
}

function setOrDelete(dict: PDFDict, key: string, value: PDFObject | undefined): void {
  if (value === undefined) dict.delete(PDFName.of(key));
  else dict.set(PDFName.of(key), value);
}
