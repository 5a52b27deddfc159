/**
 * The one owner of printing. Electron 33's `printToPDF` keeps one queue for the whole process, and one failed print
 * poisons it: every later print of every window fails. Below it is the native `_printToPDF`, which has neither fault and
 * prints windows in parallel; later Electrons keep it with the same settings.
 */
import type { WebContents } from 'electron';
import type { Inches } from '../fields/measures.ts';
import type { SetRules } from './page-rules.ts';

export interface PrintSettings {
  readonly paper: { readonly width: Inches; readonly height: Inches };
  readonly margins: {
    readonly top: Inches;
    readonly right: Inches;
    readonly bottom: Inches;
    readonly left: Inches;
  };
  /** 0.1 to 2. The layout is as wide as the print area divided by it. */
  readonly scale: number;
  /** Pages that have other paper and margins, by their CSS selector (CSS Paged Media, 3.1). */
  readonly setups?: readonly PageSetting[];
  /** The page's own @page rules win over paper and margins. */
  readonly ownPageRules?: boolean;
  /** All of it is one page: forced breaks do not count. */
  readonly unbroken?: boolean;
  readonly noBackground?: boolean;
  readonly tagged?: boolean;
  readonly outline?: boolean;
}

interface PageSetting {
  readonly selector: '' | ':first' | ':left' | ':right';
  readonly paper: PrintSettings['paper'];
  readonly margins: PrintSettings['margins'];
}

interface Printer {
  readonly contents: WebContents;
  readonly setRules: SetRules;
}

/** Electron's inner method, left out of its types. */
interface NativePrinter {
  readonly _printToPDF?: (settings: object) => Promise<Buffer>;
}

const pixelsPerInch = 96;

/**
 * The PDF of what the window shows. Rejects when Chromium cannot print it.
 *
 * Paper and margins are given as an @page rule, which beats those of the page, and comes out finer than the whole points of
 * Chromium's own margins. Its paper is the layout's size instead: that is what media queries see, whatever the scale.
 */
export async function printToPdf({ contents, setRules }: Printer, settings: PrintSettings): Promise<Buffer> {
  await setRules(pageRules(settings));
  const native = contents as WebContents & NativePrinter;
  if (native._printToPDF === undefined) return contents.printToPDF(publicSettings(settings));
  // Chromium tells answers apart by this number, so it must differ among a window's prints.
  const requestID = Math.floor(Math.random() * 2 ** 31);
  return native._printToPDF({ ...nativeSettings(settings), requestID });
}

/** What Chromium's own sheet says in print media only, though paper is paper: the head of a table is repeated on each page. */
const repeatedHeadings = 'thead, tfoot { break-inside: avoid }';

function pageRules(settings: PrintSettings): string {
  const { paper, margins, setups = [], ownPageRules = false, unbroken = false } = settings;
  const importance = ownPageRules ? '' : ' !important';
  const rules = [{ selector: '', paper, margins }, ...setups].map(({ selector, ...page }) => {
    const { top, right, bottom, left } = page.margins;
    const size = `${page.paper.width}in ${page.paper.height}in${importance}`;
    return `@page ${selector} { size: ${size}; margin: ${top}in ${right}in ${bottom}in ${left}in${importance} }`;
  });
  const breaks = unbroken ? '* { break-before: auto !important; break-after: auto !important }' : '';
  return [repeatedHeadings, breaks, ...rules].join('\n');
}

/** The layout's size, as if it were paper. */
function layoutPaper({ paper, margins, scale }: PrintSettings): { width: Inches; height: Inches } {
  const width = (paper.width - margins.left - margins.right) / scale;
  const height = (paper.height - margins.top - margins.bottom) / scale;
  // Whole pixels: Chromium would round up to the next point, and a width of 800 would be 801.
  return { width: Math.round(width * pixelsPerInch) / pixelsPerInch, height };
}

function nativeSettings(settings: PrintSettings): object {
  const { width, height } = layoutPaper(settings);
  return {
    landscape: false,
    displayHeaderFooter: false,
    headerTemplate: '',
    footerTemplate: '',
    printBackground: settings.noBackground !== true,
    scale: settings.scale,
    paperWidth: width,
    paperHeight: height,
    marginTop: 0,
    marginRight: 0,
    marginBottom: 0,
    marginLeft: 0,
    pageRanges: '',
    preferCSSPageSize: true,
    // Chromium makes the outline of the tags.
    generateTaggedPDF: settings.tagged === true || settings.outline === true,
    generateDocumentOutline: settings.outline === true,
  };
}

function publicSettings(settings: PrintSettings): Electron.PrintToPDFOptions {
  return {
    pageSize: layoutPaper(settings),
    margins: { top: 0, right: 0, bottom: 0, left: 0 },
    scale: settings.scale,
    printBackground: settings.noBackground !== true,
    preferCSSPageSize: true,
    generateTaggedPDF: settings.tagged === true || settings.outline === true,
    generateDocumentOutline: settings.outline === true,
  };
}
