/** A Page printed, and finished. */
import type { WindowRun } from '../engine/engine.ts';
import type { FormField } from '../engine/form-field.ts';
import { markFormFields } from '../engine/form-fields.ts';
import { lookAtPage } from '../engine/look-at-page.ts';
import { lookAtPrint, type PrintedPages } from '../engine/look-at-print.ts';
import type { Page } from '../engine/page.ts';
import { pixelsPerInch } from '../job/layout.ts';
import { setupOfPage } from '../job/page-setup.ts';
import { hasStrip } from '../job/paper.ts';
import type { Finisher } from './finisher.ts';
import type { FinishOrder } from './finish/order.ts';
import { documentWishes } from './document-wishes.ts';
import { noteLayout } from './note-layout.ts';
import { noteSizes } from './note-sizes.ts';
import { refuseBeyond } from './output-limit.ts';
import type { Output } from './output.ts';
import { pageFacts, type PageFacts } from './page-facts.ts';
import { pagesWanted, type PagesWanted } from './pages-wanted.ts';
import { printBody, type Body } from './print-body.ts';
import type { Means } from './produce.ts';
import { planPrint, printedAt } from './print-plan.ts';
import { stampsWanted } from './stamps-wanted.ts';
import { layOutStrips } from './strips/lay-out-strips.ts';

/** @throws Failure tooComplex; valueNotAllowed for what turns out not to fit the document */
export async function producePdf(
  page: Page,
  run: WindowRun,
  { finisher, maxOutput }: Means,
): Promise<Output> {
  const facts = await factsNeeded(page, run);
  const look = await lookAtPage(page, run, printedDensity(page, run));
  const form = await formNeeded(page, run);
  const body = await printBody(page, run);
  noteLayout(page, body, run);
  await lookAtPrint(page, run, { look, pages: pagesOf(body) });
  const wanted = await pagesWanted(run.job.options, body.inspection);
  if (wanted.blank.length > 0)
    run.log.note(leftOut(wanted.blank), {
      code: 'blank-pages-removed',
      options: ['remove_blank_pages'],
    });
  const order: FinishOrder = {
    ...orderFor(body, wanted, run),
    ...(form.length > 0 && { form }),
    ...(await layersFor(page, { wanted, facts, run })),
    ...documentWishes(run.job.options, facts),
  };
  const bytes = await finished(order, run, finisher);
  refuseBeyond(maxOutput, bytes.length, run.job.options);
  noteSizes(bytes, run);
  const pages = { printed: wanted.kept.length, total: wanted.total };
  return { bytes, contentType: 'application/pdf', pages };
}

/** `Pages 2, 4 and 5 were blank and were left out.` */
function leftOut(pages: readonly number[]): string {
  if (pages.length === 1) return `Page ${pages.join()} was blank and was left out.`;
  return `Pages ${pages.slice(0, -1).join(', ')} and ${pages.slice(-1).join()} were blank and were left out.`;
}

/** Printers have as many dots to the inch. */
const printerDots = 300;

function printedDensity(page: Page, { job, log }: WindowRun): number {
  return log.recorded ? (planPrint(job.options, page).scale * printerDots) / pixelsPerInch : 1;
}

/** Undefined when they are not all of one size. */
function pagesOf({ plan: { settings }, inspection }: Body): PrintedPages | undefined {
  const { paper, margins, scale, setups } = settings;
  if (setups !== undefined) return undefined;
  const pixels = (inches: number) => (inches * pixelsPerInch) / scale;
  return {
    width: Math.round(pixels(paper.width - margins.left - margins.right)),
    height: pixels(paper.height - margins.top - margins.bottom),
    count: inspection.pages,
  };
}

/** The last thing done to the page before it is printed. */
async function formNeeded(page: Page, run: WindowRun): Promise<readonly FormField[]> {
  if (!run.job.options.enable_pdf_forms) return [];
  return run.log.time('find the controls of forms', () => markFormFields(page));
}

const noFacts: PageFacts = { title: '', url: '', metas: {} };

async function factsNeeded(page: Page, { job: { options } }: WindowRun): Promise<PageFacts> {
  const needed = hasStrip(options, 'header') || hasStrip(options, 'footer') || options.extract_meta_tags;
  return needed ? pageFacts(page) : noFacts;
}

function orderFor(
  { bytes, inspection, plan }: Body,
  { kept, numbers, total }: PagesWanted,
  run: WindowRun,
): FinishOrder {
  const { options } = run.job;
  const colours = numbers.map(
    (page) => setupOfPage(options, page, total).backgroundColor ?? options.page_background_color,
  );
  return {
    printed: bytes,
    ...(inspection.hasPlaces && { places: printedAt(plan, inspection.pages) }),
    ...(bytes.includes('platen://job/') && { ownLinks: true as const }),
    ...(plan.placement && { placement: plan.placement }),
    ...(options.outline && { outline: true as const }),
    ...(kept.length < inspection.pages && { kept: kept.map((page) => page - 1) }),
    ...(colours.some((colour) => colour !== undefined) && { colours }),
  };
}

interface Layering {
  readonly wanted: PagesWanted;
  readonly facts: PageFacts;
  readonly run: WindowRun;
}

/** What lies over and under the pages; its files are fetched and printed in the page's window. */
async function layersFor(page: Page, { wanted, facts, run }: Layering): Promise<Partial<FinishOrder>> {
  const stamps = await stampsWanted(page.window, run);
  const printed = { kept: wanted.numbers, total: wanted.total, facts };
  const strips = await layOutStrips(page, printed, run);
  return { ...(strips.length > 0 && { strips }), ...(stamps.length > 0 && { stamps }) };
}

/** The order carried out, in another thread; its steps stand in the log like any other. */
async function finished(order: FinishOrder, run: WindowRun, finisher: Finisher): Promise<Buffer> {
  if (Object.keys(order).length === 1)
    return Buffer.from(order.printed.buffer, order.printed.byteOffset, order.printed.byteLength);
  const { bytes, stages, notes } = await run.log.time('finish the PDF', () =>
    finisher.finish(order, run.signal),
  );
  for (const { name, took } of stages) run.log.write({ kind: 'stage', text: name, took, detail: {} });
  notes.forEach((note) => {
    run.log.note(note, {
      code: 'images-recompressed',
      options: ['jpeg_quality', 'convert_images_to_jpeg', 'image_dpi'],
    });
  });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
