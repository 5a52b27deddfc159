/** Pages of another document as forms of this one, which can be painted anywhere. */
import { deflateSync } from 'node:zlib';
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFName,
  PDFObjectCopier,
  PDFRawStream,
  PDFStream,
  type PDFDocument,
  type PDFObject,
  type PDFPage,
  type PDFRef,
} from '@cantoo/pdf-lib';
import type { Matrix, Size } from '../../geometry.ts';
import { frameOf } from './page-frame.ts';

/** Its space is the page as seen: points from the lower left corner. */
export interface PageForm extends Size {
  readonly page: PDFPage;
  readonly fromUser: Matrix;
  /** Undefined when the page prints nothing. */
  readonly ref: PDFRef | undefined;
}

export interface PageForms {
  readonly count: number;
  /** The form of a page, made when it is first asked for. @throws Error for a damaged page, or none. */
  readonly at: (index: number) => PageForm;
  /** What else is to be taken along. */
  readonly copy: <T extends PDFObject>(object: T) => T;
}

/** What the pages share, such as fonts, is copied once. The source is of no use afterwards. */
export function pageForms(source: PDFDocument, target: PDFDocument): PageForms {
  const copier = PDFObjectCopier.for(source.context, target.context);
  const pages = source.getPages();
  const made = new Map<number, PageForm>();
  forgetStructure(source);
  return {
    count: pages.length,
    copy: copier.copy,
    at(index) {
      const page = pages[index];
      if (page === undefined) throw new Error(`The document has no page ${index + 1}.`);
      const form = made.get(index) ?? formOf(page, target, copier);
      made.set(index, form);
      return form;
    },
  };
}

/**
 * Numbers of a structure tree that is left behind would mean elements of the other document's (ISO 32000-1, 14.7.4), and some
 * readers take those in a form for the page's own.
 */
function forgetStructure({ context }: PDFDocument): void {
  for (const [, object] of context.enumerateIndirectObjects()) {
    const dict = object instanceof PDFStream ? object.dict : object;
    if (!(dict instanceof PDFDict)) continue;
    for (const key of ['StructParents', 'StructParent', 'MCID']) dict.delete(PDFName.of(key));
    const resources = dict.lookup(PDFName.of('Resources'));
    if (resources instanceof PDFDict) forgetProperties(resources);
  }
}

/** Marked content may name its properties in the resources (ISO 32000-1, 14.6.2). */
function forgetProperties(resources: PDFDict): void {
  const properties = resources.lookup(PDFName.of('Properties'));
  if (!(properties instanceof PDFDict)) return;
  for (const name of properties.keys()) {
    const property = properties.lookup(name);
    if (property instanceof PDFDict) property.delete(PDFName.of('MCID'));
  }
}

function formOf(page: PDFPage, { context }: PDFDocument, copier: PDFObjectCopier): PageForm {
  const { width, height, box, fromUser } = frameOf(page);
  const content = compressedContent(page);
  const shown = { page, width, height, fromUser };
  if (content === undefined) return { ...shown, ref: undefined };
  const resources = page.node.Resources();
  const form = context.stream(content, {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [box.left, box.bottom, box.left + box.width, box.bottom + box.height],
    Matrix: [...fromUser],
    Resources: resources === undefined ? {} : copier.copy(resources),
    Filter: 'FlateDecode',
  });
  return { ...shown, ref: context.register(form) };
}

/** Chromium's empty page has 8 compressed bytes; nothing longer than this is worth a look. */
const longestBlank = 64;

/** Undefined when there is no operator in it. Usually the very bytes of the page: unpacking and packing is most of the work. */
function compressedContent(page: PDFPage): Uint8Array | undefined {
  const streams = streamsOf(page);
  const [only] = streams;
  const asItIs = streams.length === 1 && only !== undefined && isFlate(only) ? only.contents : undefined;
  const isTagged = page.doc.catalog.has(PDFName.of('StructTreeRoot'));
  if (asItIs !== undefined && asItIs.length > longestBlank && !isTagged) return asItIs;
  // Streams end between operators, so any white space may lie between them (ISO 32000-1, 7.8.2).
  const content = untagged(
    streams.map((stream) => Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1')).join('\n'),
  );
  if (/^[\0\s]*$/.test(content)) return undefined;
  return deflateSync(Buffer.from(content, 'latin1'));
}

/** Takes the numbers of structure elements out of the content, in place. */
function untagged(content: string): string {
  return content.replace(/\/MCID\s+\d+(?=[^<>]{0,200}>>\s*BDC)/g, (number) => ' '.repeat(number.length));
}

function streamsOf({ node, doc }: PDFPage): PDFRawStream[] {
  const entry = node.get(PDFName.of('Contents'));
  const contents = doc.context.lookup(entry);
  // A page need not have any (ISO 32000-1, 7.7.3.3).
  const streams = contents instanceof PDFArray ? contents.asArray() : entry === undefined ? [] : [entry];
  return streams
    .map((stream) => doc.context.lookup(stream))
    .map((stream) => {
      if (stream instanceof PDFRawStream) return stream;
      throw new Error('A content stream of the page is missing.');
    });
}

function isFlate({ dict }: PDFRawStream): boolean {
  const filter = dict.lookup(PDFName.of('Filter'));
  return filter === PDFName.of('FlateDecode') && !dict.has(PDFName.of('DecodeParms'));
}
