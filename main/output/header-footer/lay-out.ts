/** Determines which pages show a header or footer, prints them, and computes their positions on the pages. */
import { fetchRemote } from '../../engine/requests/fetch-remote.ts';
import type { WindowRun } from '../../engine/window-run.ts';
import type { Page } from '../../engine/page.ts';
import { headerFooterName } from '../../engine/requests/shown-address.ts';
import { htmlText } from '../../input/html-text.ts';
import { mayRunScripts } from '../../input/inert.ts';
import type { Options } from '../../job/options.ts';
import { isListed } from '../../job/page-range.ts';
import { setupOfPage } from '../../job/layout.ts';
import { geometryFor, type PageGeometry, type Paper, type HeaderFooterSide } from '../../job/paper.ts';
import type { StripPlace, StripsOrder } from '../finish/order.ts';
import type { PageFacts } from '../pdf/page-facts.ts';
import { printHeaderFooter, type PrintedHeaderFooter, type StripHtml } from './print.ts';

/** The printed pages that are in the output. */
export interface PrintedPages {
  /** Page numbers, from 1, in the document of `total` pages. */
  readonly kept: readonly number[];
  readonly total: number;
  readonly facts: PageFacts;
  /** The paper of each page, if @page rules set it. */
  readonly papers?: readonly Paper[];
}

const sides = ['header', 'footer'] as const;
const pointsPerInch = 72;
const maxHtmlBytes = 20_000_000;
/** Headers and footers below this height are not printed. */
const minHeightInches = 0.02;

/** Prints headers and footers in the window of the page, which is navigated away from the page. */
export async function printHeadersAndFooters(
  page: Page,
  printed: PrintedPages,
  run: WindowRun,
): Promise<StripsOrder[]> {
  const orders: StripsOrder[] = [];
  // With mode2 the margins of the options position them.
  const options = page.own === undefined || page.own.asked ? run.job.options : page.own.options;
  for (const side of sides) {
    const shown = pagesShowing(side, printed, options);
    if (shown.length === 0) continue;
    const strip = await stripHtml(page, side, run, printed.facts);
    if (strip === undefined) continue;
    for (const group of bySize(shown))
      orders.push(...(await layOutGroup(group, { page, printed, run, strip, side })));
  }
  return orders;
}

/** A page of the output that shows a header or footer. */
interface Shown {
  /** Number in the output, from 1. */
  readonly page: number;
  readonly place: Omit<StripPlace, 'page' | 'strip'>;
}

function pagesShowing(
  side: HeaderFooterSide,
  { kept, total, papers }: PrintedPages,
  options: Options,
): Shown[] {
  return kept.flatMap((number, index) => {
    const usual = geometryFor(options, setupOfPage(options, number, total));
    const geometry = { ...usual, paper: papers?.[index] ?? usual.paper };
    const display = side === 'header' ? geometry.displayHeader : geometry.displayFooter;
    const page = index + 1;
    if (display !== 'content' || isListed(options[`exclude_${side}_on_pages`], page, kept.length)) return [];
    if (geometry[side] < minHeightInches) return [];
    return [{ page, place: placeOf(side, geometry, options) }];
  });
}

function placeOf(
  side: HeaderFooterSide,
  { paper, margins, header, footer }: PageGeometry,
  options: Options,
): Shown['place'] {
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

/** Groups pages by the size of their area, because each size needs its own layout. */
function bySize(shown: readonly Shown[]): Shown[][] {
  const groups = new Map<string, Shown[]>();
  for (const one of shown) {
    const size = `${one.place.width} x ${one.place.height}`;
    groups.set(size, [...(groups.get(size) ?? []), one]);
  }
  return [...groups.values()];
}

interface Group {
  readonly page: Page;
  readonly printed: PrintedPages;
  readonly run: WindowRun;
  readonly strip: StripHtml;
  readonly side: HeaderFooterSide;
}

async function layOutGroup(
  shown: readonly Shown[],
  { page, printed, run, strip, side }: Group,
): Promise<StripsOrder[]> {
  const { options } = run.job;
  const { width, height } = shown[0]?.place ?? { width: 0, height: 0 };
  const { title, url } = printed.facts;
  const job = {
    side,
    strip,
    pages: shown.map((one) => one.page),
    document: { pages: printed.kept.length, offset: options.page_numbering_offset, title, url },
    width: width / pointsPerInch,
    height: height / pointsPerInch,
    scale: options.header_footer_scale_factor / 100,
  };
  const places = new Map(shown.map((one) => [one.page, one.place]));
  const strips = await run.log.time(`print the ${side}s`, () => printHeaderFooter(page.window, job, run));
  const kind = side === 'header' ? 'Header' : 'Footer';
  return strips.map(({ pdf, pages }) => ({ kind, pdf, places: placesOf(pages, places) }) as const);
}

function placesOf(
  pages: PrintedHeaderFooter['pages'],
  places: ReadonlyMap<number, Shown['place']>,
): StripPlace[] {
  return pages.flatMap((page, strip) => {
    const place = places.get(page);
    return place === undefined ? [] : [{ page: page - 1, strip, ...place }];
  });
}

async function stripHtml(
  { window, source }: Page,
  side: HeaderFooterSide,
  ...[run, { url }]: [WindowRun, PageFacts]
): Promise<StripHtml | undefined> {
  const strip = source.strips?.[side];
  if (strip === undefined) return undefined;
  const scripted = (html: string) =>
    !run.job.options.disable_javascript && mayRunScripts(Buffer.from(html, 'utf8'));
  if (strip.kind === 'remote') {
    const request = { option: `${side}_url`, url: strip.url, mostBytes: maxHtmlBytes };
    const fetched = await run.log.time(`fetch the ${side}`, () => fetchRemote(window, request, run));
    const html = htmlText(fetched.bytes, { contentType: fetched.contentType });
    const { option } = request;
    return { html, option, path: headerFooterName(option), base: fetched.url, scripts: scripted(html) };
  }
  const { html, path, inert } = strip;
  const option = path === undefined ? `${side}_html` : `zip_${side}_filename`;
  const scripts = scripted(html);
  const name = headerFooterName(option);
  if (source.kind === 'remote') return { html, option, path: name, base: url, scripts };
  const beside = source.path.slice(0, source.path.lastIndexOf('/') + 1) + name;
  const files = source.files && { files: source.files };
  return { html, option, path: path ?? beside, scripts, ...files, ...(inert && { inert }) };
}
