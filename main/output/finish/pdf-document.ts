/**
 * Reads and writes PDFs with pdf-lib: without pauses, because this usually runs in a separate thread, and without added metadata.
 */
import {
  ParseSpeeds,
  PDFDocument,
  PDFArray,
  PDFDict,
  PDFRef,
  PDFStream,
  type PDFObject,
  decodePDFRawStream,
  PDFBool,
  PDFContentStream,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFString,
} from '@cantoo/pdf-lib';
import { inflateBounded, maxDecodedBytes, StreamTooLarge } from '../pdf-reader/inflate.ts';
import type { PdfFile } from '../pdf-reader/pdf-file.ts';
import { isReference, type Dict, type PdfValue } from '../pdf-reader/pdf-syntax.ts';
import { isLimitExceeded, startDecoding } from './decoder-limits.ts';

interface ReadPdfOptions {
  readonly forIncrementalUpdate?: boolean;
  /** The maximum size of all object streams together. */
  readonly maxDecodedBytes?: number;
}

/**
 * Parses a PDF. @throws Error if the bytes are no PDF, or if the PDF needs a password to open; StreamTooLarge
 */
export async function readPdf(
  bytes: Uint8Array,
  { forIncrementalUpdate = false, maxDecodedBytes: maxBytes = Infinity }: ReadPdfOptions = {},
): Promise<PDFDocument> {
  startDecoding(maxBytes);
  const options = { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest, password: '' };
  const document = await PDFDocument.load(bytes, { ...options, forIncrementalUpdate });
  // pdf-lib ignores objects that it cannot read.
  if (isLimitExceeded()) throw new StreamTooLarge();
  return document;
}

/** Writes a PDF with a classic cross-reference table, which `inspectPdf` can read. */
export function writePdf(document: PDFDocument): Promise<Uint8Array> {
  return document.save({
    useObjectStreams: false,
    updateFieldAppearances: false,
    objectsPerTick: Infinity,
  });
}

// Entries of dictionaries.

/** Returns the text of an entry; empty if there is none. */
export function textIn(dict: PDFDict | undefined, key: string): string {
  const value = dict?.lookup(PDFName.of(key));
  return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : '';
}

/** Returns a dictionary as a list, and the dictionaries in an array. */
export function dictsIn(value: PDFObject | undefined): PDFDict[] {
  if (value instanceof PDFDict) return [value];
  if (!(value instanceof PDFArray)) return [];
  return value.asArray().flatMap((_, index) => {
    const entry = value.lookup(index);
    return entry instanceof PDFDict ? [entry] : [];
  });
}

// References between the objects of a PDF.

/**
 * Returns a function that replaces every reference in an object, and returns the object or, for a reference, its replacement. The
 * function changes each array, dictionary and stream only once.
 */
export function referenceReplacer(
  replacementOf: (reference: PDFRef) => PDFObject,
): (object: PDFObject) => PDFObject {
  const done = new Set<PDFObject>();
  const replaceInside = (object: PDFObject): void => {
    if (done.has(object)) return;
    done.add(object);
    if (object instanceof PDFStream) replaceInside(object.dict);
    else if (object instanceof PDFDict)
      for (const [key, value] of object.entries()) object.set(key, replace(value));
    else if (object instanceof PDFArray)
      object.asArray().forEach((value, index) => {
        object.set(index, replace(value));
      });
  };
  const replace = (object: PDFObject): PDFObject => {
    if (object instanceof PDFRef) return replacementOf(object);
    replaceInside(object);
    return object;
  };
  return replace;
}

// Removes unreachable objects and renumbers the others without gaps. pdf-lib would save all objects that it has parsed, and the
// cross-reference table of a file without updates must have one section (ISO 32000-1, 7.5.4).

/** Call this last before saving, because it invalidates all references that other code holds. */
export function prune({ context }: PDFDocument): void {
  const numbers = new Map<PDFRef, PDFRef>();
  const kept: PDFObject[] = [];
  const newReference = (reference: PDFRef): PDFRef => {
    const existing = numbers.get(reference);
    if (existing !== undefined) return existing;
    const object = context.lookup(reference);
    // A dangling reference becomes a reference to object 0, which is never in use (ISO 32000-1, 7.5.4). Both mean null.
    if (object === undefined) return PDFRef.of(0, 65_535);
    kept.push(object);
    const number = PDFRef.of(kept.length);
    numbers.set(reference, number);
    return number;
  };
  const { Root, Info, Encrypt, ID } = context.trailerInfo;
  const renumber = referenceReplacer(newReference);
  const trailer = { Root, Info, Encrypt, ID };
  for (const [key, value] of Object.entries(trailer))
    if (value !== undefined) context.trailerInfo[key as keyof typeof trailer] = renumber(value);
  // The list grows during the loop.
  for (const object of kept) renumber(object);
  for (const [reference] of context.enumerateIndirectObjects()) context.delete(reference);
  kept.forEach((object, index) => {
    context.assign(PDFRef.of(index + 1), object);
  });
  context.largestObjectNumber = kept.length;
}

