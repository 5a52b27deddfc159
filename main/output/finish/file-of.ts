/** Presents a document parsed by pdf-lib as a `PdfFile`, without types of pdf-lib. */
import {
  decodePDFRawStream,
  PDFArray,
  PDFBool,
  PDFContentStream,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import type { PdfFile } from '../pdf-reader/pdf-file.ts';
import { isReference, type Dict, type Value } from '../pdf-reader/pdf-syntax.ts';

export function fileOf(document: PDFDocument): PdfFile {
  const lookUp = (value: Value | undefined) =>
    isReference(value) ? document.context.lookup(PDFRef.of(value.object, value.generation)) : undefined;
  return {
    catalogue: dictOf(document.catalog),
    resolve: (value) => (isReference(value) ? valueOf(lookUp(value)) : value),
    stream: (value) => bytesOf(lookUp(value)),
  };
}

function bytesOf(object: PDFObject | undefined): Uint8Array {
  if (object instanceof PDFRawStream) return decodePDFRawStream(object).decode();
  if (object instanceof PDFContentStream) return object.getUnencodedContents();
  throw new Error('The PDF has no stream where one belongs.');
}

function dictOf(object: PDFDict): Dict {
  return new Map(object.entries().map(([key, value]) => [textOf(key), valueOf(value)]));
}

/** Does not follow references, so it always terminates. */
function valueOf(object: PDFObject | undefined): Value {
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
