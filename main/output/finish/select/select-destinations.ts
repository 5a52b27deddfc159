/** Removes destinations (ISO 32000-1, 12.3.2) on pages that are not selected, and the links to them. */
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

/** Returns the destination of a dictionary with a destination or an action, such as a link or an outline item. */
export type LeadsTo = (dict: PDFDict) => 'a kept page' | 'a gone page' | 'elsewhere' | 'nowhere';

/** Uses a copy of the current names, so later removals have no effect. */
export function followDestinations(document: PDFDocument, kept: ReadonlySet<PDFObject>): LeadsTo {
  const names = namedDestinations(document);
  const fate = (destination: PDFObject | undefined) =>
    kept.has(pageOf(document, destination, names) ?? document.catalog) ? 'a kept page' : 'a gone page';
  return (dict) => {
    const destination = dict.lookup(PDFName.of('Dest'));
    if (destination !== undefined) return fate(destination);
    const action = dict.lookupMaybe(PDFName.of('A'), PDFDict);
    if (action === undefined) return 'nowhere';
    return action.get(PDFName.of('S')) === PDFName.of('GoTo')
      ? fate(action.lookup(PDFName.of('D')))
      : 'elsewhere';
  };
}

/** Removes named destinations on other pages, and the open action if it leads to one. */
export function selectDestinations(document: PDFDocument, kept: ReadonlySet<PDFObject>): void {
  const { catalog, context } = document;
  const opening = catalog.lookup(PDFName.of('OpenAction'));
  const target = context.obj(opening instanceof PDFDict ? { A: opening } : { Dest: opening });
  if (followDestinations(document, kept)(target) === 'a gone page') catalog.delete(PDFName.of('OpenAction'));
  const stays = (value: PDFObject) => kept.has(pageOf(document, value, new Map()) ?? catalog);
  const dictionary = catalog.lookupMaybe(PDFName.of('Dests'), PDFDict);
  for (const [name, value] of dictionary?.entries() ?? []) if (!stays(value)) dictionary?.delete(name);
  if (dictionary?.keys().length === 0) catalog.delete(PDFName.of('Dests'));
  const tree = catalog.Names()?.lookupMaybe(PDFName.of('Dests'), PDFDict);
  if (tree !== undefined && !filterTree(tree, 'Names', ([, value]) => stays(value)))
    catalog.Names()?.delete(PDFName.of('Dests'));
}

/** Removes and returns the links of a page that lead to removed pages. */
export function selectLinks(page: PDFPage, leadsTo: LeadsTo): PDFObject[] {
  const annotations = page.node.Annots()?.asArray() ?? [];
  const gone = annotations.filter((annotation) => {
    const dict = page.doc.context.lookup(annotation);
    const isLink = dict instanceof PDFDict && dict.get(PDFName.of('Subtype')) === PDFName.of('Link');
    return isLink && leadsTo(dict) === 'a gone page';
  });
  const stay = annotations.filter((annotation) => !gone.includes(annotation));
  if (stay.length === 0) page.node.delete(PDFName.of('Annots'));
  else if (gone.length > 0) page.node.set(PDFName.of('Annots'), page.doc.context.obj(stay));
  return gone;
}

/** Destinations have PDF names in the dictionary of the catalogue and strings in the name tree (12.3.2.3). */
function namedDestinations({ catalog }: PDFDocument): Map<string, PDFObject> {
  const dictionary = catalog.lookupMaybe(PDFName.of('Dests'), PDFDict)?.entries() ?? [];
  const tree = catalog.Names()?.lookupMaybe(PDFName.of('Dests'), PDFDict);
  const pairs = [...dictionary, ...(tree === undefined ? [] : treePairs(tree, 'Names'))];
  return new Map(pairs.map(([key, value]) => [keyOf(key) ?? '', value]));
}

/** Returns the page of a destination, which is an array, a dictionary with an array, or the name of either. */
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
