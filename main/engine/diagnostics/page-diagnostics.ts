/**
 * Examines a page before it is printed or captured: for warnings, and for the debug log images, encoding, dialogs and a small
 * screenshot.
 */
import { staticTextOf } from '../../input/static-document.ts';
import { isSurelyComplete } from './static-text.ts';
import type { EncodingEvent, ExaminedImage, ScreenshotEvent } from '../../log/events.ts';
import type { WindowRun } from '../window-run.ts';
import { runDiagnosticWithin, budgetFor, runDiagnostic, type DiagnosticsRun } from './diagnostics-budget.ts';
import { callPageScript } from '../devtools/evaluate.ts';
import { executeJavaScript } from '../devtools/page-calls.ts';
import type { Page } from '../page.ts';
import { groupedBy, listed, shortText } from '../../log/findings/phrases.ts';
import type { UnprintedCause } from '../page-scripts/examine/unprinted.ts';
import type { PageFacts } from '../page-scripts/examine/examine.ts';
import type { DiagnosticsOptions, WarningFacts } from '../page-scripts/examine/warnings.ts';
import { displayUrl, withDisplayUrls } from '../requests/shown-address.ts';
import { pause } from '../../async/signals.ts';
import type { Loading } from '../loading/loading.ts';
import type { Dialog, Dialogs } from '../page-scripts/dialogs.ts';

/** Maximum number of elements that are examined, to save time. */
const maxElements = 20_000;
/** Duration in milliseconds, measured with a thousand elements. */
const costMs = 5;

/** The output for which a page is examined. */
export type OutputConditions = Omit<DiagnosticsOptions, 'maxElements'>;

/**
 * Examines the page and logs the findings that are complete before the print. Returns all findings for diagnosePrint. Returns
 * undefined if the log is not recorded (then only warnings are looked for), the budget is used up, or the page does not answer.
 * @throws the signal's reason
 */
export async function diagnosePage(
  page: Page,
  run: WindowRun,
  conditions: OutputConditions,
): Promise<DiagnosticsRun | undefined> {
  const options: DiagnosticsOptions = { ...conditions, maxElements };
  const budget = run.log.isRecorded ? budgetFor(page.window, run) : undefined;
  if (budget === undefined) {
    await examineForWarnings(page, run, options);
    return undefined;
  }
  const facts = await runDiagnosticWithin(run, budget, {
    stage: 'examine the page',
    milliseconds: costMs,
    work: () => examinePage(page, options),
  });
  if (facts === undefined) return undefined;
  writeImages(run, facts);
  writeEncoding(page, run, facts);
  keepWarnings(run, facts);
  await writeScreenshot(page, run, { ...facts, budget });
  return { ...facts, budget };
}

/**
 * Finds what warnings follow from if the log is not recorded. Does nothing for a static text that can have no such problem.
 * @throws the signal's reason
 */
async function examineForWarnings(page: Page, run: WindowRun, options: DiagnosticsOptions): Promise<void> {
  const text = staticTextOf(page.source, run.job.givenOptions)?.searchable;
  if (text !== undefined && isSurelyComplete(text, run.job.options)) return;
  const facts = await runDiagnostic(run, 'examine the page', () =>
    callPageScript(page.window.contents, 'warnings.examineForWarnings', options),
  );
  if (facts !== undefined) keepWarnings(run, facts);
}

/** Keeps what warnings follow from. */
function keepWarnings(run: WindowRun, facts: WarningFacts): void {
  const { brokenImages, overflows, failedFonts } = facts;
  const { log } = run;
  if (facts.elements > maxElements)
    log.note(
      `The page has more than ${maxElements.toLocaleString('en')} elements; only the first ones were examined.`,
      { code: 'not-examined' },
    );
  noteHiddenContent(run, facts);
  noteUnprinted(run, facts);
  noteCovered(run, facts);
  const broken = shownImages(brokenImages);
  if (broken.length > 0) log.keep({ kind: 'images', text: textOfImages(broken), detail: { images: broken } });
  if (overflows.length > 0)
    log.keep({ kind: 'breaks', text: '', detail: { overflows, splits: [], tall: [] } });
  if (failedFonts.length > 0)
    log.keep({ kind: 'fonts', text: '', detail: { stacks: [], failed: failedFonts, missing: [] } });
}

async function examinePage({ window }: Page, options: DiagnosticsOptions): Promise<PageFacts> {
  return callPageScript(window.contents, 'examine.examinePage', options);
}

function writeImages({ log }: WindowRun, facts: PageFacts): void {
  const images = shownImages(facts.images);
  if (images.length > 0) log.write({ kind: 'images', text: textOfImages(images), detail: { images } });
}

function shownImages(images: readonly ExaminedImage[]): ExaminedImage[] {
  return images.map((image) => ({ ...image, url: displayUrl(image.url) }));
}

function textOfImages(images: readonly ExaminedImage[]): string {
  const sentences = images.map(({ url, problem, natural, shown }) =>
    problem === 'broken'
      ? `${url} cannot be shown`
      : `${url} has ${natural.width} x ${natural.height} pixels and is shown at ${shown.width} x ${shown.height}`,
  );
  return `${sentences.join('; ')}.`;
}

