/**
 * Prints the headers or the footers of all pages. Each becomes a PDF page of the size of its area, which the finishing thread
 * places over the content. HTML without scripts is loaded once and copied for each page. HTML with scripts is loaded as a separate
 * document for each page. Both are printed in batches.
 */
import { Readable } from 'node:stream';
import { outputFailed } from '../../engine/renderer-loss.ts';
import type { WindowRun } from '../../engine/window-run.ts';
import { callPageScript, pageScriptCall } from '../../engine/devtools/evaluate.ts';
import { loadHeaderFooter, waitForHeaderFooter } from '../../engine/loading/steps/write.ts';
import type { EngineWindow } from '../../engine/window/engine-window.ts';
import type { Inches } from '../../fields/kinds.ts';
import { pixelsPerInch } from '../../job/layout.ts';
import type { HeaderFooterSide } from '../../job/paper.ts';
import { inspect } from '../pdf-reader/inspect-pdf.ts';
import type {
  ElementBox,
  HeaderFooterCopies,
  Excess,
  HeaderFooterFacts,
} from '../../engine/page-scripts/header-footer.ts';
import { numberFormats, formatNumber, type NumberFormat } from '../numerals.ts';
import { headerFooterName } from '../../engine/requests/shown-address.ts';
import { decodePath } from '../../input/folder-files.ts';
import type { Files, Source, StoredFile } from '../../input/source.ts';

interface HeaderFooterJob {
  readonly side: HeaderFooterSide;
  readonly content: HeaderFooterHtml;
  /** Pages of the output that show the header or footer, from 1. */
  readonly pages: readonly number[];
  readonly document: DocumentFacts;
  readonly width: Inches;
  readonly height: Inches;
  /** header_footer_scale_factor divided by 100. */
  readonly scale: number;
}

/** A batch of printed headers or footers. */
export interface PrintedHeaderFooter {
  readonly pdf: Buffer;
  /** For each page of `pdf`, the page of the output that shows it, from 1. */
  readonly pages: readonly number[];
}

/** The number of pages in a batch. The printing time grows with the square of the number of pages, layers and frames. */
const batchSize = 100;
/** The largest print scale in Chromium. At a larger scale, the finishing thread enlarges the printed pages. */
const maxScale = 2;
/** CSS pixels to subtract from the height, because an excess of a fraction of a pixel would start another page. */
const roundingPixels = 0.04;

interface HeaderFooterPrint {
  readonly window: EngineWindow;
  readonly run: WindowRun;
  readonly job: HeaderFooterJob;
  /** Returns the values for some pages. */
  readonly factsOf: (pages: readonly number[]) => readonly HeaderFooterFacts[];
  readonly box: ElementBox;
}

/** Prints the header or footer of each page of the job. @throws Failure if it cannot be loaded or printed */
export async function printHeaderFooter(
  window: EngineWindow,
  job: HeaderFooterJob,
  run: WindowRun,
): Promise<PrintedHeaderFooter[]> {
  const { content, document, scale } = job;
  const factsOf = pageFacts(document, formatsIn(content.html));
  const width = (job.width * pixelsPerInch) / scale;
  const height = (job.height * pixelsPerInch) / scale - roundingPixels;
  // A resource that never loads must not use up the timeout of the whole job.
  const options = { ...run.job.options, max_loading_time: undefined };
  const limitedRun = { ...run, job: { ...run.job, options }, jobTimeoutMs: run.jobTimeoutMs / 4 };
  const printing = { window, run: limitedRun, job, factsOf, box: { width, height } };
  return content.scripts ? printFrames(printing) : printCopies(printing);
}

async function printCopies(printing: HeaderFooterPrint): Promise<PrintedHeaderFooter[]> {
  const { window, run, job, box } = printing;
  const document = copiesDocument(job.content);
  await loadHeaderFooter(window, document, run);
  let clipped = false;
  const layOut = async (pages: readonly HeaderFooterFacts[]) => {
    const copies: HeaderFooterCopies = { pages, prefixes: run.classPrefixes, box, clipped };
    const laidOut = await callPageScript(window.contents, 'header-footer.layOutCopies', copies);
    // HTML with only text and styles causes no requests, so there is nothing to wait for.
    if (job.content.isStatic !== true) await waitForHeaderFooter(window, document, run);
    return laidOut;
  };
  return inBatches(printing, async (part) => {
    const { excess, mayOverflow } = await layOut(part);
    if (!clipped && excess.height === 0 && !mayOverflow) {
      const pdf = await print(printing);
      if ((await inspect(pdf)).pages === part.length) return { pdf, excess };
    }
    if (!clipped) {
      clipped = true;
      await layOut(part);
    }
    return { pdf: await print(printing), excess };
  });
}

