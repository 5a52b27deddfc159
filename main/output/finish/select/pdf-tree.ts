/** Reads and filters name trees and number trees (ISO 32000-1, 7.9.6 and 7.9.7). */
import {
  PDFArray,
  PDFDict,
  PDFName,
  type PDFContext,
  type PDFHexString,
  type PDFObject,
  type PDFString,
} from '@cantoo/pdf-lib';

type TreeKind = 'Names' | 'Nums';
type TreePair = readonly [key: PDFObject, value: PDFObject];

/** Returns all pairs of a tree in order. Values may be references. */
export function treePairs(node: PDFDict, kind: TreeKind): TreePair[] {
  return [...ownPairs(node, kind), ...kidsOf(node).flatMap((kid) => treePairs(kid, kind))];
}

/** Creates a name tree of one leaf; undefined without pairs. */
export function createNameTree(
  context: PDFContext,
  pairs: readonly (readonly [name: PDFString | PDFHexString, value: PDFObject])[],
): PDFDict | undefined {
  const bytesOf = ([name]: (typeof pairs)[number]) => Buffer.from(name.asBytes());
  const sorted = pairs.toSorted((left, right) => Buffer.compare(bytesOf(left), bytesOf(right)));
  const first = sorted[0]?.[0];
  const last = sorted.at(-1)?.[0];
  if (first === undefined || last === undefined) return undefined;
  const leaf = context.obj({ Limits: [first, last], Names: sorted.flat() });
  return context.obj({ Kids: [context.register(leaf)] });
}

/** Removes the pairs for which `keep` returns false. Returns whether any pair or child node is left. */
export function filterTree(node: PDFDict, kind: TreeKind, keep: (pair: TreePair) => boolean): boolean {
  const { context } = node;
  const pairs = ownPairs(node, kind).filter(keep);
  if (node.has(PDFName.of(kind))) node.set(PDFName.of(kind), context.obj(pairs.flat()));
  const list = node.lookupMaybe(PDFName.of('Kids'), PDFArray)?.asArray() ?? [];
  const kids = list.filter((kid) => {
    const dict = context.lookup(kid);
    return dict instanceof PDFDict && filterTree(dict, kind, keep);
  });
  if (node.has(PDFName.of('Kids'))) node.set(PDFName.of('Kids'), context.obj(kids));
  if (node.has(PDFName.of('Limits'))) setLimits(node, kind);
  return pairs.length > 0 || kids.length > 0;
}

function ownPairs(node: PDFDict, kind: TreeKind): TreePair[] {
  const list = node.lookupMaybe(PDFName.of(kind), PDFArray)?.asArray() ?? [];
  const pairs: TreePair[] = [];
  for (let index = 0; index + 1 < list.length; index += 2) {
    const key = list[index];
    const value = list[index + 1];
    if (key !== undefined && value !== undefined) pairs.push([key, value]);
  }
  return pairs;
}

function kidsOf(node: PDFDict): PDFDict[] {
  const list = node.lookupMaybe(PDFName.of('Kids'), PDFArray)?.asArray() ?? [];
  return list.map((kid) => node.context.lookup(kid)).filter((kid) => kid instanceof PDFDict);
}

/** Sets the limits of a node to the least and the greatest key below it. */
function setLimits(node: PDFDict, kind: TreeKind): void {
  const pairs = treePairs(node, kind);
  const first = pairs[0]?.[0];
  const last = pairs.at(-1)?.[0];
  if (first !== undefined && last !== undefined)
    node.set(PDFName.of('Limits'), node.context.obj([first, last]));
}
