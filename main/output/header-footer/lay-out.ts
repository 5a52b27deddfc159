/** Determines which pages show a header or footer, prints the headers and footers, and computes their positions on the pages. */
import { yieldingToEventLoop } from '../../async/yielding.ts';
import { fetchRemote } from '../../engine/requests/fetch-remote.ts';
import type { WindowRun } from '../../engine/window-run.ts';
import type { Page } from '../../engine/page.ts';
import { headerFooterName } from '../../engine/requests/shown-address.ts';
import { htmlText } from '../../input/html-text.ts';
import { maxHeaderFooterBytes } from '../../input/prepare-source.ts';
import { mayRunScripts } from '../../input/static-document.ts';
import type { Options } from '../../job/options.ts';
import { listedPages } from '../../job/page-range.ts';
import { setupsOfPages } from '../../job/layout.ts';
import { geometryFor, type Margins, type PageGeometry, type HeaderFooterSide } from '../../job/paper.ts';
import type { HeaderFooterPosition, HeaderFooterTask } from '../finish/finish-task.ts';
import { printHeaderFooter, type PrintedHeaderFooter, type HeaderFooterHtml } from './print.ts';
import { callInPage } from '../../engine/devtools/evaluate.ts';
import { pointsPerInch } from '../geometry.ts';

/** The printed pages that are in the output. */
interface PrintedPages {
  /** Page numbers, from 1, in the document of `total` pages. */
  readonly kept: readonly number[];
  readonly total: number;
  readonly facts: PdfPageFacts;
  /** The parts of each page's geometry that @page rules set. */
  readonly boxes?: readonly PositioningBox[];
}

/** The parts of a page's geometry that are not those of the options. */
export interface PositioningBox extends Partial<Pick<PageGeometry, 'paper' | 'header' | 'footer'>> {
  readonly margins?: Partial<Margins>;
}

const sides = ['header', 'footer'] as const;
/** The smallest height of a header or footer that is printed. */
const minHeightInches = 0.02;

/** Prints headers and footers in the window of the page. The window navigates away from the page. */
export async function printHeadersAndFooters(
  page: Page,
  printed: PrintedPages,
  run: WindowRun,
): Promise<HeaderFooterTask[]> {
  const tasks: HeaderFooterTask[] = [];
  // If css_page_rule_mode is mode2, the margins in the options position headers and footers, not those in the @page rules.
  const options =
    page.ownPaper === undefined || page.ownPaper.isRequested ? run.job.options : page.ownPaper.options;
  for (const side of sides) {
    const shown = await pagesShowing(side, printed, options);
    if (shown.length === 0) continue;
    const html = await loadHtml(page, side, run, printed.facts);
    if (html === undefined) continue;
    for (const group of groupBySize(shown))
      tasks.push(...(await printGroup(group, { page, printed, run, html, side })));
  }
  return tasks;
}

/** A page of the output that shows a header or footer. */
interface PositionedPage {
  /** Number in the output, from 1. */
  readonly page: number;
  readonly position: Omit<HeaderFooterPosition, 'page' | 'sourcePage'>;
}

async function pagesShowing(
  side: HeaderFooterSide,
  { kept, total, boxes }: PrintedPages,
  options: Options,
): Promise<PositionedPage[]> {
  const setups = setupsOfPages(options, total);
  const excluded = listedPages(options[`exclude_${side}_on_pages`], kept.length);
  const shown: PositionedPage[] = [];
  for await (const [index, number] of yieldingToEventLoop(kept.entries())) {
    const pageGeometry = geometryFor(options, setups[number - 1]);
    const box = boxes?.[index];
    const geometry = { ...pageGeometry, ...box, margins: { ...pageGeometry.margins, ...box?.margins } };
    const display = side === 'header' ? geometry.displayHeader : geometry.displayFooter;
    const page = index + 1;
    if (display !== 'content' || excluded.has(page) || geometry[side] < minHeightInches) continue;
    shown.push({ page, position: placeOf(side, geometry, options) });
  }
  return shown;
}

function placeOf(
  side: HeaderFooterSide,
  { paper, margins, header, footer }: PageGeometry,
  options: Options,
): PositionedPage['position'] {
  const hasMargins = !options.no_header_footer_horizontal_margins;
  const left = hasMargins ? margins.left : 0;
  const width = hasMargins ? paper.width - margins.left - margins.right : paper.width;
  const matrix = options[`${side}_matrix`];
  return {
    edge: side === 'header' ? 'top' : 'bottom',
    offset: (side === 'header' ? margins.top : margins.bottom) * pointsPerInch,
    left: left * pointsPerInch,
    width: width * pointsPerInch,
    height: (side === 'header' ? header : footer) * pointsPerInch,
    ...(matrix !== undefined && { matrix }),
  };
}

