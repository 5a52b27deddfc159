/**
 * Applies options that change the loaded page: the caller's style sheet and scripts, removed backgrounds, alternative texts. Also
 * applies the markup conventions, and shows content outside the viewport that Chromium skips or that scrolling reveals.
 */
import { randomUUID } from 'node:crypto';
import { isImage } from '../../../job/job.ts';
import { pause } from '../../../async/signals.ts';
import { conventionStyles } from '../inline-document.ts';
import {
  callInPage,
  callPageScript,
  pageScriptCall,
  runInFrames,
  runInPage,
  sendInChunks,
} from '../../devtools/evaluate.ts';
import { insertCss } from '../../devtools/page-calls.ts';
import type { Loading, StepWork } from '../loading.ts';
import { loadTimeoutLeft } from '../load-timeout.ts';
import type { EngineWindow } from '../../window/engine-window.ts';
import { Failure } from '../../../failure/failure.ts';
import { loadFontsAndImages } from './load-fonts-and-images.ts';
import { settleAgain } from './settle.ts';

export async function injectStyles({ window, run }: Loading): Promise<void> {
  const { options } = run.job;
  const css = options.custom_css ?? '';
  const deadline = performance.now() + loadTimeoutLeft(run, window.context.requests.elapsedMs(), 1 / 4);
  const remainingMs = () => Math.max(0, deadline - performance.now());
  const classes = run.classPrefixes.map((prefix) => `${prefix}-body`);
  // For a PDF, the print omits backgrounds (PrintSettings.noBackground).
  const removesBackgrounds = options.no_background && isImage(options);
  // On pages with scripts, page-preload.ts applies the conventions from the start.
  const userStyles = [
    options.disable_javascript && conventionStyles(run.classPrefixes),
    removesBackgrounds && noBackgrounds,
  ].filter(Boolean);
  await Promise.all([
    // In a user style sheet, !important overrides the page's styles.
    userStyles.length > 0 && insertCss(window.contents, userStyles.join('\n'), 'user'),
    addCustomCss(window, classes, { css, importTimeoutMs: remainingMs() }),
    removesBackgrounds && runInFrames(window.contents.mainFrame, withoutBackgrounds),
  ]);
  // The load event waits for resources of the page's own style sheets. No event reports that the resources of this one have loaded.
  if (loadsResources.test(css)) await waitForStyleResources({ window, run }, remainingMs);
}

