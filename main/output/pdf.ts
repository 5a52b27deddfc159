/** A Page printed, and finished. */
import { PDFDocument } from '@cantoo/pdf-lib';
import { Failure } from '../failure/failure.ts';
import type { WindowRun } from '../engine/engine.ts';
import type { Page } from '../engine/page.ts';
import { geometryFor } from '../job/paper.ts';
import { placePages } from './finish/place-pages.ts';
import { inspectDocument, inspectPdf } from './inspect-pdf.ts';
import type { Output } from './output.ts';
import { planPrint, type PrintPlan } from './print-plan.ts';

interface Finishing {
  readonly run: WindowRun;
  readonly plan: PrintPlan;
}

/** What is done to a printed PDF, in this order; each step returns the same bytes when it was not asked for. */
const finish: readonly (readonly [
  name: string,
  work: (bytes: Buffer, finishing: Finishing) => Promise<Buffer>,
])[] = [['lay the pages on their paper', (bytes, { plan }) => placePages(bytes, plan.placement)]];

/** @throws Failure tooComplex */
export async function producePdf(page: Page, run: WindowRun): Promise<Output> {
  const plan = planPrint(run.job.options, page);
  const { paper } = geometryFor(run.job.options);
  const size = `${paper.width.toFixed(2)} x ${paper.height.toFixed(2)} in`;
  run.log.note(`Laid out ${page.layoutWidth} px wide, print scale ${plan.scale.toFixed(3)}, paper ${size}.`);
  let bytes = await run.log.time('print', () => page.window.print(plan.settings).catch(tooComplex));
  for (const [name, work] of finish) {
    run.signal.throwIfAborted();
    const printed = bytes;
    bytes = await run.log.time(name, () => work(printed, { run, plan }));
  }
  const total = await pagesOf(bytes);
  return { bytes, contentType: 'application/pdf', pages: { printed: total, total } };
}

/** A future Chromium may write its table otherwise; then the whole file is parsed. */
async function pagesOf(bytes: Buffer): Promise<number> {
  try {
    return inspectPdf(bytes).pages;
  } catch {
    return inspectDocument(await PDFDocument.load(bytes, { updateMetadata: false })).pages;
  }
}

function tooComplex(cause: unknown): never {
  throw new Failure(
    'tooComplex',
    'The document is too large or too complex to print; split it into several.',
    { cause },
  );
}
