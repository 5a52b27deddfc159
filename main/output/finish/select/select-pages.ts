/** Removes pages from a document, with the outline items, links, labels and structure elements that refer to them. */
import {
  PDFDict,
  PDFName,
  PDFNumber,
  PDFPageTree,
  PDFArray,
  PDFNull,
  PDFHexString,
  PDFString,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { followDestinations, selectDestinations, selectLinks, type TargetOf } from './select-destinations.ts';
import { selectOutline } from './select-outline.ts';
import { treePairs, filterTree } from './pdf-tree.ts';

/**
 * Removes all pages except those with the given indices, which count from 0 and ascend. Other objects of the removed pages, such as
 * their contents, stay in the document until `prune`.
 *
 * @throws RangeError if an index has no page, or if `indices` is empty
 */
export function selectPages(document: PDFDocument, indices: readonly number[]): void {
  const pages = document.getPages();
  const selected = indices.map((index) => pages[index]).filter((page) => page !== undefined);
  if (selected.length < indices.length || selected.length === 0)
    throw new RangeError(
      `The document has ${pages.length} pages; these indices are not valid: ${indices.join(', ')}.`,
    );
  if (selected.length === pages.length) return;
  const kept = new Set<PDFObject>(selected.map((page) => page.ref));
  const targetOf = followDestinations(document, kept);
  const removed = removedObjects(document, kept, targetOf);
  selectDestinations(document, kept);
  const isKeptElement = selectStructure(document, removed);
  selectOutline(document, { targetOf, isKeptElement });
  selectLabels(document, indices);
  selectLeaves(document.catalog.Pages(), kept);
  for (const { ref } of pages) if (!kept.has(ref)) document.context.delete(ref);
  clearPageCache(document);
}

/**
 * Returns the pages that are not kept, their annotations, and the links to these pages on other pages. Removes these links from the
 * other pages.
 */
function removedObjects(
  document: PDFDocument,
  kept: ReadonlySet<PDFObject>,
  targetOf: TargetOf,
): RemovedObjects {
  const pages = document.getPages();
  const others = pages.filter((page) => !kept.has(page.ref));
  const annotations = pages.flatMap((page) =>
    kept.has(page.ref) ? selectLinks(page, targetOf) : (page.node.Annots()?.asArray() ?? []),
  );
  const owners = [...others.map((page) => page.ref), ...annotations];
  const parentKeys = owners.flatMap((owner) => parentKeysOf(document, owner));
  return {
    pages: new Set(others.map((page) => page.ref)),
    annotations: new Set(annotations),
    parentKeys: new Set(parentKeys),
  };
}

/**
 * Returns the keys of a page or annotation in the parent tree (14.7.4.4). `StructParents` of a page is the key of a list,
 * `StructParent` of an annotation that of a single element.
 */
function parentKeysOf(document: PDFDocument, owner: PDFObject): number[] {
  const dict = document.context.lookup(owner);
  if (!(dict instanceof PDFDict)) return [];
  return ['StructParents', 'StructParent'].flatMap((name) => {
    const key = dict.lookup(PDFName.of(name));
    return key instanceof PDFNumber ? [key.asNumber()] : [];
  });
}

/**
 * Removes the pages that are not kept below a node of the page tree. Returns the number of remaining pages. Keeps the nodes above
 * remaining pages, because pages inherit attributes from these nodes (7.7.3.4).
 */
function selectLeaves(node: PDFPageTree, kept: ReadonlySet<PDFObject>): number {
  const { context } = node;
  let count = 0;
  const kids = node
    .Kids()
    .asArray()
    .filter((kid) => {
      const below = context.lookup(kid);
      const leaves = below instanceof PDFPageTree ? selectLeaves(below, kept) : Number(kept.has(kid));
      count += leaves;
      return leaves > 0;
    });
  node.set(PDFName.of('Kids'), context.obj(kids));
  node.set(PDFName.of('Count'), PDFNumber.of(count));
  return count;
}

/**
 * Clears pdf-lib's cache of the pages. pdf-lib's `removePage` also does this, but lists all pages again on each call, which takes
 * quadratic time.
 */
function clearPageCache(document: PDFDocument): void {
  const cache = document as unknown as { pageCount: number | undefined; pageCache: { invalidate(): void } };
  cache.pageCount = undefined;
  cache.pageCache.invalidate();
}

// Keeps the label of each page (ISO 32000-1, 12.4.2). A label defines the numbering of a range of pages.

interface Range {
  readonly first: number;
  readonly label: PDFDict;
}

function selectLabels(document: PDFDocument, indices: readonly number[]): void {
  const tree = document.catalog.lookupMaybe(PDFName.of('PageLabels'), PDFDict);
  if (tree === undefined) return;
  const ranges = rangesIn(tree);
  const pairs = indices.flatMap((index, place) => {
    const range = ranges.findLast(({ first }) => first <= index);
    const before = indices[place - 1];
    const isContinued = before === index - 1 && range !== undefined && before >= range.first;
    if (isContinued) return [];
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

/** Returns a copy of the label of a range that starts with the number of the page at `index`. */
function labelAt({ first, label }: Range, index: number): PDFDict {
  const start = label.lookupMaybe(PDFName.of('St'), PDFNumber)?.asNumber() ?? 1;
  const shifted = label.clone();
  if (index > first) shifted.set(PDFName.of('St'), PDFNumber.of(start + index - first));
  return shifted;
}

// Keeps the structure elements (ISO 32000-1, 14.7) with content on the selected pages.

interface RemovedObjects {
  readonly pages: ReadonlySet<PDFObject>;
  readonly annotations: ReadonlySet<PDFObject>;
  /** Keys of the removed pages and annotations in the parent tree. */
  readonly parentKeys: ReadonlySet<number>;
}

type KidState = 'kept' | 'removed' | 'empty';

interface TreeWalk {
  readonly removed: RemovedObjects;
  readonly states: Map<PDFDict, KidState>;
}

/** Removes structure elements without remaining content. The returned function returns whether an element is kept. */
function selectStructure(document: PDFDocument, removed: RemovedObjects): (element: PDFObject) => boolean {
  const { catalog, context } = document;
  const root = catalog.lookupMaybe(PDFName.of('StructTreeRoot'), PDFDict);
  if (root === undefined) return () => false;
  selectKids(root, { removed, states: new Map() });
  const elements = elementsBelow(root);
  const isKept = (element: PDFObject) => {
    const dict = context.lookup(element);
    return dict instanceof PDFDict && elements.has(dict);
  };
  selectParents(root, removed, isKept);
  const ids = root.lookupMaybe(PDFName.of('IDTree'), PDFDict);
  if (ids !== undefined && !filterTree(ids, 'Names', ([, element]) => isKept(element)))
    root.delete(PDFName.of('IDTree'));
  selectHeaders(elements);
  return isKept;
}

/** Removes the children of an element that are on removed pages or empty. Returns the resulting state of the element. */
function selectKids(element: PDFDict, walk: TreeWalk): KidState {
  const kids = kidsOf(element);
  const states = kids.map((kid) => kidState(kid, element, walk));
  if (!states.includes('kept') && kids.length > 0) {
    if (isRoot(element)) element.delete(PDFName.of('K'));
    return states.includes('removed') ? 'removed' : 'empty';
  }
  if (kids.length === 0) return 'empty';
  if (!states.includes('removed')) return 'kept';
  const keptKids = kids.filter((_, index) => states[index] === 'kept');
  element.set(PDFName.of('K'), element.context.obj(keptKids));
  convertLinkToSpan(element, kids, keptKids);
  return 'kept';
}

function kidState(kid: PDFObject, parent: PDFDict, walk: TreeWalk): KidState {
  const { removed, states } = walk;
  const dict = kid instanceof PDFNumber ? parent : parent.context.lookup(kid);
  if (!(dict instanceof PDFDict)) return 'removed';
  const page = dict.get(PDFName.of('Pg')) ?? parent.get(PDFName.of('Pg'));
  const isOnRemovedPage = page !== undefined && removed.pages.has(page);
  if (kid instanceof PDFNumber || isType(dict, 'MCR')) return isOnRemovedPage ? 'removed' : 'kept';
  if (isType(dict, 'OBJR')) {
    const object = dict.get(PDFName.of('Obj'));
    return isOnRemovedPage || (object !== undefined && removed.annotations.has(object)) ? 'removed' : 'kept';
  }
  const cached = states.get(dict);
  if (cached !== undefined) return cached;
  // Prevents endless recursion if a damaged element is its own descendant.
  states.set(dict, 'removed');
  const state = selectKids(dict, walk);
  states.set(dict, state);
  if (removed.pages.has(dict.get(PDFName.of('Pg')) ?? dict)) dict.delete(PDFName.of('Pg'));
  return state;
}

/** Turns a link element into a span if its annotation was removed. */
function convertLinkToSpan(
  element: PDFDict,
  before: readonly PDFObject[],
  after: readonly PDFObject[],
): void {
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

/**
 * Removes the entries of removed pages, annotations and elements from the parent tree. In a list, entries become null instead,
 * because elements are found by index.
 */
function selectParents(
  root: PDFDict,
  removed: RemovedObjects,
  isKept: (element: PDFObject) => boolean,
): void {
  const tree = root.lookupMaybe(PDFName.of('ParentTree'), PDFDict);
  if (tree === undefined) return;
  filterTree(tree, 'Nums', ([key, value]) => {
    if (key instanceof PDFNumber && removed.parentKeys.has(key.asNumber())) return false;
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

/** Removes the references of table cells to removed header cells. Cells refer to their header cells by ID (14.8.5.7). */
function selectHeaders(elements: ReadonlySet<PDFDict>): void {
  const ids = new Set([...elements].map((element) => textOf(element.lookup(PDFName.of('ID')))));
  for (const element of elements)
    for (const attributes of attributesOf(element)) {
      const headers = attributes.lookupMaybe(PDFName.of('Headers'), PDFArray);
      const keptHeaders =
        headers?.asArray().filter((id) => ids.has(textOf(element.context.lookup(id)))) ?? [];
      if (headers === undefined || keptHeaders.length === headers.size()) continue;
      if (keptHeaders.length === 0) attributes.delete(PDFName.of('Headers'));
      else attributes.set(PDFName.of('Headers'), element.context.obj(keptHeaders));
    }
}

function attributesOf(element: PDFDict): PDFDict[] {
  const attributes = element.lookup(PDFName.of('A'));
  const list = attributes instanceof PDFArray ? attributes.asArray() : [attributes];
  return list.map((entry) => element.context.lookup(entry)).filter((entry) => entry instanceof PDFDict);
}

function textOf(id: PDFObject | undefined): string | undefined {
  const isText = id instanceof PDFString || id instanceof PDFHexString;
  return isText ? Buffer.from(id.asBytes()).toString('latin1') : undefined;
}
