/** Selects pages of a document that Chromium printed, and reads the result. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFRef,
  PDFStream,
  PDFString,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { prune } from '../../../../../main/output/finish/pdf-document.ts';
import { selectPages } from '../../../../../main/output/finish/select/select-pages.ts';

/**
 * The pages of the document: contents; One; One B; Two with a table; the rest of the table; Two B with a paragraph; the rest of the
 * paragraph.
 */
export const chapters = readFileSync(join(import.meta.dirname, '../../../../fixtures/chapters.pdf'));
export const name = (text: string) => PDFName.of(text);

export async function load(bytes: Uint8Array = chapters): Promise<PDFDocument> {
  return PDFDocument.load(bytes, { updateMetadata: false });
}

export async function save(document: PDFDocument): Promise<Buffer> {
  return Buffer.from(await document.save({ useObjectStreams: false, updateFieldAppearances: false }));
}

export async function selectAndReload(
  indices: readonly number[],
  prepare: (document: PDFDocument) => void = () => {},
) {
  const document = await load();
  prepare(document);
  selectPages(document, indices);
  prune(document);
  const bytes = await save(document);
  assert.deepEqual(danglingReferences(await load(bytes)), []);
  return { document: await load(bytes), bytes };
}

/** Returns the references to missing objects, and to pages outside the page tree. */
export function danglingReferences(document: PDFDocument): string[] {
  const pages = new Set(document.getPages().map((page) => page.ref));
  return document.context.enumerateIndirectObjects().flatMap(([owner, object]) =>
    referencesIn(object).flatMap((ref) => {
      const found = document.context.lookup(ref);
      const isPage = found instanceof PDFDict && found.get(name('Type')) === name('Page');
      return found === undefined || (isPage && !pages.has(ref)) ? [`${owner.tag} -> ${ref.tag}`] : [];
    }),
  );
}

function referencesIn(object: PDFObject): PDFRef[] {
  if (object instanceof PDFRef) return [object];
  if (object instanceof PDFStream) return referencesIn(object.dict);
  if (object instanceof PDFArray) return object.asArray().flatMap(referencesIn);
  return object instanceof PDFDict ? object.values().flatMap(referencesIn) : [];
}

/** Returns the links of a page: a URL, the number of the target page, or undefined if the target is not in the document. */
export function linksOf(document: PDFDocument, index: number): (string | number | undefined)[] {
  const annotations = document.getPage(index).node.Annots()?.asArray() ?? [];
  return annotations.map((annotation) => {
    const link = document.context.lookup(annotation, PDFDict);
    const action = link.lookupMaybe(name('A'), PDFDict);
    const address = action?.lookupMaybe(name('URI'), PDFString);
    return address?.asString() ?? pageAt(document, link.lookup(name('Dest')) ?? action?.lookup(name('D')));
  });
}

export function pageAt(document: PDFDocument, destination: PDFObject | undefined): number | undefined {
  const tree = document.catalog
    .Names()
    ?.lookup(name('Dests'), PDFDict)
    .lookup(name('Names'), PDFArray)
    .asArray();
  const inTree = tree?.find((_, index) => tree[index - 1]?.toString() === destination?.toString());
  const isName = destination instanceof PDFName;
  const place = isName
    ? document.catalog.lookup(name('Dests'), PDFDict).lookup(destination)
    : (inTree ?? destination);
  const array = document.context.lookup(place);
  const page = array instanceof PDFArray ? array.get(0) : undefined;
  const index = document.getPages().findIndex(({ ref }) => ref === page);
  return index < 0 ? undefined : index + 1;
}
