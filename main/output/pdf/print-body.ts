/**
 * Prints a page, and repeats the print if it is blank, on the wrong paper, on several pages instead of one, or with wrong page
 * references.
 */
import { outputFailed } from '../../engine/renderer-loss.ts';
import { cutOverflow, layoutPaper } from '../../engine/window/print.ts';
import type { WindowRun } from '../../engine/window-run.ts';
import { callInPage, callPageScript } from '../../engine/devtools/evaluate.ts';
import type { Page } from '../../engine/page.ts';
import { Failure } from '../../failure/failure.ts';
import type { Margins, Paper } from '../../job/paper.ts';
import { inspect, type Inspection } from '../pdf-reader/inspect-pdf.ts';
import { staticTextOf } from '../../input/static-document.ts';
import { hasOutline, isAccessible } from '../../job/rules.ts';
import type { PageRuleBox } from '../../job/page-rule-paper.ts';
import { boxesOfPages } from './page-boxes.ts';
import { planPrint, type PrintPlan } from './print-plan.ts';

export interface PrintedBody {
  readonly bytes: Buffer;
  readonly inspection: Inspection;
  readonly plan: PrintPlan;
  /** The box of each page, if the page's @page rules set the paper and the pages have headers or footers. */
  readonly boxes?: readonly (PageRuleBox | undefined)[];
  /** Width of the layout in CSS pixels. */
  readonly layoutWidth: number;
}

const maxAttempts = 4;

/** Returns the margins of the printed pages. */
function marginsOf({ placement, settings, page }: PrintPlan): Margins {
  return placement === undefined ? page.margins : settings.margins;
}

/**
 * Prints the page. If the first printed page is blank although the web page shows content on screen, prints again one frame later.
 * If it is still blank, logs a note.
 * @throws Failure tooComplex; elementNotFound for a page reference without a target
 */
export async function printBody(page: Page, run: WindowRun): Promise<PrintedBody> {
  await joinOwnLinks(page, run);
  if (planPrint(run.job.options, page).onePage) await callInPage(page.window.contents, fixViewportHeights);
  const body = await printReferences(page, run);
  if (body.bytes.length > maxBlankBytes || !body.inspection.isBlank(0)) return body;
  const { contents } = page.window;
  const content = await callInPage(contents, visibleContent);
  if (content === '') {
    noteEmpty(run);
    return body;
  }
  await callInPage(contents, nextFrame, frameTimeoutMs);
  const secondBody = await printPages(page, run);
  if (secondBody.inspection.isBlank(0)) noteBlank(run, content);
  return secondBody;
}

/**
 * Replaces heights in units of the viewport (css-values-4, 6.1.2) by pixels. In print, they follow the height of the page: content
 * below an element of 100vh would never fit on one page. Runs inside the page, and is sent as its source text.
 */
function fixViewportHeights(): void {
  const pixels = window.innerHeight / 100;
  const unit = /(?<![\d.])([\d.]+)[sld]?vh\b/g;
  const fix = (style: CSSStyleDeclaration) => {
    for (const name of [...style]) {
      const value = style.getPropertyValue(name);
      const fixed = value.replace(unit, (_whole, count: string) => `${Number(count) * pixels}px`);
      if (fixed !== value) style.setProperty(name, fixed, style.getPropertyPriority(name));
    }
  };
  const visit = (rules: CSSRuleList) => {
    for (const rule of rules) {
      if (rule instanceof CSSStyleRule) fix(rule.style);
      if ('cssRules' in rule) visit(rule.cssRules as CSSRuleList);
    }
  };
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets])
    try {
      visit(sheet.cssRules);
    } catch {
      // A style sheet of another site cannot be read.
    }
  for (const element of document.querySelectorAll<HTMLElement>('[style*="vh"]')) fix(element.style);
}

/** Makes links to an uploaded document itself links inside it. A static document has no relative links. */
async function joinOwnLinks({ source, window }: Page, { job: { input } }: WindowRun): Promise<void> {
  if (source.kind === 'remote' || source.staticText !== undefined) return;
  const folder = source.path.slice(0, source.path.lastIndexOf('/') + 1);
  const names = ['./', ...[folder, source.path].map((path) => encodeURI(`/${path}`))];
  // Without other files, the name of the upload can only be that of the document.
  if (input.kind === 'file' && source.files === undefined) names.push(encodeURIComponent(input.upload.name));
  await callPageScript(window.contents, 'print-destinations.joinOwnLinks', names);
}

/** Prints the pages, repeatedly if the page has page references. */
async function printReferences(page: Page, run: WindowRun): Promise<PrintedBody> {
  if (!mayHaveReferences(page, run)) return printPages(page, run);
  const found = await callPageScript(
    page.window.contents,
    'page-references.findPageReferences',
    run.classPrefixes,
    maxReferences,
  );
  if (found.count === 0) return printPages(page, run);
  if (found.count > maxReferences) throw tooManyReferences(found.count);
  const { printWithReferences } = await import('./page-references.ts');
  return printWithReferences(page, run, { found, print: () => printPages(page, run) });
}

/** Each is compared on the main thread after each print. */
const maxReferences = 10_000;

function tooManyReferences(count: number): Failure {
  const [limit, actual] = [maxReferences, count].map((number) => number.toLocaleString('en'));
  return new Failure('tooComplex', `A page may have ${limit} page references; it has ${actual}.`);
}

