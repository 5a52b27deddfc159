/**
 * Prints pages to PDF, with the paper, margins and layout that a job asks for. electron-adapter.ts calls Electron.
 */
import type { WebContents } from 'electron';
import type { Inches } from '../../fields/kinds.ts';
import { callInPage } from '../devtools/evaluate.ts';
import { insertCss, removeInsertedCss } from '../devtools/page-calls.ts';
import { printContents, type PdfSettings } from './electron-adapter.ts';

export interface PrintSettings extends Pick<PdfSettings, 'paper' | 'margins' | 'scale'> {
  /** Paper and margins of certain pages, by CSS page selector (CSS Paged Media, 3.1). */
  readonly pageSettings?: readonly PageSetting[];
  /** The page's own @page rules override paper and margins. */
  readonly pageRulesOverride?: boolean;
  /** Paper and margins that replace those in the page's own @page rules, by selector. Margins without a value are not replaced. */
  readonly replacements?: readonly PageReplacement[];
  /** The size of the layout does not matter, so Chromium gets the paper unchanged. */
  readonly plainPaper?: boolean;
  /** The document is one page, so forced breaks are ignored. */
  readonly ignoresBreaks?: boolean;
  readonly noBackground?: boolean;
  readonly tagged?: boolean;
  readonly outline?: boolean;
}

interface PageSetting {
  readonly selector: '' | ':first' | ':left' | ':right';
  readonly paper: PrintSettings['paper'];
  readonly margins: PrintSettings['margins'];
}

interface PageReplacement {
  readonly selector: string;
  readonly paper: PrintSettings['paper'];
  readonly margins?: PrintSettings['margins'];
}

interface Printer {
  readonly contents: WebContents;
  readonly setRules: SetRules;
}

const pixelsPerInch = 96;
const pointsPerInch = 72;

/**
 * Prints the window's page and returns the PDF. An @page rule sets paper and margins, because it overrides the page's own rules,
 * and because it is more precise than Chromium's margins, which are whole points. Chromium gets the size of the layout as the paper
 * size, so that media queries match the layout at any scale.
 * @throws Error if Chromium cannot print the page
 */
export async function printToPdf({ contents, setRules }: Printer, settings: PrintSettings): Promise<Buffer> {
  await setRules(pageRules(settings));
  return printContents(contents, pdfSettings(settings));
}

/**
 * Repeats table headers and footers on each page. Chromium's own style sheet has this rule for print media only, but pages are also
 * printed in screen media.
 */
const repeatedHeadings = 'thead, tfoot { break-inside: avoid }';

/**
 * Returns the style sheet for the print, in the first cascade layer: its normal declarations lose to all declarations of the page,
 * and its important declarations override all important declarations of the page (CSS Cascade 5, 6.4.3).
 */
function pageRules(settings: PrintSettings): string {
  const {
    paper,
    margins,
    pageSettings = [],
    replacements = [],
    pageRulesOverride = false,
    ignoresBreaks = false,
  } = settings;
  const importance = pageRulesOverride ? '' : ' !important';
  const rules = [{ selector: '', paper, margins }, ...pageSettings].map(({ selector, ...page }) => {
    const size = `${sizeOf(page.paper)}${importance}`;
    return `@page ${selector} { size: ${size}; ${marginOf(page.margins)}${importance} }`;
  });
  const replacingRules = replacements.map(
    ({ selector, ...page }) =>
      `@page ${selector} { size: ${sizeOf(page.paper)} !important; ${page.margins === undefined ? '' : `${marginOf(page.margins)} !important`} }`,
  );
  const breaks = ignoresBreaks ? '* { break-before: auto !important; break-after: auto !important }' : '';
  return `@layer { ${[repeatedHeadings, breaks, ...rules, ...replacingRules].join('\n')} }`;
}

function sizeOf({ width, height }: PrintSettings['paper']): string {
  return `${width}in ${height}in`;
}

