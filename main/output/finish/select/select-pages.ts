/** Leaves some pages of a document, with all that leads to them or belongs to them, and nothing that leads to the others. */
import { PDFDict, PDFName, PDFNumber, PDFPageTree, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';
import { followDestinations, selectDestinations, selectLinks, type LeadsTo } from './select-destinations.ts';
import { selectLabels } from './select-labels.ts';
import { selectOutline } from './select-outline.ts';
import { selectStructure, type Gone } from './select-structure.ts';

/**
 * `indices` count from 0 and ascend; at least one. What the pages gone held stays in the document until `prune`.
 *
 * @throws RangeError when an index is no page's
 */
export function selectPages(document: PDFDocument, indices: readonly number[]): void {
  const pages = document.getPages();
  const selected = indices.map((index) => pages[index]).filter((page) => page !== undefined);
  if (selected.length < indices.length || selected.length === 0)
    throw new RangeError(`No such selection of ${pages.length} pages: ${indices.join(', ')}.`);
  if (selected.length === pages.length) return;
  const kept = new Set<PDFObject>(selected.map((page) => page.ref));
  const leadsTo = followDestinations(document, kept);
  const gone = goneWith(document, kept, leadsTo);
  selectDestinations(document, kept);
  const isKeptElement = selectStructure(document, gone);
  selectOutline(document, { leadsTo, isKeptElement });
  selectLabels(document, indices);
  selectLeaves(document.catalog.Pages(), kept);
  for (const { ref } of pages) if (!kept.has(ref)) document.context.delete(ref);
  forgetPages(document);
}

/** What goes: the other pages with their annotations, and the links to them. */
function goneWith(document: PDFDocument, kept: ReadonlySet<PDFObject>, leadsTo: LeadsTo): Gone {
  const pages = document.getPages();
  const others = pages.filter((page) => !kept.has(page.ref));
  const annotations = pages.flatMap((page) =>
    kept.has(page.ref) ? selectLinks(page, leadsTo) : (page.node.Annots()?.asArray() ?? []),
  );
  const owners = [...others.map((page) => page.ref), ...annotations];
  const parentKeys = owners.flatMap((owner) => parentKeysOf(document, owner));
  return {
    pages: new Set(others.map((page) => page.ref)),
    annotations: new Set(annotations),
    parentKeys: new Set(parentKeys),
  };
}

/** A page has the key of a list of parents, an annotation that of one parent (14.7.4.4). */
function parentKeysOf(document: PDFDocument, owner: PDFObject): number[] {
  const dict = document.context.lookup(owner);
  if (!(dict instanceof PDFDict)) return [];
  return ['StructParents', 'StructParent'].flatMap((name) => {
    const key = dict.lookup(PDFName.of(name));
    return key instanceof PDFNumber ? [key.asNumber()] : [];
  });
}

/** Says how many are left. Nodes stay where they are, for pages inherit from them (7.7.3.4). */
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
 * pdf-lib remembers the pages it has listed. Its own way to make it forget, `removePage`, lists them again each time: the
 * square of their number.
 */
function forgetPages(document: PDFDocument): void {
  const memory = document as unknown as { pageCount: number | undefined; pageCache: { invalidate(): void } };
  memory.pageCount = undefined;
  memory.pageCache.invalidate();
}