/** Returns false if the text of the document contains all its elements and classes, and none is a page reference. */
function mayHaveReferences({ source }: Page, { job, classPrefixes }: WindowRun): boolean {
  const text = staticTextOf(source, job.givenOptions)?.searchable;
  return text === undefined || classPrefixes.some((prefix) => text.includes(`${prefix}-page-ref`));
}

/** Larger PDFs contain a font or an image and are not checked for a blank first page. */
const maxBlankBytes = 5000;
/** The longest wait for a frame in milliseconds. Windows for documents without scripts draw one frame a second. */
const frameTimeoutMs = 1200;

/** Describes what the page shows on screen: the beginning of its text, or an image. Returns an empty string if it shows nothing. */
function visibleContent(): string {
  const { body } = document as { readonly body: HTMLElement | null };
  const isVisible = body?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) === true;
  if (!isVisible) return '';
  const text = body.innerText.trim().replace(/\s+/g, ' ').slice(0, 60);
  if (text !== '') return `the text "${text}"`;
  return document.querySelector('img, svg, canvas') === null ? '' : 'an image';
}

function nextFrame(timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, timeoutMs);
    requestAnimationFrame(() => {
      resolve();
    });
  });
}

function noteBlank({ log, job: { options } }: WindowRun, content: string): void {
  const cause = options.use_print_media
    ? 'its @media print rules may hide it; try use_print_media=false'
    : 'it may be white, transparent, or outside the paper';
  log.note(
    `The first page of the PDF is blank, although the web page shows ${content} on screen: ${cause}.`,
    {
      code: 'blank-output',
      options: ['use_print_media', 'javascript_delay', 'content_fit_mode'],
    },
  );
}

/** A script that stops early often leaves the page empty. */
function noteEmpty({ log }: WindowRun): void {
  const hasError = log.warnings.some(({ code }) => code === 'script-error');
  const cause = hasError
    ? 'a script of the page stopped with an error before it could show anything'
    : 'it shows no text and no pictures at the time of the conversion';
  log.note(`The first page of the PDF is blank, and so is the web page on screen: ${cause}.`, {
    code: 'blank-output',
    options: ['javascript_delay', 'wait_for_element'],
  });
}

async function printPages(page: Page, run: WindowRun): Promise<PrintedBody> {
  const { options } = run.job;
  const settings = {
    noBackground: options.no_background,
    tagged: options.tagged || isAccessible(options),
    outline: hasOutline(options),
  };
  const hasFixedWidth = ['viewport-width', 'no-scaling'].includes(options.content_fit_mode);
  if (hasFixedWidth) await cutOverflow(page.window.contents);
  let laidOut = page;
  for (let attempt = 1; ; attempt += 1) {
    const plan = planPrint(options, laidOut);
    const print = (plainPaper: boolean) =>
      run.log.timeStage('print', () =>
        page.window
          .print({ ...plan.settings, ...settings, ignoresBreaks: plan.onePage, plainPaper })
          .catch(tooComplex),
      );
    let bytes = await print(false);
    let inspection = await inspect(bytes, marginsOf(plan));
    if (plan.placement === undefined && !isOnPlannedPaper(plan, inspection)) {
      bytes = await print(true);
      inspection = await inspect(bytes, marginsOf(plan));
    }
    if (!plan.onePage || inspection.pages === 1 || attempt === maxAttempts) {
      const boxes = await boxesOfPages(page, plan, inspection);
      return { bytes, inspection, plan, layoutWidth: laidOut.layoutWidth, ...(boxes && { boxes }) };
    }
    run.signal.throwIfAborted();
    laidOut = withMoreRoom(laidOut, inspection.pages);
  }
}

/**
 * Returns whether the PDF has the paper of the plan. Chromium ignores @page rules if the document has no box, as with
 * `html { display: none }`, or no room between its margins. Such a document must be printed again with `plainPaper`.
 */
function isOnPlannedPaper({ settings, page }: PrintPlan, { pages, paperOf }: Inspection): boolean {
  const layout = layoutPaper(settings);
  if (isNear(layout, page.paper)) return true;
  const checked = settings.pageRulesOverride === true ? Math.min(pages, maxCheckedPages) : 1;
  return !Array.from({ length: checked }, (_, index) => paperOf(index)).some((paper) =>
    isNear(paper, layout),
  );
}

const maxCheckedPages = 100;

/** Returns whether two sizes are equal within about two points, because Chromium rounds paper sizes. */
function isNear(left: Paper, right: Paper): boolean {
  return Math.abs(left.width - right.width) < 0.03 && Math.abs(left.height - right.height) < 0.03;
}

/**
 * Returns the page with a larger content height or layout width, so that the content fits on one page. The print layout differs
 * slightly from the screen layout, so the content may need more room than measured.
 */
function withMoreRoom(page: Page, pages: number): Page {
  const factor = pages > 2 ? pages : 1.02;
  const { layoutWidth, contentBox } = page;
  if (contentBox === undefined) return { ...page, layoutWidth: Math.ceil(layoutWidth * Math.sqrt(factor)) };
  return { ...page, contentBox: { ...contentBox, height: Math.ceil(contentBox.height * factor) + 2 } };
}

function tooComplex(cause: unknown): never {
  throw outputFailed('The document is too large or too complex to print; split it into several.', cause);
}
