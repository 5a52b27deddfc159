/** Inspects a PDF, however it is built. */
import type { Margins } from '../../job/paper.ts';
import { readPdf } from '../finish/pdf-document.ts';
import { inspectDocument, inspectPdf, type Inspection } from './inspect-pdf.ts';

/** A future Chromium may write its table otherwise; then the whole file is parsed. */
export async function inspect(bytes: Buffer, margins?: Margins): Promise<Inspection> {
  try {
    return inspectPdf(bytes, margins);
  } catch {
    return inspectDocument(await readPdf(bytes), margins);
  }
}