function noteHiddenContent({ log, job }: WindowRun, { hidden }: Pick<PageFacts, 'hidden'>): void {
  const { expand_scroll_areas: isExpanded } = job.options;
  for (const { element, shown, content } of hidden) {
    const side = content.height > shown.height ? 'height' : 'width';
    const share = 1 - (shown.height * shown.width) / (content.height * content.width);
    const percent = Math.min(99, Math.max(1, Math.round(share * 100)));
    const remedy = isExpanded ? 'It could not be expanded.' : 'expand_scroll_areas=true shows all of it.';
    log.note(
      `${element} can be scrolled and shows ${shown[side]} of the ${content[side]} px of its ${side}; about ${percent} % of its content is missing. ${remedy}`,
      { code: 'content-hidden', options: isExpanded ? ['custom_css'] : ['expand_scroll_areas'] },
    );
  }
}

const unprintedSentences: Readonly<Record<UnprintedCause, (elements: string) => string>> = {
  filter: (elements) =>
    `A filter makes the text of ${elements} a picture, which cannot be searched, selected or read aloud. Remove the filter for print (@media print).`,
  'text without background': (elements) =>
    `The text of ${elements} is invisible: only its background shows it (background-clip: text), and no_background omits backgrounds. Give it a colour.`,
  depth: (elements) =>
    `The depth of the content of ${elements} is ignored in print (translateZ with transform-style: preserve-3d), so some of it may cover the rest. Use z-index.`,
  hyphens: (elements) =>
    `The text of ${elements} is not hyphenated, because Chromium has no dictionary for hyphens: auto here. Mark the places with &shy;.`,
  'tall table head': (elements) =>
    `${elements} is repeated on no further page, because it is taller than a quarter of the page. Make the head of the table smaller.`,
  'open cell': (elements) =>
    `${elements} continues on the next page, and has no line at the end of the page. Divide it into several rows, or set border-collapse: separate and box-decoration-break: clone.`,
};

/** Notes style that is printed differently than a browser shows it. */
function noteUnprinted({ log }: WindowRun, { unprinted, marginBoxes }: WarningFacts): void {
  for (const [cause, found] of groupedBy(unprinted, (style) => style.cause)) {
    const elements = listed(found, ({ element }) => shortText(element, 80));
    log.note(unprintedSentences[cause](elements), { code: 'css-not-printed', options: ['custom_css'] });
  }
  if (marginBoxes.length > 0)
    log.note(
      `Margin boxes are not printed: ${listed(marginBoxes, (name) => name)}. Use header_html and footer_html, which have page numbers too.`,
      { code: 'css-not-printed', options: ['header_html', 'footer_html'] },
    );
}

/** Notes text that fixed elements cover. */
function noteCovered({ log }: WindowRun, { covering }: WarningFacts): void {
  for (const { element, isOnFirstPage, lines, pages } of covering) {
    const covered = `about ${lines} ${lines === 1 ? 'line' : 'lines'} of text`;
    log.note(
      isOnFirstPage
        ? `${element} is fixed in the viewport, so it is printed at its place on the first page and covers ${covered} there. fixed_elements=hide omits it.`
        : `${element} is fixed in the viewport, so it is printed on each page and covers ${covered} on ${pages} of them. fixed_elements=first-page prints it once; fixed_elements=hide omits it.`,
      { code: 'fixed-element-covers', options: ['fixed_elements'] },
    );
  }
}

function writeEncoding(page: Page, { log, job }: WindowRun, { encoding: found }: PageFacts): void {
  const { encoding, meta, replaced, garbled } = found;
  const declared = declaredBy(page, job.input.kind === 'text') ?? (meta ? 'meta' : 'nothing');
  const origins = {
    header: 'as its Content-Type says',
    meta: 'as it declares',
    mark: 'by its byte order mark',
    nothing: 'declared nowhere',
  };
  const faults = [
    ...(replaced > 0 ? [`${replaced} characters could not be read`] : []),
    ...(garbled === undefined ? [] : [`"${garbled}" looks like UTF-8 that was read as something else`]),
  ];
  const text = [`The document was read as ${encoding}, ${origins[declared]}`, ...faults].join('; ');
  const detail = { encoding, declared, replaced, ...(garbled !== undefined && { garbled }) };
  log.write({ kind: 'encoding', text: `${text}.`, detail });
}

/**
 * Returns what determined the encoding; undefined if at most a meta element declares it. A byte order mark takes precedence over a
 * Content-Type, which takes precedence over a meta element. The Content-Type of an uploaded file does not count, because the
 * service guesses it (html-text.ts).
 */
function declaredBy(
  { source, window }: Page,
  isText: boolean,
): EncodingEvent['detail']['declared'] | undefined {
  if (source.kind === 'remote')
    return window.context.requests.pageCharset() === undefined ? undefined : 'header';
  const start = source.bytes.toString('latin1', 0, 3);
  if (/^(\xef\xbb\xbf|\xfe\xff|\xff\xfe)/.test(start)) return 'mark';
  return isText ? 'header' : undefined;
}

