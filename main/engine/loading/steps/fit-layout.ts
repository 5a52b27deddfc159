/** Determines the layout width if it depends on the content, and measures the content if the paper size depends on it. */
import { contentBox, contentHeight } from '../../devtools/content-box.ts';
import { callInPage, callPageScript } from '../../devtools/evaluate.ts';
import type { Loading, StepWork } from '../loading.ts';
import { setViewport, viewportOf } from './emulate.ts';
import { settleAgain } from './settle.ts';
import { staticTextOf } from '../../../input/static-document.ts';
import { layoutFor, scalesWideContent } from '../../../job/layout.ts';
import { mayFollowPageRules, paperFromPageRules } from '../../../job/page-rule-paper.ts';

/** A page that grows with its viewport overflows at any width, so the number of attempts is limited. */
const maxTries = 8;
const maxWidth = 8000;

export function fitLayout(loading: Loading): StepWork | undefined {
  const { layout, run } = loading;
  const { output_format, content_fit_mode, page_height } = run.job.options;
  const mode = output_format === 'pdf' ? content_fit_mode : 'auto';
  const fitsWidth =
    layout.width === 'balanced' || (output_format === 'pdf' && scalesWideContent(run.job.options));
  // Pages of different sizes have no single layout width. In vertical writing modes, content extends sideways without overflowing.
  const { ownPaper } = loading;
  const hasOneWidth = ownPaper === undefined || !ownPaper.isNative || !(ownPaper.varies || ownPaper.vertical);
  const fitsRatio = mode === 'single-page-ratio';
  const paperFollowsContent = page_height === 'content' || mode === 'content-width' || mode === 'single-page';
  const isMeasured = paperFollowsContent && output_format === 'pdf';
  if (!fitsWidth && !fitsRatio && !isMeasured) return undefined;
  return async () => {
    if (fitsWidth && hasOneWidth) await widenToContent(loading);
    if (fitsRatio) await widenToRatio(loading);
    if (loading.layoutWidth !== loading.layout.width) {
      // Charts redraw at a new width.
      await settleAgain(loading)?.();
      run.log.setStageReason(`the content fits a layout width of ${loading.layoutWidth} px`);
    }
    if (isMeasured) loading.contentBox = await contentBox(loading.window.contents);
  };
}

/** Widens the layout until nothing overflows. Stops if the content is wider than maxWidth. */
async function widenToContent(loading: Loading): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const contentWidth = await callInPage(loading.window.contents, overflowWidth);
    if (contentWidth <= loading.layoutWidth || contentWidth > maxWidth) return;
    await layOut(loading, contentWidth);
  }
}

/** Widens the layout until the content is no higher than the aspect ratio of the print area allows. */
async function widenToRatio(loading: Loading): Promise<void> {
  const { aspect } = loading.layout;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const height = await contentHeight(loading.window.contents);
    const excess = height / (loading.layoutWidth * aspect);
    if (excess <= 1) return;
    // Text at twice the width takes half the height.
    await layOut(loading, Math.min(65_000, Math.ceil(loading.layoutWidth * Math.sqrt(excess) + 1)));
  }
}

async function layOut(loading: Loading, width: number): Promise<void> {
  loading.layoutWidth = width;
  await setViewport(loading, viewportOf(width, loading.layout, loading.run.job.options));
}

function overflowWidth(): number {
  return document.scrollingElement?.scrollWidth ?? 0;
}

/** Lays the page out for the paper that its own @page rules set, if the options allow this paper. */
export function followPageRules(loading: Loading): StepWork | undefined {
  const { source, run } = loading;
  const { options, givenOptions } = run.job;
  if (!mayFollowPageRules(options, givenOptions)) return undefined;
  const text = staticTextOf(source, givenOptions)?.searchable;
  // The text loads no style sheets, so it contains all @page rules of the document.
  if (text !== undefined && !mayHavePageRules.test(text) && !mayHavePageRules.test(options.custom_css ?? ''))
    return undefined;
  return () => applyPageRules(loading);
}

/**
 * Matches `@page`, `@` with an escape sequence (which may spell `page`), and `@import` (the imported style sheet may contain @page
 * rules).
 */
const mayHavePageRules = /@page|@\\|@import/i;

async function applyPageRules(loading: Loading): Promise<void> {
  const { window, run } = loading;
  const { options, givenOptions } = run.job;
  const ownPaper = paperFromPageRules(
    options,
    givenOptions,
    await callPageScript(window.contents, 'page-rules.readPageRules'),
  );
  loading.ownPaper = ownPaper;
  loading.layout = layoutFor(ownPaper?.options ?? options, givenOptions);
  const { width, minWidth } = loading.layout;
  loading.layoutWidth = width === 'balanced' ? minWidth : width;
  const before = window.emulation.viewport;
  await setViewport(loading, viewportOf(loading.layoutWidth, loading.layout, options));
  // Charts redraw at a new width.
  if (window.emulation.viewport !== before) await settleAgain(loading)?.();
}
