/** Makes the bytes of a document depend only on its content, so that the same page gives the same bytes. */
import { createHash } from 'node:crypto';
import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFString,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { dictsIn } from './pdf-document.ts';
import { createNameTree, treePairs } from './select/pdf-tree.ts';

/** The ids that Chromium gives structure elements. They count the nodes of all pages that the renderer has shown. */
const nodeId = /^node\d{8}$/;

type Renumbered = (id: PDFObject | undefined) => PDFString | undefined;

/** Numbers the ids of structure elements in the order of the elements (ISO 32000-1, 14.7.2). */
export function renumberElements({ context, catalog }: PDFDocument): void {
  const root = catalog.lookup(PDFName.of('StructTreeRoot'));
  if (!(root instanceof PDFDict)) return;
  const elements = [...elementsBelow(root, new Set())];
  const numbers = new Map<string, PDFString>();
  for (const element of elements) {
    const id = nodeIdIn(element.lookup(PDFName.of('ID')));
    if (id !== undefined && !numbers.has(id))
      numbers.set(id, PDFString.of(`node${String(numbers.size + 1).padStart(8, '0')}`));
  }
  const renumbered: Renumbered = (id) => numbers.get(nodeIdIn(id) ?? '');
  for (const element of elements) {
    const id = renumbered(element.lookup(PDFName.of('ID')));
    if (id !== undefined) element.set(PDFName.of('ID'), id);
    for (const attributes of dictsIn(element.lookup(PDFName.of('A'))))
      renumberHeaders(attributes, renumbered);
  }
  const tree = root.lookup(PDFName.of('IDTree'));
  if (!(tree instanceof PDFDict)) return;
  const pairs = treePairs(tree, 'Names').flatMap(([id, element]) => {
    const name = renumbered(id) ?? id;
    return name instanceof PDFString || name instanceof PDFHexString ? [[name, element] as const] : [];
  });
  const renamed = createNameTree(context, pairs);
  if (renamed !== undefined) root.set(PDFName.of('IDTree'), context.register(renamed));
}

/** Yields the structure elements below an element in reading order. */
export function* elementsBelow(element: PDFDict, visited: Set<PDFDict>): Generator<PDFDict> {
  for (const kid of dictsIn(element.lookup(PDFName.of('K')))) {
    if (visited.has(kid)) continue;
    visited.add(kid);
    yield kid;
    yield* elementsBelow(kid, visited);
  }
}

/** Renumbers the ids of the header cells to which a cell refers. */
function renumberHeaders(attributes: PDFDict, renumbered: Renumbered): void {
  const headers = attributes.lookup(PDFName.of('Headers'));
  if (!(headers instanceof PDFArray)) return;
  headers.asArray().forEach((id, index) => {
    headers.set(index, renumbered(id) ?? id);
  });
}

function nodeIdIn(value: PDFObject | undefined): string | undefined {
  const id = value instanceof PDFString ? value.asString() : undefined;
  return id !== undefined && nodeId.test(id) ? id : undefined;
}

/** Sets the file identifier (ISO 32000-1, 14.4). Its two parts are equal, because the file has no earlier version. */
export function identifyFile({ context }: PDFDocument): void {
  const hash = createHash('sha256');
  for (const [, object] of context.enumerateIndirectObjects()) {
    const bytes = new Uint8Array(object.sizeInBytes());
    object.copyBytesInto(bytes, 0);
    hash.update(bytes);
  }
  const id = PDFHexString.of(hash.digest('hex').slice(0, 32).toUpperCase());
  context.trailerInfo.ID = context.obj([id, id]);
}
