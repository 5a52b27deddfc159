/**
 * Prepares a document to be merged with others: what is unique in one document only (ISO 32000-1: names of destinations and attached
 * files, ids of structure elements, numbers of the parent tree) becomes unique in all.
 */
import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFStream,
  PDFString,
  type PDFDocument,
  type PDFObject,
  type PDFRef,
} from '@cantoo/pdf-lib';
import { dictsIn } from '../finish/pdf-document.ts';
import { elementsBelow } from '../finish/reproducible.ts';
import { createNameTree, treePairs } from '../finish/select/pdf-tree.ts';

/** The parts of a document that become parts of a tree of the merged document. Each is a leaf, or absent if it would be empty. */
export interface SeparatedNames {
  /** Leaves of the name trees `Dests` and `EmbeddedFiles`. */
  readonly destinations?: PDFRef | undefined;
  readonly attachments?: PDFRef | undefined;
  /** A leaf of the name tree `IDTree`. */
  readonly ids?: PDFRef | undefined;
  /** A leaf of the number tree `ParentTree`. */
  readonly parents?: PDFRef | undefined;
  /** The first number that is free in the parent tree after this document. */
  readonly nextParent: number;
}

export interface Separation {
  /** Sorts like the position of the document, and differs from those of the others. */
  readonly prefix: string;
  /** The first number for the parent tree. */
  readonly firstParent: number;
}

export function separateNames(document: PDFDocument, separation: Separation): SeparatedNames {
  const { catalog } = document;
  const { prefix } = separation;
  const root = catalog.lookup(PDFName.of('StructTreeRoot'));
  const tree = root instanceof PDFDict ? root : undefined;
  const destinations = nameLeaf(document, prefix, [
    ...dictPairs(catalog.lookup(PDFName.of('Dests'))),
    ...pairsOf(catalog.Names()?.lookup(PDFName.of('Dests')), 'Names'),
  ]);
  const attachments = nameLeaf(document, prefix, [
    ...pairsOf(catalog.Names()?.lookup(PDFName.of('EmbeddedFiles')), 'Names'),
  ]);
  const ids = tree && nameLeaf(document, prefix, pairsOf(tree.lookup(PDFName.of('IDTree')), 'Names'));
  if (tree !== undefined) renameElements(tree, prefix);
  const parents = tree && pairsOf(tree.lookup(PDFName.of('ParentTree')), 'Nums');
  forEachDict(document, (dict) => {
    renameTargets(dict, prefix);
    for (const key of ['StructParent', 'StructParents'])
      shiftNumber(dict, key, parents === undefined ? undefined : separation.firstParent);
  });
  return { destinations, attachments, ids, ...parentLeaf(document, parents ?? [], separation.firstParent) };
}

type Pair = readonly [key: PDFObject, value: PDFObject];

/** The destinations of PDF 1.1, whose names are names rather than strings. */
function dictPairs(dict: PDFObject | undefined): readonly Pair[] {
  return dict instanceof PDFDict ? dict.entries() : [];
}

function pairsOf(tree: PDFObject | undefined, kind: 'Names' | 'Nums'): readonly Pair[] {
  return tree instanceof PDFDict ? treePairs(tree, kind) : [];
}

/** Creates a leaf with the prefixed names. Returns undefined without names. */
function nameLeaf(document: PDFDocument, prefix: string, pairs: readonly Pair[]): PDFRef | undefined {
  const renamed = pairs.flatMap(([name, value]) => {
    const newName = prefixed(name, prefix);
    return newName === undefined ? [] : [[newName, value] as const];
  });
  const [leaf] =
    createNameTree(document.context, renamed)?.lookup(PDFName.of('Kids'), PDFArray).asArray() ?? [];
  return leaf as PDFRef | undefined;
}

function parentLeaf(
  { context }: PDFDocument,
  pairs: readonly Pair[],
  firstParent: number,
): { readonly parents?: PDFRef; readonly nextParent: number } {
  const shifted = pairs
    .flatMap(([key, value]) =>
      key instanceof PDFNumber ? [[key.asNumber() + firstParent, value] as const] : [],
    )
    .toSorted(([left], [right]) => left - right);
  const first = shifted[0]?.[0];
  const last = shifted.at(-1)?.[0];
  if (first === undefined || last === undefined) return { nextParent: firstParent };
  const leaf = context.obj({ Limits: [first, last] });
  leaf.set(PDFName.of('Nums'), context.obj(shifted.flat()));
  return { parents: context.register(leaf), nextParent: last + 1 };
}

/** Returns a name or a string with the prefix, as a string; undefined for other objects. */
function prefixed(name: PDFObject | undefined, prefix: string): PDFHexString | undefined {
  if (!(name instanceof PDFName || name instanceof PDFString || name instanceof PDFHexString))
    return undefined;
  return PDFHexString.of(
    Buffer.concat([Buffer.from(prefix), name.asBytes()])
      .toString('hex')
      .toUpperCase(),
  );
}

/** Renames the destination of a link, an outline item or an action within the document. */
function renameTargets(dict: PDFDict, prefix: string): void {
  const target = prefixed(dict.lookup(PDFName.of('Dest')), prefix);
  if (target !== undefined) dict.set(PDFName.of('Dest'), target);
  if (dict.lookup(PDFName.of('S')) !== PDFName.of('GoTo')) return;
  const actionTarget = prefixed(dict.lookup(PDFName.of('D')), prefix);
  if (actionTarget !== undefined) dict.set(PDFName.of('D'), actionTarget);
}

/** Removes the number if there is no parent tree to which it could refer. */
function shiftNumber(dict: PDFDict, key: string, offset: number | undefined): void {
  const number = dict.lookup(PDFName.of(key));
  if (!(number instanceof PDFNumber)) return;
  if (offset === undefined) dict.delete(PDFName.of(key));
  else dict.set(PDFName.of(key), PDFNumber.of(number.asNumber() + offset));
}

/** Renames the ids of structure elements, and the references of table cells to their headers. */
function renameElements(root: PDFDict, prefix: string): void {
  for (const element of elementsBelow(root, new Set())) {
    const id = prefixed(element.lookup(PDFName.of('ID')), prefix);
    if (id !== undefined) element.set(PDFName.of('ID'), id);
    for (const attributes of dictsIn(element.lookup(PDFName.of('A')))) {
      const headers = attributes.lookup(PDFName.of('Headers'));
      if (!(headers instanceof PDFArray)) continue;
      headers.asArray().forEach((header, index) => {
        headers.set(index, prefixed(header, prefix) ?? header);
      });
    }
  }
}

/** Calls the function with each dictionary, also with those inside other objects. */
function forEachDict({ context }: PDFDocument, visit: (dict: PDFDict) => void): void {
  const walk = (object: PDFObject): void => {
    if (object instanceof PDFStream) walk(object.dict);
    else if (object instanceof PDFArray) for (const value of object.asArray()) walk(value);
    else if (object instanceof PDFDict) {
      visit(object);
      for (const value of object.values()) walk(value);
    }
  };
  for (const [, object] of context.enumerateIndirectObjects()) walk(object);
}
