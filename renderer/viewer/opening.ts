/** Opens what a run made, or a file of the disk, by its type. */
import { openPdf } from './pdf/open-pdf.ts';
import { openPicture } from './picture/open-picture.ts';
import type { Sheets } from './sheets.ts';

/** A whole PDF is held in memory, and its copy by pdf.js. */
const mostBytes = 200e6;

/** It would take more memory than a window should have. */
export class TooLarge extends Error {
  constructor() {
    super('The output is too large to be shown.');
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
