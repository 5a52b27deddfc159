/** Inspects a PDF of any structure. */
import type { Margins } from '../../job/paper.ts';
import { readPdf } from '../finish/pdf-document.ts';
import { inspectDocument, inspectPdf, type Inspection } from './inspect-pdf.ts';

/** Parses the whole file if its structure is not the usual one, for example in a future version of Chromium. */
export async function inspect(bytes: Buffer, margins?: Margins): Promise<Inspection> {
  try {
    return inspectPdf(bytes, margins);
  } catch {
    return inspectDocument(await readPdf(bytes), margins);
  }
}
