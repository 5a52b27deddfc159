/** Opens an output or a file from disk according to its type. */
import { openPdf } from './pdf/open-pdf.ts';
import { openPicture } from './picture/open-picture.ts';
import type { Sheets } from './pages/sheets.ts';

/** A PDF is held in memory twice: here and in pdf.js. */
const mostBytes = 200e6;

/** Thrown for outputs that would use too much memory. */
export class TooLarge extends Error {
  constructor() {
    super('The output is too large to display.');
    this.name = 'TooLarge';
  }
}

/** @throws PdfProblem, PictureProblem, TooLarge */
export async function openSheets(blob: Blob, type: string, password?: string): Promise<Sheets> {
  if (blob.size > mostBytes) throw new TooLarge();
  return isPdf(type)
    ? openPdf(blob, password)
    : openPicture(blob.type === type ? blob : new Blob([blob], { type }));
}

export function isPdf(type: string): boolean {
  return type.split(';')[0]?.trim() === 'application/pdf';
}
