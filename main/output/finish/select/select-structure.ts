/** Leaves the elements of a tagged document that have content on the pages left (ISO 32000-1, 14.7). */
import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { filterTree } from './pdf-tree.ts';
import { selectHeaders } from './select-headers.ts';

export interface Gone {
  readonly pages: ReadonlySet<PDFObject>;
  readonly annotations: ReadonlySet<PDFObject>;
  /** Where the parent tree has the parents of what those pages and annotations hold. */
  readonly parentKeys: ReadonlySet<number>;
}

type Fate = 'stays' | 'goes' | 'empty';

interface Walk {
  readonly gone: Gone;
  readonly fates: Map<PDFDict, Fate>;
}

/** Tells which elements are left. */
export function selectStructure(document: PDFDocument, gone: Gone): (element: PDFObject) => boolean {
  const { catalog, context } = document;
  const root = catalog.lookupMaybe(PDFName.of('StructTreeRoot'), PDFDict);
  if (root === undefined) return () => false;
  selectKids(root, { gone, fates: new Map() });
  const elements = elementsBelow(root);
  const isKept = (element: PDFObject) => {
    const dict = context.lookup(element);
    return dict instanceof PDFDict && elements.has(dict);
  };
  selectParents(root, gone, isKept);
  const ids = root.lookupMaybe(PDFName.of('IDTree'), PDFDict);
  if (ids !== undefined && !filterTree(ids, 'Names', ([, element]) => isKept(element)))
    root.delete(PDFName.of('IDTree'));
  selectHeaders(elements);
  return isKept;
}

/** Takes away the kids that go, and with them those that never had content. */
function selectKids(element: PDFDict, walk: Walk): Fate {
  const kids = kidsOf(element);
  const fates = kids.map((kid) => fateOf(kid, element, walk));
  if (!fates.includes('stays') && kids.length > 0) {
    if (isRoot(element)) element.delete(PDFName.of('K'));
    return fates.includes('goes') ? 'goes' : 'empty';
  }
  if (kids.length === 0) return 'empty';
  if (!fates.includes('goes')) return 'stays';
  const stay = kids.filter((_, index) => fates[index] === 'stays');
  element.set(PDFName.of('K'), element.context.obj(stay));
  unlink(element, kids, stay);
  return 'stays';
}

function fateOf(kid: PDFObject, parent: PDFDict, walk: Walk): Fate {
  const { gone, fates } = walk;
  const dict = kid instanceof PDFNumber ? parent : parent.context.lookup(kid);
  if (!(dict instanceof PDFDict)) return 'goes';
  const page = dict.get(PDFName.of('Pg')) ?? parent.get(PDFName.of('Pg'));
  const isOnGone = page !== undefined && gone.pages.has(page);
  if (kid instanceof PDFNumber || isType(dict, 'MCR')) return isOnGone ? 'goes' : 'stays';
  if (isType(dict, 'OBJR')) {
    const object = dict.get(PDFName.of('Obj'));
    return isOnGone || (object !== undefined && gone.annotations.has(object)) ? 'goes' : 'stays';
  }
  const known = fates.get(dict);
  if (known !== undefined) return known;
  // An element below itself would never end.
  fates.set(dict, 'goes');
  const fate = selectKids(dict, walk);
  fates.set(dict, fate);
  if (gone.pages.has(dict.get(PDFName.of('Pg')) ?? dict)) dict.delete(PDFName.of('Pg'));
  return fate;
}

/** A link element that has lost its annotation is a span of text. */
function unlink(element: PDFDict, before: readonly PDFObject[], after: readonly PDFObject[]): void {
  const isAnnotation = (kid: PDFObject) => {
    const dict = element.context.lookup(kid);
    return dict instanceof PDFDict && isType(dict, 'OBJR');
  };
  if (structureType(element) !== 'Link' || !before.some(isAnnotation) || after.some(isAnnotation)) return;
  element.set(PDFName.of('S'), PDFName.of('Span'));
}

function elementsBelow(element: PDFDict, elements = new Set<PDFDict>()): Set<PDFDict> {
  for (const kid of kidsOf(element)) {
    const dict = element.context.lookup(kid);
    if (!(dict instanceof PDFDict) || elements.has(dict) || isType(dict, 'MCR') || isType(dict, 'OBJR'))
      continue;
    elements.add(dict);
    elementsBelow(dict, elements);
  }
  return elements;
}

/** The parent tree gives a page's marked content its elements by number, so a place in a list stays, though it is empty. */
function selectParents(root: PDFDict, gone: Gone, isKept: (element: PDFObject) => boolean): void {
  const tree = root.lookupMaybe(PDFName.of('ParentTree'), PDFDict);
  if (tree === undefined) return;
  filterTree(tree, 'Nums', ([key, value]) => {
    if (key instanceof PDFNumber && gone.parentKeys.has(key.asNumber())) return false;
    const parents = root.context.lookup(value);
    if (!(parents instanceof PDFArray)) return isKept(value);
    parents.asArray().forEach((parent, index) => {
      if (parent !== PDFNull && !isKept(parent)) parents.set(index, PDFNull);
    });
    return true;
  });
}

function kidsOf(element: PDFDict): PDFObject[] {
  const kids = element.get(PDFName.of('K'));
  const found = element.context.lookup(kids);
  if (found instanceof PDFArray) return found.asArray();
  return kids === undefined ? [] : [kids];
}

function isRoot(element: PDFDict): boolean {
  return isType(element, 'StructTreeRoot');
}

function isType(dict: PDFDict, type: string): boolean {
  return dict.get(PDFName.of('Type')) === PDFName.of(type);
}

function structureType(element: PDFDict): string | undefined {
  const type = element.get(PDFName.of('S'));
  return type instanceof PDFName ? type.decodeText() : undefined;
}
