/** A Page becomes an Output: a PDF document or a picture, by what the job asks for. */
import type { WindowRun } from '../engine/engine.ts';
import type { Page } from '../engine/page.ts';
import type { Finisher } from './finisher.ts';
import { produceImage } from './image.ts';
import type { Output } from './output.ts';
import { producePdf } from './pdf.ts';

/** @throws Failure tooComplex for what Chromium cannot print or capture. */
export function produce(page: Page, run: WindowRun, finisher: Finisher): Promise<Output> {
  const { output_format } = run.job.options;
  return output_format === 'pdf' ? producePdf(page, run, finisher) : produceImage(page, run, output_format);
}
