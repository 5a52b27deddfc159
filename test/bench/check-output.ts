/** Checks the page count or the size of a candidate's output, because the time of a wrong output would be meaningless. */
import sharp from 'sharp';
import { pdfFacts } from '../support/output/pdf.ts';
import type { Candidate } from './candidates/candidate.ts';
import type { BenchDocument, ExpectedPdf } from './documents/document.ts';

/** @throws Error that describes the defect of the output */
export async function checkOutput(
  { name, expected }: BenchDocument,
  { name: by, engine }: Pick<Candidate, 'name' | 'engine'>,
  bytes: Buffer,
): Promise<void> {
  if (expected.kind === 'pdf') {
    const { pages } = pdfFacts(bytes);
    const [fewest, most] = allowedPages(expected, engine);
    if (pages >= fewest && pages <= most) return;
    throw new Error(`${by} made ${pages} pages of '${name}', not ${fewest} to ${most}`);
  }
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (width === expected.width && height === expected.height) return;
  throw new Error(
    `${by} made ${width} x ${height} pixels of '${name}', not ${expected.width} x ${expected.height}`,
  );
}

/**
 * Returns the minimum and maximum number of pages. Another engine lays out documents differently, for example without CSS grid, so
 * it may create a third to three times as many pages.
 */
function allowedPages({ pages: [fewest, most] }: ExpectedPdf, engine: Candidate['engine']): [number, number] {
  return engine === 'Chromium' ? [fewest, most] : [Math.ceil(fewest / 3), most * 3];
}