async function printFrames(printing: HeaderFooterPrint): Promise<PrintedHeaderFooter[]> {
  const { window, run, job, box } = printing;
  return inBatches(printing, async (part) => {
    const { source, addresses } = framesDocument(job.content, part, run.classPrefixes);
    await loadHeaderFooter(window, source, run);
    await callPageScript(window.contents, 'header-footer.layOutFrames', {
      addresses,
      box,
      timeoutMs: run.jobTimeoutMs / 2,
    });
    const excess = await callPageScript(window.contents, 'header-footer.settleFrames', run.jobTimeoutMs / 4);
    return { pdf: await print(printing), excess };
  });
}

interface PrintedBatch {
  readonly pdf: Buffer;
  readonly excess: Excess;
}

async function inBatches(
  { run, job, factsOf }: HeaderFooterPrint,
  printBatch: (part: readonly HeaderFooterFacts[]) => Promise<PrintedBatch>,
): Promise<PrintedHeaderFooter[]> {
  const printed: PrintedHeaderFooter[] = [];
  let height = 0;
  let width = 0;
  for (let from = 0; from < job.pages.length; from += batchSize) {
    run.signal.throwIfAborted();
    const pages = job.pages.slice(from, from + batchSize);
    const { pdf, excess } = await printBatch(factsOf(pages));
    height = Math.max(height, excess.height);
    width = Math.max(width, excess.width);
    printed.push({ pdf, pages });
  }
  noteExcess(run, job, { height, width });
  return printed;
}

function print({ window, run, job }: HeaderFooterPrint): Promise<Buffer> {
  const { width, height, scale } = job;
  const printScale = Math.min(scale, maxScale);
  const paper = { width: (width * printScale) / scale, height: (height * printScale) / scale };
  const margins = { top: 0, right: 0, bottom: 0, left: 0 };
  const { no_background: noBackground } = run.job.options;
  return window.print({ paper, margins, scale: printScale, noBackground }).catch((cause: unknown) => {
    throw outputFailed(`The ${job.side} is too large or too complex to print.`, cause);
  });
}

type HeaderFooterArea = Pick<HeaderFooterJob, 'side' | 'width' | 'height' | 'scale'>;

/** Writes a log event if the header or footer exceeds its area. */
function noteExcess({ log }: WindowRun, area: HeaderFooterArea, { height, width }: Excess): void {
  if (height < 1 && width < 1) return;
  const { side } = area;
  const inches = (pixels: number) => (pixels < 1 ? 0 : (pixels * area.scale) / pixelsPerInch);
  const contentHeight = area.height + inches(height);
  const contentWidth = area.width + inches(width);
  const sentences = [
    ...(height < 1
      ? []
      : [tooTall(height, inches(height), `set ${side}_height to at least ${contentHeight.toFixed(2)}in`)]),
    ...(width < 1 ? [] : [tooWide(width, inches(width), area)]),
  ];
  log.writeAndKeep({
    kind: 'header-footer',
    text: sentences.map((sentence) => `The ${side} is ${sentence}.`).join(' '),
    detail: {
      side,
      content: contentHeight,
      place: area.height,
      ...(width >= 1 && { width: { content: contentWidth, place: area.width } }),
    },
  });
}

function tooTall(pixels: number, inches: number, advice: string): string {
  return `${Math.ceil(pixels)} px (${inches.toFixed(2)}in) taller than its area and was cut; ${advice}`;
}

function tooWide(pixels: number, inches: number, { width, scale }: HeaderFooterArea): string {
  const fitting = Math.floor((scale * 100 * width) / (width + inches));
  return `${Math.ceil(pixels)} px (${inches.toFixed(2)}in) wider than its area and was cut; let its lines wrap, or set header_footer_scale_factor to ${fitting} or less`;
}

/** Values that are the same for all pages. */
interface DocumentFacts {
  /** Pages of the output. */
  readonly pages: number;
  /** The value of page_numbering_offset. */
  readonly offset: number;
  readonly url: string;
  readonly title: string;
}

/**
 * Returns a function that returns the values that the headers or footers of some pages show. Pages count from 1; `formats` are those in
 * the HTML. A document may have 20,000 pages, whose numbers in all formats take half a second.
 */
