/** Writes the layout of a page and the size of its output to the debug log, with notes on options that have no effect. */
import type { WindowRun } from '../engine/window-run.ts';
import type { Page } from '../engine/page.ts';
import { contentAreaFor, pixelsPerInch, layoutFor, changesPaper, scalesWideContent } from '../job/layout.ts';
import type { Options } from '../job/options.ts';
import type { PageRulePaper } from '../job/page-rule-paper.ts';
import { geometryFor, hasHeaderFooter, type Paper } from '../job/paper.ts';
import type { ImageSize } from './image/bands.ts';
import type { PrintedBody } from './pdf/print-body.ts';
import type { PdfSizes } from './pdf-reader/sizes.ts';

/** Logs the layout of a PDF, with notes on content that does not fit. */
export function noteLayout(page: Page, body: PrintedBody, originalRun: WindowRun): void {
  const { log } = originalRun;
  if (page.ownPaper !== undefined) noteOwnPaper(page.ownPaper, body, originalRun);
  const run = withPageRuleOptions(page, originalRun);
  noteFit(body, run);
  noteNotOnePage(body, run);
  noteOverlaps(run);
  if (!log.isRecorded) return;
  const { scale, settings, placement } = body.plan;
  const { width, height } = printedPaper(body);
  const size = `${width.toFixed(2)} x ${height.toFixed(2)} in`;
  const printedWidth = Math.round((settings.paper.width * pixelsPerInch) / settings.scale);
  const placed = placement === undefined ? '' : `, printed ${printedWidth} px wide and placed on it`;
  log.write({
    kind: 'layout',
    text: `Laid out ${body.layoutWidth} px wide, print scale ${scale.toFixed(3)}, paper ${size}${placed}.`,
    detail: {
      ...viewportOf(page, body.layoutWidth),
      scale,
      paper: { width, height },
      margins: geometryFor(run.job.options).margins,
    },
  });
}

/** Returns the run with the options that result from the page's @page rules. */
function withPageRuleOptions({ ownPaper }: Page, run: WindowRun): WindowRun {
  return ownPaper === undefined ? run : { ...run, job: { ...run.job, options: ownPaper.options } };
}

/** Returns the paper of the first page. */
function printedPaper({ plan: { placement, settings, page }, inspection, boxes }: PrintedBody): Paper {
  if (placement !== undefined) return placement.paper;
  if (boxes?.[0] !== undefined) return boxes[0].paper;
  return settings.pageRulesOverride === true ? inspection.paperOf(0) : page.paper;
}

function noteOwnPaper(ownPaper: PageRulePaper, body: PrintedBody, { log }: WindowRun): void {
  const { width, height } = printedPaper(body);
  if (!ownPaper.isRequested)
    log.note(
      `The page was printed on the paper of its @page rules, ${width.toFixed(2)} x ${height.toFixed(2)} in. To use other paper, set page_size, margins or css_page_rule_mode=mode1.`,
      { code: 'own-paper', options: ['css_page_rule_mode', 'page_size', 'content_viewport_width'] },
    );
  if (ownPaper.varies && !ownPaper.isNative)
    log.note(
      'The @page rules give some pages another paper or other margins. All pages use those of the first page, because of content_area_* or page_height=-1.',
      { code: 'option-without-effect', options: ['css_page_rule_mode'] },
    );
  else if (ownPaper.varies && body.plan.placement !== undefined)
    log.note(
      'The @page rules give some pages another paper or other margins. All pages use those of the first page, because content_fit_mode or contents_matrix places the content on the paper after printing.',
      {
        code: 'option-without-effect',
        options: ['css_page_rule_mode', 'content_fit_mode', 'contents_matrix'],
      },
    );
}

/** Logs the layout of an image; `contentHeight` is in CSS pixels. */
export function noteImageLayout(
  page: Page,
  contentHeight: number,
  ...[size, run]: [ImageSize, WindowRun]
): void {
  const { width, height, layoutWidth } = size;
  run.log.write({
    kind: 'layout',
    text: `Laid out ${layoutWidth} x ${contentHeight} px, captured at ${width} x ${height} px.`,
    detail: { ...viewportOf(page, layoutWidth), scale: width / layoutWidth, image: { width, height } },
  });
}

function viewportOf({ window: { emulation } }: Page, width: number) {
  const { viewport = { width, height: 0 }, media = 'screen' } = emulation;
  return { viewport: { width: viewport.width, height: viewport.height }, media } as const;
}

function noteNotOnePage({ plan, inspection }: PrintedBody, { log, job: { options } }: WindowRun): void {
  if (plan.placement !== undefined && (options.conversion_config ?? []).some(changesPaper))
    log.note(
      'Paper, margins and heights in conversion_config have no effect, because content_fit_mode or contents_matrix places the content on the paper after printing.',
      { code: 'option-without-effect', options: ['conversion_config'] },
    );
  if (requiresOnePage(options) && inspection.pages > 1)
    log.note(
      `The content does not fit on one page and takes ${inspection.pages} pages: paper is at most 200in high, and elements as high as the viewport grow with the page.`,
      { code: 'not-one-page', options: ['page_height', 'content_fit_mode'] },
    );
}

