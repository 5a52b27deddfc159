/** A Page becomes an Output: a PDF document or a picture, by what the job asks for. */
import type { WindowRun } from '../engine/engine.ts';
import type { Page } from '../engine/page.ts';
import type { Finisher } from './finisher.ts';
import { produceImage } from './image.ts';
import type { Output } from './output.ts';
import { producePdf } from './pdf.ts';

export interface Means {
  readonly finisher: Finisher;
  /** Bytes of the largest output. */
  readonly maxOutput: number;
}

/** @throws Failure tooComplex for what Chromium cannot print or capture, and for what is larger than an output may be. */
export function produce(page: Page, run: WindowRun, means: Means): Promise<Output> {
  const { output_format: format } = run.job.options;
  if (format === 'pdf') return producePdf(page, run, means);
  return produceImage(page, run, { format, ...means });
}
