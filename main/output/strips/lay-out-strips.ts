/** The headers and footers of a document: which page shows what, printed, and where each goes on its page. */
import { fetchRemote } from '../../engine/fetch-remote.ts';
import type { WindowRun } from '../../engine/engine.ts';
import type { Page } from '../../engine/page.ts';
import { stripName } from '../../engine/shown-address.ts';
import { htmlText } from '../../input/html-text.ts';
import { mayRunScripts } from '../../input/scripts.ts';
import type { Options } from '../../job/options.ts';
import { isListed } from '../../job/page-range.ts';
import { setupOfPage } from '../../job/page-setup.ts';
import { geometryFor, type PageGeometry, type Side } from '../../job/paper.ts';
import type { StripPlace, StripsOrder } from '../finish/order.ts';
import type { PageFacts } from '../page-facts.ts';
import { printStrips, type PrintedStrips } from './print-strips.ts';
import type { StripHtml } from './strip-document.ts';

/** The printed pages that are in the output. */
export interface PrintedPages {
  /** Numbers, from 1, in the document that has `total` pages. */
  readonly kept: readonly number[];
  readonly total: number;
  readonly facts: PageFacts;
}

const sides = ['header', 'footer'] as const;
const pointsPerInch = 72;
/** A header is a page, not a book. */
const mostBytes = 20_000_000;
/** Thinner than anything that could be read, or printed. */
const thinnest = 0.02;

/** Prints them in the page's window, which shows the page no more afterwards. */
export async function layOutStrips(
  page: Page,
  printed: PrintedPages,
  run: WindowRun,
): Promise<StripsOrder[]> {
  const orders: StripsOrder[] = [];
  for (const side of sides) {
    const shown = pagesShowing(side, printed, run);
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
  /** In the output, from 1. */
  readonly page: number;
  readonly place: Omit<StripPlace, 'page' | 'strip'>;
}

function pagesShowing(side: Side, { kept, total }: PrintedPages, { job: { options } }: WindowRun): Shown[] {
  return kept.flatMap((number, index) => {
    const geometry = geometryFor(options, setupOfPage(options, number, total));
    const display = side === 'header' ? geometry.displayHeader : geometry.displayFooter;
    const page = index + 1;
    if (display !== 'content' || isListed(options[`exclude_${side}_on_pages`], page, kept.length)) return [];
    if (geometry[side] < thinnest) return [];
    return [{ page, place: placeOf(side, geometry, options) }];
  });
}

function placeOf(
  side: Side,
  { paper, margins, header, footer }: PageGeometry,
  options: Options,
): Shown['place'] {
  const wide = options.no_header_footer_horizontal_margins;
  const [left, width] = wide ? [0, paper.width] : [margins.left, paper.width - margins.left - margins.right];
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

/** Pages with areas of different sizes have headers of different layouts. */
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
  readonly side: Side;
}

async function layOutGroup(
  shown: readonly Shown[],
  { page, printed, run, strip, side }: Group,
): Promise<StripsOrder[]> {
  const { options } = run.job;
  const { width, height } = shown[0]?.place ?? { width: 0, height: 0 };
  const { title, url } = printed.facts;
  const wanted = {
    ...{ side, strip, pages: shown.map((one) => one.page) },
    document: { pages: printed.kept.length, offset: options.page_numbering_offset, title, url },
    width: width / pointsPerInch,
    height: height / pointsPerInch,
    scale: options.header_footer_scale_factor / 100,
  };
  const places = new Map(shown.map((one) => [one.page, one.place]));
  const strips = await run.log.time(`print the ${side}s`, () => printStrips(page.window, wanted, run));
  const kind = side === 'header' ? 'Header' : 'Footer';
  return strips.map(({ pdf, pages }) => ({ kind, pdf, places: placesOf(pages, places) }) as const);
}

function placesOf(pages: PrintedStrips['pages'], places: ReadonlyMap<number, Shown['place']>): StripPlace[] {
  return pages.flatMap((page, strip) => {
    const place = places.get(page);
    return place === undefined ? [] : [{ page: page - 1, strip, ...place }];
  });
}

async function stripHtml(
  { window, source }: Page,
  side: Side,
  ...[run, { url }]: [WindowRun, PageFacts]
): Promise<StripHtml | undefined> {
  const strip = source.strips?.[side];
  if (strip === undefined) return undefined;
  const scripted = (html: string) =>
    !run.job.options.disable_javascript && mayRunScripts(Buffer.from(html, 'utf8'));
  if (strip.kind === 'remote') {
    const wanted = { option: `${side}_url`, url: strip.url, mostBytes };
    const fetched = await run.log.time(`fetch the ${side}`, () => fetchRemote(window, wanted, run));
    const html = htmlText(fetched.bytes, { contentType: fetched.contentType });
    const { option } = wanted;
    return { html, option, path: stripName(option), base: fetched.url, scripts: scripted(html) };
  }
  const { html, path, inert } = strip;
  const option = path === undefined ? `${side}_html` : `zip_${side}_filename`;
  const scripts = scripted(html);
  const name = stripName(option);
  if (source.kind === 'remote') return { html, option, path: name, base: url, scripts };
  const beside = source.path.slice(0, source.path.lastIndexOf('/') + 1) + name;
  const files = source.files && { files: source.files };
  return { html, option, path: path ?? beside, scripts, ...files, ...(inert && { inert }) };
}