// Converts a document parsed by pdf-lib to a `PdfFile`, which has no types of pdf-lib.

export function pdfFileOf(document: PDFDocument): PdfFile {
  const lookUp = (value: PdfValue | undefined) =>
    isReference(value) ? document.context.lookup(PDFRef.of(value.object, value.generation)) : undefined;
  return {
    catalogue: dictOf(document.catalog),
    resolve: (value) => (isReference(value) ? valueOf(lookUp(value)) : value),
    entries: (value) => {
      const object = isReference(value) ? lookUp(value) : undefined;
      return object instanceof PDFDict ? dictOf(object) : [];
    },
    stream: (value, maxBytes) => bytesOf(lookUp(value), maxBytes),
  };
}

/** Returns the decoded bytes of a stream. @throws StreamTooLarge; Error if there is no stream */
export function bytesOf(object: PDFObject | undefined, maxBytes = maxDecodedBytes): Uint8Array {
  if (object instanceof PDFContentStream) return object.getUnencodedContents();
  if (!(object instanceof PDFRawStream)) throw new Error('The PDF has no stream where one is required.');
  try {
    // Node's zlib is several times faster than pdf-lib's, which reads damaged streams too.
    if (isFlate(object)) return inflateBounded(object.contents, maxBytes);
  } catch (problem) {
    if (problem instanceof StreamTooLarge) throw problem;
  }
  startDecoding(maxBytes);
  return decodePDFRawStream(object).decode();
}

/** Returns a function that decodes streams, at most so many bytes together. It throws StreamTooLarge. */
export function boundedDecoder(maxBytes: number): (stream: PDFStream) => Uint8Array {
  let left = maxBytes;
  return (stream) => {
    const bytes = bytesOf(stream, left);
    left -= bytes.length;
    if (left < 0) throw new StreamTooLarge();
    return bytes;
  };
}

/**
 * Returns the decoded content of a stream or of an array of streams. An array may divide the content between any two tokens.
 * @throws StreamTooLarge
 */
export function decodedContent(object: PDFObject | undefined): Uint8Array {
  const streams =
    object instanceof PDFArray ? object.asArray().map((_, index) => object.lookup(index)) : [object];
  const decode = boundedDecoder(maxDecodedBytes);
  const parts = streams.filter((stream) => stream instanceof PDFStream).map(decode);
  return Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')]));
}

/** Returns the number of an entry; undefined if it is no number. */
export function numberIn(dict: PDFDict, key: string): number | undefined {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFNumber ? value.asNumber() : undefined;
}

/** Returns the numbers of an entry that is an array. Returns an empty array for any other entry. */
export function numbersIn(dict: PDFDict, key: string): number[] {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFArray ? numbersOf(value) : [];
}

/** Returns the elements of an array of numbers, and 0 for an element that is no number. */
export function numbersOf(array: PDFArray): number[] {
  return array.asArray().map((element) => (element instanceof PDFNumber ? element.asNumber() : 0));
}

/** Returns whether a stream is compressed with Flate only, without a predictor. */
export function isFlate({ dict }: PDFRawStream): boolean {
  const filter = dict.lookup(PDFName.of('Filter'));
  return filter === PDFName.of('FlateDecode') && !dict.has(PDFName.of('DecodeParms'));
}

/** Converts a dictionary; its values are not resolved. */
export function dictOf(object: PDFDict): Dict {
  return new Map(object.entries().map(([key, value]) => [textOf(key), valueOf(value)]));
}

/** Converts a pdf-lib object. Does not follow references, so the conversion always ends. */
function valueOf(object: PDFObject | undefined): PdfValue {
  if (object instanceof PDFNumber) return object.asNumber();
  if (object instanceof PDFName) return textOf(object);
  if (object instanceof PDFRef) return { object: object.objectNumber, generation: object.generationNumber };
  if (object instanceof PDFArray) return object.asArray().map(valueOf);
  if (object instanceof PDFDict) return dictOf(object);
  if (object instanceof PDFStream) return dictOf(object.dict);
  if (object instanceof PDFString || object instanceof PDFHexString) return object.asBytes();
  return object instanceof PDFBool ? object.asBoolean() : null;
}

function textOf(name: PDFName): string {
  return Buffer.from(name.asBytes()).toString('latin1');
}
