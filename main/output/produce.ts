/** Turns a Page into an Output: a PDF document or an image, according to output_format. */
import type { WindowRun } from '../engine/window-run.ts';
import type { Page } from '../engine/page.ts';
import { produceImage } from './image/image.ts';
import type { Output, OutputDependencies } from './output.ts';
import { producePdf } from './pdf/pdf.ts';

/**
 * Returns the output for a page. @throws Failure tooComplex if Chromium cannot print or capture the page, or if the output exceeds
 * the size limit
 */
export function produce(page: Page, run: WindowRun, dependencies: OutputDependencies): Promise<Output> {
  const { output_format: format } = run.job.options;
  if (format === 'pdf') return producePdf(page, run, dependencies);
  return produceImage(page, run, { format, ...dependencies });
}