/** Groups pages by the size of their header or footer, because each size needs its own layout. */
function groupBySize(shown: readonly PositionedPage[]): PositionedPage[][] {
  const groups = new Map<string, PositionedPage[]>();
  for (const positioned of shown) {
    const size = `${positioned.position.width} x ${positioned.position.height}`;
    const group = groups.get(size);
    if (group === undefined) groups.set(size, [positioned]);
    else group.push(positioned);
  }
  return [...groups.values()];
}

interface PageGroup {
  readonly page: Page;
  readonly printed: PrintedPages;
  readonly run: WindowRun;
  readonly html: HeaderFooterHtml;
  readonly side: HeaderFooterSide;
}

async function printGroup(
  shown: readonly PositionedPage[],
  { page, printed, run, html, side }: PageGroup,
): Promise<HeaderFooterTask[]> {
  const { options } = run.job;
  const { width, height } = shown[0]?.position ?? { width: 0, height: 0 };
  const { title, url } = printed.facts;
  const job = {
    side,
    content: html,
    pages: shown.map((positioned) => positioned.page),
    document: { pages: printed.kept.length, offset: options.page_numbering_offset, title, url },
    width: width / pointsPerInch,
    height: height / pointsPerInch,
    scale: options.header_footer_scale_factor / 100,
  };
  const positions = new Map(shown.map((positioned) => [positioned.page, positioned.position]));
  const prints = await run.log.timeStage(`print the ${side}s`, () =>
    printHeaderFooter(page.window, job, run),
  );
  const kind = side === 'header' ? 'Header' : 'Footer';
  return prints.map(({ pdf, pages }) => ({ kind, pdf, positions: positionsOf(pages, positions) }) as const);
}

function positionsOf(
  pages: PrintedHeaderFooter['pages'],
  places: ReadonlyMap<number, PositionedPage['position']>,
): HeaderFooterPosition[] {
  return pages.flatMap((page, sourcePage) => {
    const position = places.get(page);
    return position === undefined ? [] : [{ page: page - 1, sourcePage, ...position }];
  });
}

async function loadHtml(
  { window, source }: Page,
  side: HeaderFooterSide,
  ...[run, { url }]: [WindowRun, PdfPageFacts]
): Promise<HeaderFooterHtml | undefined> {
  const content = source.headerFooter?.[side];
  if (content === undefined) return undefined;
  const allowsScripts = !run.job.options.disable_javascript;
  if (content.kind === 'remote') {
    const request = { option: `${side}_url`, url: content.url, maxBytes: maxHeaderFooterBytes };
    const fetched = await run.log.timeStage(`fetch the ${side}`, () => fetchRemote(window, request, run));
    const html = htmlText(fetched.bytes, { contentType: fetched.contentType });
    const { option } = request;
    const scripts = allowsScripts && mayRunScripts(Buffer.from(html, 'utf8'));
    return { html, option, path: headerFooterName(option), base: fetched.url, scripts };
  }
  const { html, path, isStatic } = content;
  const option = path === undefined ? `${side}_html` : `zip_${side}_filename`;
  const scripts = allowsScripts && content.scripts;
  const name = headerFooterName(option);
  if (source.kind === 'remote') return { html, option, path: name, base: url, scripts };
  const siblingPath = source.path.slice(0, source.path.lastIndexOf('/') + 1) + name;
  const files = source.files && { files: source.files };
  return { html, option, path: path ?? siblingPath, scripts, ...files, ...(isStatic && { isStatic }) };
}

// Reads the title, address and meta tags of a page for headers, footers and the document information.

export interface PdfPageFacts {
  readonly title: string;
  /** Empty for an uploaded document. */
  readonly url: string;
  /** The contents of meta tags by their lower-case names. */
  readonly metas: Readonly<Record<string, string>>;
}

export async function readPageFacts({ window, source }: Page): Promise<PdfPageFacts> {
  const facts = await callInPage(window.contents, readFacts, maxFacts);
  return source.kind === 'remote' ? facts : { ...facts, url: '' };
}

/** The facts are repeated for each page of the document. */
const maxFacts = { length: 2000, metas: 100 } as const;

function readFacts({ length, metas: count }: typeof maxFacts): PdfPageFacts {
  const shortened = (text: string | null) => (text ?? '').slice(0, length);
  const metas = [...document.querySelectorAll('meta[name][content]')]
    .slice(0, count)
    .map((meta) => [
      shortened(meta.getAttribute('name')).toLowerCase(),
      shortened(meta.getAttribute('content')),
    ]);
  return {
    title: shortened(document.title),
    url: shortened(location.href),
    metas: Object.fromEntries(metas) as Record<string, string>,
  };
}
