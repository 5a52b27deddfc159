/** Reads and writes PDFs with pdf-lib: in one go, because it has a thread of its own, and with nothing added. */
import { ParseSpeeds, PDFDocument } from '@cantoo/pdf-lib';

/** @throws Error for what is no PDF, or opens only with a password */
export function readPdf(bytes: Uint8Array): Promise<PDFDocument> {
  const options = { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest, password: '' };
  return PDFDocument.load(bytes, options);
}

/** With a classic cross-reference table, which `inspectPdf` reads. */
export function writePdf(document: PDFDocument): Promise<Uint8Array> {
  return document.save({
    useObjectStreams: false,
    updateFieldAppearances: false,
    objectsPerTick: Infinity,
  });
}