/** Matches a style sheet that may load resources. */
const loadsResources = /url\((?!\s*(?:["']\s*)?(?:data:|#))|image-set\(|@import/i;

/** Electron may report a request this long after the call that caused it has returned. */
const requestReportDelayMs = 30;
const pollIntervalMs = 5;

async function waitForStyleResources(
  { window, run }: Pick<Loading, 'window' | 'run'>,
  remainingMs: () => number,
): Promise<void> {
  // Background images are requested in the layout, which a busy renderer may not have done yet.
  await callInPage(window.contents, layOut);
  let idleMs = 0;
  for (
    let last = performance.now();
    idleMs < requestReportDelayMs && remainingMs() > 0;
    last = performance.now()
  ) {
    await pause(pollIntervalMs, run.signal);
    // Time in which the main process was blocked does not count, because no request could be reported.
    const elapsedMs = Math.min(performance.now() - last, 2 * pollIntervalMs);
    idleMs = window.context.requests.pendingStyleResourceCount() > 0 ? 0 : idleMs + elapsedMs;
  }
}

/** Lays out the page. Runs inside the page. */
function layOut(): void {
  document.documentElement.getBoundingClientRect();
}

interface CustomCss {
  readonly css: string;
  readonly importTimeoutMs: number;
}

async function addCustomCss(
  { contents }: EngineWindow,
  classes: string[],
  { css, importTimeoutMs }: CustomCss,
): Promise<void> {
  const run = (code: string) => runInPage(contents, code);
  const cssCode = await sendInChunks({ run, key: randomUUID() }, css);
  await run(`(${addStyles.toString()})(${JSON.stringify(classes)}, ${cssCode} ?? '', ${importTimeoutMs})`);
}

const pseudoElements = ['before', 'after', 'first-line', 'first-letter', 'marker', 'placeholder', 'backdrop'];
const noBackgrounds = ['*', ...pseudoElements.map((name) => `*::${name}`)]
  .map((selector) => `${selector} { background: none !important }`)
  .join('\n');

/** Code that removes the backgrounds of a frame, because Electron cannot insert user style sheets into frames. */
const withoutBackgrounds = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(${JSON.stringify(noBackgrounds)});
  document.adoptedStyleSheets.push(sheet);
})()`;

/**
 * Adds the classes to the body, and the caller's style sheet to the page. Runs inside the page. Electron's insertCSS puts a style
 * sheet before those of the page. Therefore the caller's style sheet becomes a style element after them, and its imports are
 * awaited. If the page's Content-Security-Policy forbids style elements, the style sheet is adopted instead, and its imports are
 * ignored.
 */
async function addStyles(classes: string[], css: string, importTimeoutMs: number): Promise<void> {
  // An SVG document may have no body.
  (document.body as HTMLElement | null)?.classList.add(...classes);
  if (css === '') return;
  const style = document.createElement('style');
  style.textContent = css;
  const loaded = new Promise((resolve) => {
    style.onload = resolve;
    style.onerror = resolve;
    setTimeout(resolve, importTimeoutMs);
  });
  document.documentElement.append(style);
  if (style.sheet === null) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
  } else if (/@import/i.test(css)) await loaded;
  // Force a layout, in which Chromium requests the style sheet's resources. Otherwise it could request them as late as the print.
  document.documentElement.getBoundingClientRect();
}

const alternativeAttribute = 'data-platen-alternative';

/**
 * Shows alternative texts without the broken-image icon. Chromium draws this icon beside every alternative text, and in every image
 * that has a size. Therefore the image is hidden, and a pseudo-element shows the text.
 */
const alternativeTextStyles = `img[${alternativeAttribute}] { visibility: hidden !important }
img[${alternativeAttribute}]::before { content: attr(${alternativeAttribute}); visibility: visible !important }`;

/** `disable_image_loading`: shows the alternative texts of images that are not loaded. */
export function showAlternativeTexts({ window, run }: Loading): StepWork | undefined {
  if (!run.job.options.disable_image_loading) return undefined;
  return async () => {
    await insertCss(window.contents, alternativeTextStyles, 'user');
    await callInPage(window.contents, markMissingImages, alternativeAttribute);
  };
}

function markMissingImages(attribute: string): void {
  for (const image of document.images) {
    const visible = getComputedStyle(image).visibility === 'visible';
    if (image.naturalWidth > 0 || !visible || image.hasAttribute(attribute)) continue;
    image.setAttribute(attribute, image.alt);
    image.alt = '';
  }
}

/** Shows content that scroll-driven animations reveal (CSS Scroll-driven Animations 1). */
export function revealScrolled({ window, run, followsScrolling }: Loading): StepWork | undefined {
  if (followsScrolling !== true) return undefined;
  return async () => {
    const count = await callPageScript(window.contents, 'reveal.revealScrolled');
    run.log.setStageReason(
      `${count} animations that follow scrolling were stopped, as if their elements were in the middle of the window`,
    );
  };
}

/** In a page with more elements, the search would take longer than the capture. */
const maxElements = 50_000;

/**
 * For image output: renders content that `content-visibility: auto` skips because it is outside the viewport. Prints include it
 * anyway.
 */
export function renderSkippedContent({ window, run }: Loading): StepWork | undefined {
  if (!isImage(run.job.options)) return undefined;
  return () => callInPage(window.contents, renderSkipped, maxElements);
}

function renderSkipped(maxElements: number): void {
  const elements = document.querySelectorAll<HTMLElement>('body *');
  if (elements.length > maxElements) return;
  for (const element of elements)
    if (getComputedStyle(element).getPropertyValue('content-visibility') === 'auto')
      element.style.setProperty('content-visibility', 'visible', 'important');
}

// The caller's scripts run in the page's main world.

/** Runs on_load_javascript as soon as the page has loaded. @throws Failure scriptThrew */
export function runOnLoadJavascript(loading: Loading): StepWork | undefined {
  return runAtMostOnce(loading, 'on_load_javascript');
}

/** Runs custom_javascript when the page is ready, and waits for images that it adds. @throws Failure scriptThrew */
export function runCustomJavascript(loading: Loading): StepWork | undefined {
  const run = runAtMostOnce(loading, 'custom_javascript');
  if (run === undefined) return undefined;
  return async () => {
    await run();
    await loadFontsAndImages(loading);
    await settleAgain(loading)?.();
  };
}

/** Runs a script only once per job: a script that navigates the page would otherwise run again on each new page. */
function runAtMostOnce(
  { window, run, scriptsRun }: Loading,
  option: 'on_load_javascript' | 'custom_javascript',
): StepWork | undefined {
  const script = run.job.options[option];
  if (script === undefined || scriptsRun.has(option)) return undefined;
  return async () => {
    scriptsRun.add(option);
    // The library is defined only now, so that the page's scripts cannot use it to detect the conversion.
    await window.cdp.evaluate(await library(run.classPrefixes));
    const error = await window.cdp.runOnce(script, option);
    if (error !== undefined) throw new Failure('scriptThrew', `${option} threw ${error}.`);
  };
}

/** Returns code that defines the library `libService`, also under the name of the setting alias, such as `libPdfcrowd`. */
function library(prefixes: readonly string[]): Promise<string> {
  const names = prefixes.map((prefix) => `lib${prefix.charAt(0).toUpperCase()}${prefix.slice(1)}`);
  return pageScriptCall('library.defineLibrary', names);
}
