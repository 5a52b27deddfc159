/** Prints a page; again, with other paper, when all of it was to be on one page and was not. */
import { notProduced } from '../engine/browser-fault.ts';
import { cutOverflow } from '../engine/cut-overflow.ts';
import type { WindowRun } from '../engine/engine.ts';
import type { Page } from '../engine/page.ts';
import { inspect } from './reading/inspect.ts';
import type { Inspection } from './reading/inspect-pdf.ts';
import { planPrint, type PrintPlan } from './print-plan.ts';

export interface Body {
  readonly bytes: Buffer;
  readonly inspection: Inspection;
  readonly plan: PrintPlan;
  /** CSS pixels. */
  readonly layoutWidth: number;
}

const mostTries = 4;

/** @throws Failure tooComplex */
export async function printBody(page: Page, run: WindowRun): Promise<Body> {
  const { options } = run.job;
  const settings = {
    ownPageRules: options.css_page_rule_mode === 'mode2',
    noBackground: options.no_background,
    tagged: options.tagged,
    outline: options.outline,
  };
  const exact = ['viewport-width', 'no-scaling'].includes(options.content_fit_mode);
  if (exact) await cutOverflow(page.window.contents);
  let laidOut = page;
  for (let tries = 1; ; tries += 1) {
    const plan = planPrint(options, laidOut);
    const bytes = await run.log.time('print', () =>
      page.window.print({ ...plan.settings, ...settings, unbroken: plan.onePage }).catch(tooComplex),
    );
    const inspection = await inspect(bytes, plan.settings.margins);
    if (!plan.onePage || inspection.pages === 1 || tries === mostTries) {
      return { bytes, inspection, plan, layoutWidth: laidOut.layoutWidth };
    }
    run.signal.throwIfAborted();
    laidOut = roomier(laidOut, inspection.pages);
  }
}

/** Print lays out a little otherwise than a screen does: what was one page by its measure may end on a second. */
function roomier(page: Page, pages: number): Page {
  const factor = pages > 2 ? pages : 1.02;
  const { layoutWidth, content } = page;
  if (content === undefined) return { ...page, layoutWidth: Math.ceil(layoutWidth * Math.sqrt(factor)) };
  return { ...page, content: { ...content, height: Math.ceil(content.height * factor) + 2 } };
}

function tooComplex(cause: unknown): never {
  throw notProduced('The document is too large or too complex to print; split it into several.', cause);
}