function marginOf({ top, right, bottom, left }: PrintSettings['margins']): string {
  return `margin: ${top}in ${right}in ${bottom}in ${left}in`;
}

const noMargins = { top: 0, right: 0, bottom: 0, left: 0 };

/**
 * Returns the paper and margins that are passed to Chromium. They apply where the page's rules set none, and to printed pages
 * without any box. At a scale other than 1, media queries match the layout only if the paper has the size of the layout.
 */
function chromiumPaper(settings: PrintSettings): Pick<PrintSettings, 'paper' | 'margins'> {
  const isPlain =
    settings.plainPaper === true || (settings.pageRulesOverride === true && settings.scale === 1);
  if (!isPlain) return { paper: layoutPaper(settings), margins: noMargins };
  // Rounded to points, because Chromium would round up to the next point.
  const rounded = (inches: Inches) => Math.max(1, Math.round(inches * pointsPerInch)) / pointsPerInch;
  const { width, height } = settings.paper;
  return { paper: { width: rounded(width), height: rounded(height) }, margins: settings.margins };
}

/** Returns the size of the layout in inches. */
export function layoutPaper({ paper, margins, scale }: Pick<PrintSettings, 'paper' | 'margins' | 'scale'>): {
  width: Inches;
  height: Inches;
} {
  const width = (paper.width - margins.left - margins.right) / scale;
  const height = (paper.height - margins.top - margins.bottom) / scale;
  // Rounded to pixels, because Chromium would round up to the next point, and a width of 800 would become 801.
  return { width: Math.round(width * pixelsPerInch) / pixelsPerInch, height };
}

function pdfSettings(settings: PrintSettings): PdfSettings {
  return {
    ...chromiumPaper(settings),
    scale: settings.scale,
    printBackground: settings.noBackground !== true,
    // Chromium derives the outline from the tags.
    generateTaggedPDF: settings.tagged === true || settings.outline === true,
    generateDocumentOutline: settings.outline === true,
  };
}

/** Cuts content that is wider than the layout. Otherwise Chromium would shrink the whole page to fit this content. */
export function cutOverflow(contents: WebContents): Promise<void> {
  return callInPage(contents, cutOverflowInPage);
}

/**
 * Clips overflow at the body, so that the document does not overflow. Runs inside the page. The body's right margin becomes
 * padding, because the layout ends at the edge of the viewport. The overflow of `html` must not stay `visible`; otherwise the
 * body's overflow would apply to the viewport (CSS Overflow 3, 3.3).
 */
function cutOverflowInPage(): void {
  const body = document.body as HTMLElement | null;
  if (body === null || document.documentElement.scrollWidth <= window.innerWidth) return;
  const { marginRight, paddingRight } = getComputedStyle(body);
  const margin = Number.parseFloat(marginRight) || 0;
  const setImportant = (element: HTMLElement, name: string, value: string) => {
    element.style.setProperty(name, value, 'important');
  };
  setImportant(document.documentElement, 'overflow-x', 'hidden');
  setImportant(body, 'overflow-x', 'clip');
  if (Math.abs(body.getBoundingClientRect().right + margin - window.innerWidth) > 1) return;
  setImportant(body, 'margin-right', '0');
  setImportant(body, 'padding-right', `${(Number.parseFloat(paddingRight) || 0) + margin}px`);
}

/** Inserts a style sheet into the current page and removes the previous one. Does nothing if it is the same style sheet. */
type SetRules = (css: string) => Promise<void>;

/** Returns a function that sets the service's style sheet for the paper of the current page. */
export function openPageRules(contents: WebContents): SetRules {
  let current: { readonly css: string; readonly key: string } | undefined;
  contents.on('did-navigate', () => (current = undefined));
  return async (css) => {
    if (current?.css === css) return;
    const previous = current;
    // Until the next insertion succeeds, the state is unknown.
    current = undefined;
    if (previous !== undefined) await removeInsertedCss(contents, previous.key);
    current = { css, key: await insertCss(contents, css) };
  };
}