/** Returns whether the options require that the content fits on one page. The plan may be unable to achieve this. */
function requiresOnePage({ page_height, content_fit_mode }: Options): boolean {
  return page_height === 'content' || content_fit_mode.startsWith('single-page');
}

/** Smaller overlaps would be reported as 0.00in. */
const minOverlapInches = 0.005;

/** Adds a note if the content overlaps a header or footer. Only the content_area_* options can cause this. */
function noteOverlaps({ log, job: { options } }: WindowRun): void {
  const area = contentAreaFor(options);
  const { margins, header, footer } = geometryFor(options);
  const overlaps = [
    { side: 'header', overlap: margins.top + header - area.top },
    { side: 'footer', overlap: margins.bottom + footer - area.bottom },
  ] as const;
  for (const { side, overlap } of overlaps) {
    if (!hasHeaderFooter(options, side) || overlap <= minOverlapInches) continue;
    const text = `content_area_y or content_area_height places the content ${overlap.toFixed(2)}in inside the ${side}, so the two may overlap.`;
    log.note(text, {
      code: 'header-footer-overlaps',
      options: ['content_area_y', 'content_area_height', `${side}_height`],
    });
  }
}

/** Logs the size of a PDF, and how much of it fonts and images take. */
export function noteSizes(sizes: PdfSizes, { log }: WindowRun): void {
  const { total, fonts, images, rest, largest } = sizes;
  const text = `${kilobytes(total)} in total: fonts ${kilobytes(fonts)}, images ${kilobytes(images)}, other objects ${kilobytes(rest)}.`;
  log.write({ kind: 'sizes', text, detail: { total, fonts, images, rest, largest } });
}

/** Logs the size of an image. */
export function noteImageSize({ length: total }: Buffer, { log }: WindowRun): void {
  const detail = { total, fonts: 0, images: total, rest: 0, largest: [] };
  log.write({ kind: 'sizes', text: `${kilobytes(total)} in total.`, detail });
}

function kilobytes(bytes: number): string {
  return bytes < 10_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${Math.round(bytes / 1000)} kB`;
}

// Notes on content that does not fit on its paper: it is cut at the right edge, or much smaller than usual.

/** Edges may be at fractions of pixels. */
const tolerancePixels = 1;

/** The lowest relative size of content, compared with its usual size, that is not reported. */
const minRelativeSize = 0.75;

/** Adds a note if the content of a PDF is cut or much smaller than usual. */
function noteFit({ plan, layoutWidth }: Pick<PrintedBody, 'plan' | 'layoutWidth'>, run: WindowRun): void {
  const { options, givenOptions } = run.job;
  const { content_fit_mode: mode, content_viewport_width: viewportWidth } = options;
  const areaWidth = contentAreaFor(options).width * pixelsPerInch;
  if (mode === 'no-scaling') {
    noteCut(run, { layoutWidth, shown: areaWidth / plan.scale });
    return;
  }
  const adaptsWidth = viewportWidth === 'balanced' || scalesWideContent(options);
  if (!adaptsWidth || mode.startsWith('single-page')) return;
  const { width, minWidth } = layoutFor(options, givenOptions);
  const usualWidth = width === 'balanced' ? minWidth : width;
  noteShrunk(run, { layoutWidth, usualWidth, relativeSize: (plan.scale * usualWidth) / areaWidth });
}

interface ClippedLayout {
  readonly layoutWidth: number;
  /** Width of the layout that is visible on the paper, in CSS pixels. */
  readonly shown: number;
}

function noteCut({ log, job: { options } }: WindowRun, { layoutWidth, shown }: ClippedLayout): void {
  if (layoutWidth <= shown + tolerancePixels || options.contents_matrix !== undefined) return;
  const remedy =
    options.content_viewport_width === 'balanced'
      ? 'The content needs this width. To scale it to the paper, omit content_fit_mode=no-scaling.'
      : 'To make the layout as wide as the paper, set content_viewport_width=balanced.';
  log.note(
    `Without scaling the paper shows ${Math.floor(shown)} px of a layout ${layoutWidth} px wide; the rest is cut. ${remedy}`,
    { code: 'content-cut', options: ['content_viewport_width', 'content_fit_mode'] },
  );
}

interface ShrunkLayout {
  readonly layoutWidth: number;
  /** Width that the layout would have without the wide element, in CSS pixels. */
  readonly usualWidth: number;
  /** Size of the content relative to its size in a layout of the usual width. */
  readonly relativeSize: number;
}

function noteShrunk({ log }: WindowRun, { layoutWidth, usualWidth, relativeSize }: ShrunkLayout): void {
  if (relativeSize >= minRelativeSize) return;
  log.note(
    `An element is so wide that the page was laid out ${layoutWidth} px wide instead of ${usualWidth}, and the content was scaled to ${Math.round(relativeSize * 100)} % of its size. To avoid this, give images and tables a max-width. Or set content_fit_mode=viewport-width and a content_viewport_width in pixels, which cuts content that is too wide.`,
    { code: 'content-shrunk', options: ['custom_css', 'content_fit_mode', 'content_viewport_width'] },
  );
}
