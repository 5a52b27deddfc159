/** Removes destinations (ISO 32000-1, 12.3.2) on pages that are not kept, and the links to these destinations. */
import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFRef,
  PDFString,
  type PDFDocument,
  type PDFObject,
  type PDFPage,
} from '@cantoo/pdf-lib';
import { filterTree, treePairs } from './pdf-tree.ts';

/** Returns where a dictionary with a destination or an action leads, such as a link or an outline item. */
export type TargetOf = (dict: PDFDict) => 'kept page' | 'removed page' | 'outside' | 'none';

/** Returns a `TargetOf` function. It uses a copy of the current named destinations, so removing them later has no effect. */
export function followDestinations(document: PDFDocument, kept: ReadonlySet<PDFObject>): TargetOf {
  const names = namedDestinations(document);
  const destinationState = (destination: PDFObject | undefined) =>
    kept.has(pageOf(document, destination, names) ?? document.catalog) ? 'kept page' : 'removed page';
  return (dict) => {
    const destination = dict.lookup(PDFName.of('Dest'));
    if (destination !== undefined) return destinationState(destination);
    const action = dict.lookupMaybe(PDFName.of('A'), PDFDict);
    if (action === undefined) return 'none';
    return action.get(PDFName.of('S')) === PDFName.of('GoTo')
      ? destinationState(action.lookup(PDFName.of('D')))
      : 'outside';
  };
}

/** Removes the named destinations on pages that are not kept, and the open action if it leads to such a page. */
export function selectDestinations(document: PDFDocument, kept: ReadonlySet<PDFObject>): void {
  const { catalog, context } = document;
  const opening = catalog.lookup(PDFName.of('OpenAction'));
  const target = context.obj(opening instanceof PDFDict ? { A: opening } : { Dest: opening });
  if (followDestinations(document, kept)(target) === 'removed page') catalog.delete(PDFName.of('OpenAction'));
  filterDestinations(document, (_, value) => kept.has(pageOf(document, value, new Map()) ?? catalog));
}

/** Removes the named destinations for which `isKept` returns false. */
export function filterDestinations(
  { catalog }: PDFDocument,
  isKept: (name: string, value: PDFObject) => boolean,
): void {
  const isKeptPair = ([key, value]: readonly [PDFObject, PDFObject]) =>
    isKept(keyOf(key)?.replace(/^\//, '') ?? '', value);
  const dictionary = catalog.lookupMaybe(PDFName.of('Dests'), PDFDict);
  for (const pair of dictionary?.entries() ?? []) if (!isKeptPair(pair)) dictionary?.delete(pair[0]);
  if (dictionary?.keys().length === 0) catalog.delete(PDFName.of('Dests'));
  const tree = catalog.Names()?.lookupMaybe(PDFName.of('Dests'), PDFDict);
  if (tree !== undefined && !filterTree(tree, 'Names', isKeptPair))
    catalog.Names()?.delete(PDFName.of('Dests'));
}

/** Removes and returns the links of a page that lead to removed pages. */
export function selectLinks(page: PDFPage, targetOf: TargetOf): PDFObject[] {
  const annotations = page.node.Annots()?.asArray() ?? [];
  const removed = annotations.filter((annotation) => {
    const dict = page.doc.context.lookup(annotation);
    const isLink = dict instanceof PDFDict && dict.get(PDFName.of('Subtype')) === PDFName.of('Link');
    return isLink && targetOf(dict) === 'removed page';
  });
  const removedSet = new Set(removed);
  const kept = annotations.filter((annotation) => !removedSet.has(annotation));
  if (kept.length === 0) page.node.delete(PDFName.of('Annots'));
  else if (removed.length > 0) page.node.set(PDFName.of('Annots'), page.doc.context.obj(kept));
  return removed;
}

/**
 * Returns the named destinations. Their keys are PDF names in the catalogue's dictionary and strings in the name tree (12.3.2.3).
 */
export function namedDestinations({ catalog }: PDFDocument): Map<string, PDFObject> {
  const dictionary = catalog.lookupMaybe(PDFName.of('Dests'), PDFDict)?.entries() ?? [];
  const tree = catalog.Names()?.lookupMaybe(PDFName.of('Dests'), PDFDict);
  const pairs = [...dictionary, ...(tree === undefined ? [] : treePairs(tree, 'Names'))];
  return new Map(pairs.map(([key, value]) => [keyOf(key) ?? '', value]));
}

/** Returns the page of a destination, which is an array, a dictionary with an array, or the name of one of these. */
function pageOf(
  document: PDFDocument,
  destination: PDFObject | undefined,
  names: ReadonlyMap<string, PDFObject>,
): PDFObject | undefined {
  const found = document.context.lookup(destination);
  const key = keyOf(found);
  const place = (key === undefined ? undefined : document.context.lookup(names.get(key))) ?? found;
  const array = place instanceof PDFDict ? place.lookup(PDFName.of('D')) : place;
  const page = array instanceof PDFArray && array.size() > 0 ? array.get(0) : undefined;
  return page instanceof PDFRef ? page : undefined;
}

function keyOf(name: PDFObject | undefined): string | undefined {
  if (name instanceof PDFName) return `/${Buffer.from(name.asBytes()).toString('latin1')}`;
  const isText = name instanceof PDFString || name instanceof PDFHexString;
  return isText ? Buffer.from(name.asBytes()).toString('latin1') : undefined;
}
