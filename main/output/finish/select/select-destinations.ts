/** The places a selection of pages leaves to lead to (ISO 32000-1, 12.3.2): named ones, and who leads to a place that is gone. */
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

/** Where a dictionary leads that has a destination or an action: a link, an item of the outline. */
export type LeadsTo = (dict: PDFDict) => 'a kept page' | 'a gone page' | 'elsewhere' | 'nowhere';

/** Answers from the names as they stand now, whatever is removed later. */
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

/** Takes away the names of places on other pages, and what the document opens with when it is on one. */
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

/** Takes away the links of a page that lead to another which is gone. Returns them. */
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

/** Names in the catalogue's dictionary are names, those in its tree are strings (12.3.2.3). */
function namedDestinations({ catalog }: PDFDocument): Map<string, PDFObject> {
  const dictionary = catalog.lookupMaybe(PDFName.of('Dests'), PDFDict)?.entries() ?? [];
  const tree = catalog.Names()?.lookupMaybe(PDFName.of('Dests'), PDFDict);
  const pairs = [...dictionary, ...(tree === undefined ? [] : treePairs(tree, 'Names'))];
  return new Map(pairs.map(([key, value]) => [keyOf(key) ?? '', value]));
}

/** The page a destination lies on: an array, a dictionary around one, or the name of either. */
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
