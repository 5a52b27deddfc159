/**
 * Converts a PDF that a caller has sent to a plain one: the pages that a job uses, as forms, and only the objects they need. Runs in a
 * subprocess, because pdf-lib reads any number of objects, and a few kilobytes can describe gigabytes of them.
 */
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFPageTree,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
  type PDFContext,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { pageForms } from '../finish/layers/page-forms.ts';
import { boundedDecoder, prune, readPdf, writePdf } from '../finish/pdf-document.ts';
import { maxDecodedBytes, StreamTooLarge } from '../pdf-reader/inflate.ts';
import { plainLimits, type PlainPdf, type UploadedPdfTask } from './task.ts';

/** Thrown if the document exceeds a limit. */
export class TooComplex extends Error {}

/**
 * @throws TooComplex; Error if the bytes are no PDF with pages; Error with `NEEDS PASSWORD` if the PDF needs a password to open. A PDF
 * that only restricts printing or changes opens with the empty password.
 */
export async function plainPdf(bytes: Uint8Array, task: UploadedPdfTask): Promise<PlainPdf> {
  try {
    return await convert(bytes, task);
  } catch (problem) {
    // A RangeError is the end of the stack, or of the length of an array.
    if (problem instanceof StreamTooLarge || problem instanceof RangeError)
      throw new TooComplex('The document is too complex.', { cause: problem });
    throw problem;
  }
}

async function convert(bytes: Uint8Array, { maxPages, maxObjects }: UploadedPdfTask): Promise<PlainPdf> {
  // pdf-lib accepts a truncated file without an error, so this function checks for the end of the file.
  if (!Buffer.from(bytes.subarray(-2048)).includes('%%EOF')) throw new Error('The file is truncated.');
  const source = await readPdf(bytes, { maxDecodedBytes });
  checkPageTree(source);
  const count = Math.min(source.getPageCount(), maxPages);
  if (count === 0) throw new Error('The document has no pages.');
  checkDecodedSize(source);
  const plain = await PDFDocument.create({ updateMetadata: false });
  const decode = boundedDecoder(maxDecodedBytes);
  const forms = pageForms(source, plain, { decode, maxBytes: maxDecodedBytes });
  for (let index = 0; index < count; index += 1) {
    const { width, height, ref } = forms.at(index);
    const page = plain.addPage([width, height]);
    if (ref !== undefined) page.node.setXObject(formName, ref);
  }
  prune(plain);
  const objects = countObjects(plain.context, maxObjects);
  return { bytes: await writePdf(plain), objects };
}

/**
 * Checks how many pages a document lists. Nodes of the page tree may have the same kids, so a few kilobytes can list billions of pages.
 */
function checkPageTree({ catalog, context }: PDFDocument): void {
  const nodes: PDFPageTree[] = [catalog.Pages()];
  let kidsLeft: number = plainLimits.objects;
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const kids = node.Kids().asArray();
    kidsLeft -= kids.length;
    if (kidsLeft < 0) throw new TooComplex();
    for (const kid of kids) {
      const object = context.lookup(kid);
      if (object instanceof PDFPageTree) nodes.push(object);
    }
  }
}

/**
 * Decodes all streams except images, of which only single ones are decoded later. @throws StreamTooLarge if they are larger than
 * `maxDecodedBytes` together
 */
function checkDecodedSize({ context }: PDFDocument): void {
  const decode = boundedDecoder(maxDecodedBytes);
  for (const [, stream] of context.enumerateIndirectObjects()) {
    if (!(stream instanceof PDFRawStream)) continue;
    if (stream.dict.lookup(PDFName.of('Subtype')) === PDFName.of('Image')) continue;
    try {
      decode(stream);
    } catch (problem) {
      // Others have a filter that nothing here decodes, or are damaged.
      if (problem instanceof StreamTooLarge) throw problem;
    }
  }
}

/** Counts the objects of a document. @throws TooComplex if there are more than `maxObjects`, or one is too long or too deeply nested */
function countObjects(context: PDFContext, maxObjects: number): number {
  const waiting = context.enumerateIndirectObjects().map(([, object]) => ({ object, depth: 0 }));
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { object, depth } = next;
    count += 1;
    if (count > maxObjects || depth > plainLimits.nesting || lengthOf(object) > plainLimits.stringBytes)
      throw new TooComplex();
    for (const child of childrenOf(object)) waiting.push({ object: child, depth: depth + 1 });
  }
  return count;
}

function childrenOf(object: PDFObject): readonly PDFObject[] {
  if (object instanceof PDFStream) return [object.dict];
  if (object instanceof PDFArray) return object.asArray();
  return object instanceof PDFDict ? object.entries().flat() : [];
}

function lengthOf(object: PDFObject): number {
  if (object instanceof PDFString || object instanceof PDFHexString) return object.asString().length;
  return object instanceof PDFName ? object.asString().length : 0;
}

// The form of a page is in its resources, and nothing draws it there.

const formName = PDFName.of('Form');

export interface PlainPage {
  /** In points. */
  readonly width: number;
  readonly height: number;
  /** The form, whose space is the displayed page. Undefined if the page is empty. */
  readonly form: PDFRef | undefined;
}

/** Returns the pages of a plain PDF. */
export function plainPages(document: PDFDocument): PlainPage[] {
  return document.getPages().map((page) => {
    const form = page.node.Resources()?.lookupMaybe(PDFName.of('XObject'), PDFDict)?.get(formName);
    return { ...page.getSize(), form: form instanceof PDFRef ? form : undefined };
  });
}
