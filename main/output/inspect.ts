/** Inspects a PDF, however it is built. */
import { PDFDocument } from '@cantoo/pdf-lib';
import type { Margins } from '../job/paper.ts';
import { inspectDocument, inspectPdf, type Inspection } from './inspect-pdf.ts';

/** A future Chromium may write its table otherwise; then the whole file is parsed. */
export async function inspect(bytes: Buffer, margins?: Margins): Promise<Inspection> {
  try {
    return inspectPdf(bytes, margins);
  } catch {
    return inspectDocument(await PDFDocument.load(bytes, { updateMetadata: false }), margins);
  }
}