function pageFacts(
  { pages, offset, url, title }: DocumentFacts,
  formats: readonly NumberFormat[],
): HeaderFooterPrint['factsOf'] {
  const formatAll = (number: number) =>
    Object.fromEntries(formats.map((format) => [format, formatNumber(number, format)]));
  const count = formatAll(pages);
  return (shown) =>
    shown.map((page) => ({ page, pages, url, title, number: formatAll(page + offset), count }));
}

/** Returns the number formats whose names the HTML contains, and always `arabic`. */
function formatsIn(html: string): readonly NumberFormat[] {
  return numberFormats.filter((format) => format === 'arabic' || html.includes(format));
}

// Builds the documents that headers and footers are printed from: the HTML itself, or frames with one copy for each page.

type HeaderFooterDocument = Extract<Source, { kind: 'document' }>;

/** The HTML of a header or footer, and how its relative addresses are resolved. */
export interface HeaderFooterHtml {
  readonly html: string;
  /** The option that provides the HTML. */
  readonly option: string;
  /** The path of the HTML among the files of the job, or a path in the folder to which relative addresses refer. */
  readonly path: string;
  readonly files?: Files;
  /** The base URL of relative addresses, if they refer to the network. */
  readonly base?: string;
  /** Whether the HTML may run scripts. */
  readonly scripts: boolean;
  /** Whether the HTML contains only text and styles, which cause no requests. */
  readonly isStatic?: boolean;
}

/** Returns a document whose body is copied for each page. */
function copiesDocument(content: HeaderFooterHtml): HeaderFooterDocument {
  const document = documentOf(content, withBase(content), content.scripts);
  if (content.isStatic !== true) return document;
  return { ...document, staticText: { html: content.html, searchable: content.html } };
}

/** A header or footer may request a path of megabytes. */
const maxPathLength = 4000;

/** Returns an empty document that holds the frames, and the addresses of the frames in the order of `pages`. */
function framesDocument(
  content: HeaderFooterHtml,
  pages: readonly HeaderFooterFacts[],
  prefixes: readonly string[],
): { readonly source: HeaderFooterDocument; readonly addresses: readonly string[] } {
  const names = pages.map(({ page }) => headerFooterName(content.option, page));
  const folder = content.path.slice(0, content.path.lastIndexOf('/') + 1);
  // All frames share these bytes: a header may have megabytes, and Chromium requests a hundred frames at once.
  const [start, rest] = splitAfterStart(withBase(content));
  const startBytes = Buffer.from(start, 'utf8');
  const restBytes = Buffer.from(rest, 'utf8');
  const nameOf = (path: string) => {
    const decoded = decodePath(path);
    return decoded.startsWith(folder) ? decoded.slice(folder.length) : '';
  };
  const files: Files = async (path) => {
    const facts = path.length > maxPathLength ? undefined : pages[names.indexOf(nameOf(path))];
    if (facts === undefined) return content.files?.(path);
    const prelude = await pageScriptCall('header-footer.fillDuringParsing', { facts, prefixes });
    return htmlFile([startBytes, Buffer.from(`<script>${prelude}</script>`, 'utf8'), restBytes]);
  };
  const source = documentOf({ ...content, files }, '<!doctype html><body></body>', true);
  return { source, addresses: names };
}

function documentOf({ path, files }: HeaderFooterHtml, html: string, scripts: boolean): HeaderFooterDocument {
  const bytes = Buffer.from(html, 'utf8');
  const contentType = 'text/html; charset=utf-8';
  return { kind: 'document', bytes, contentType, path, scripts, ...(files && { files }) };
}

/** Adds a base element, unless the HTML has one. */
function withBase({ html, base }: HeaderFooterHtml): string {
  if (base === undefined || /<base\s/i.test(html)) return html;
  const [start, rest] = splitAfterStart(html);
  return `${start}<base href="${base.replace(/&/g, '&amp;').replace(/"/g, '&quot;')}">${rest}`;
}

/** Splits HTML after any doctype, comments, and html and head start tags. */
function splitAfterStart(html: string): readonly [start: string, rest: string] {
  const start = /^(?:\s+|<!--[\s\S]*?-->|<!doctype[^>]*>|<html(?:\s[^>]*)?>|<head(?:\s[^>]*)?>)*/i.exec(html);
  const end = start?.[0].length ?? 0;
  return [html.slice(0, end), html.slice(end)];
}

function htmlFile(parts: readonly Buffer[]): StoredFile {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return { contentType: 'text/html; charset=utf-8', size, body: Readable.from(parts) };
}