const screenshotWidth = 320;
const jpegQuality = 60;
/** Maximum length of a screenshot in base64. A longer screenshot is not logged. */
const maxScreenshotLength = 60_000;
const maxSketchedElements = 3000;
/** A capture usually takes 20 ms in a window that draws full frames. */
const captureTimeoutMs = 300;
/** Measured durations in milliseconds. They depend on the number of elements. */
const sketchCostMs = { base: 5, perElement: 0.012 } as const;

/** Logs a small screenshot of the page before it is printed or captured. @throws the signal's reason */
async function writeScreenshot(page: Page, run: WindowRun, diagnostics: DiagnosticsRun): Promise<void> {
  const screenshot = await runDiagnosticWithin(run, diagnostics.budget, {
    stage: 'take a screenshot of the page',
    milliseconds:
      sketchCostMs.base + sketchCostMs.perElement * Math.min(diagnostics.elements, maxSketchedElements),
    work: async () => (await captureScreenshot(page, run)) ?? (await sketchScreenshot(page)),
  });
  if (screenshot !== undefined && screenshot.detail.data.length <= maxScreenshotLength)
    run.log.write(screenshot);
}

/**
 * Captures what the window shows. Returns undefined for a static window, or if the capture takes too long. A capture over the
 * DevTools protocol would resize the page, and could crash the service if the renderer were lost meanwhile.
 */
async function captureScreenshot({ window }: Page, run: WindowRun): Promise<ScreenshotEvent | undefined> {
  // A static window draws one frame a second, so its frame may be out of date.
  if (window.kind === 'static') return undefined;
  const timeout = pause(captureTimeoutMs, run.signal).then(() => undefined);
  const frame = await Promise.race([window.contents.capturePage(), timeout]);
  if (frame === undefined || frame.isEmpty()) return undefined;
  const thumbnail = frame.resize({ width: screenshotWidth, quality: 'good' });
  const data = thumbnail.toJPEG(jpegQuality).toString('base64');
  const { height } = thumbnail.getSize();
  return {
    kind: 'screenshot',
    text: 'The page before it was printed or captured.',
    detail: { type: 'image/jpeg', width: screenshotWidth, height, data },
  };
}

async function sketchScreenshot({ window }: Page): Promise<ScreenshotEvent | undefined> {
  const sketch = await callPageScript(window.contents, 'sketch.sketch', screenshotWidth, maxSketchedElements);
  return (
    sketch && {
      kind: 'screenshot',
      text: 'The page before it was printed, drawn from its layout, without background images and effects.',
      detail: { type: 'image/jpeg', ...sketch },
    }
  );
}

const dialogAnswers: Readonly<Record<Dialog['kind'], string>> = {
  alert: 'was closed',
  confirm: 'was answered with "Cancel" (false)',
  prompt: 'was answered with "Cancel" (null)',
};

/**
 * Notes in the debug log which dialogs a page opened and how they were answered, because an answer may change what the page shows.
 * Does nothing if the log is not recorded.
 */
export async function noteDialogs({ window, source, run }: Loading): Promise<void> {
  if (!run.log.isRecorded || !source.scripts || run.job.options.disable_javascript) return;
  const answer = await runDiagnostic(run, 'find dialogs', () =>
    executeJavaScript(window.contents, dialogsCode),
  );
  const { count, first } = validDialogs(answer);
  if (count === 0) return;
  const list = first
    .map(({ kind, text }) => `${kind}(${JSON.stringify(text)}) ${dialogAnswers[kind]}`)
    .join('; ');
  const more = count > first.length ? `; and ${count - first.length} more` : '';
  run.log.note(`The page opened dialogs, which were answered automatically: ${list}${more}.`, {
    code: 'dialog-answered',
  });
}

/** See page-scripts/dialogs.ts. */
const dialogsCode = "globalThis[Symbol.for('platen.dialogs')]?.all()";

const maxListed = 5;
const maxTextLength = 200;

/** Returns the valid dialogs in the answer. The answer is checked, because the page's scripts can forge it. */
function validDialogs(answer: unknown): Dialogs {
  const { count, first } = { ...(answer as Partial<Record<keyof Dialogs, unknown>> | null | undefined) };
  const entries = Array.isArray(first) ? (first as unknown[]).slice(0, maxListed) : [];
  const valid = entries.flatMap((entry) => {
    const { kind, text } = { ...(entry as Partial<Record<keyof Dialog, unknown>> | null) };
    if (typeof kind !== 'string' || !Object.hasOwn(dialogAnswers, kind) || typeof text !== 'string')
      return [];
    return [{ kind: kind as Dialog['kind'], text: withDisplayUrls(text.slice(0, maxTextLength)) }];
  });
  return { count: typeof count === 'number' && Number.isSafeInteger(count) ? count : 0, first: valid };
}
