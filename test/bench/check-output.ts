/** Whether an output is what the document was to become: a contestant that makes something else is fast at nothing. */
import sharp from 'sharp';
import { pdfFacts } from '../support/pdf.ts';
import type { BenchDocument } from './documents/document.ts';

/** Other engines break lines and pages elsewhere. */
const tolerance = 0.25;

/** @throws Error saying what is wrong with it */
export async function checkOutput(
  { name, wanted }: BenchDocument,
  { bytes, by, sameEngine }: { readonly bytes: Buffer; readonly by: string; readonly sameEngine: boolean },
): Promise<void> {
  if (wanted.kind === 'pdf') {
    const { pages } = pdfFacts(bytes);
    const [fewest, most] = wanted.pages;
    const slack = sameEngine ? 0 : tolerance;
    if (pages >= Math.floor(fewest * (1 - slack)) && pages <= Math.ceil(most * (1 + slack))) return;
    throw new Error(`${by} made ${pages} pages of '${name}', not ${fewest} to ${most}`);
  }
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (width === wanted.width && height === wanted.height) return;
  throw new Error(
    `${by} made ${width} x ${height} pixels of '${name}', not ${wanted.width} x ${wanted.height}`,
  );
}
