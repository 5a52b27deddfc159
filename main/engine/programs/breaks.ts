/**
 * Which elements the ends of pages cut. No page says where its pages end, but Chromium breaks columns as it breaks pages: the
 * document is laid out once more, in columns of the size of a page. That changes it for good, so it must have been printed.
 */
import type { BreaksEvent } from '../../log/events.ts';
import { cutBoxes, type Cut } from './cut-boxes.ts';
import { cutElements, headings, type Split } from './cut-elements.ts';
import { elementPath } from './element-path.ts';
import { layOutColumns, turnIntoColumnBreaks } from './page-columns.ts';

/** CSS pixels of the layout. */
export interface PageBox {
  readonly width: number;
  readonly height: number;
  readonly most: number;
  /** They are printed. */
  readonly backgrounds: boolean;
}

export interface PageBreaks extends Pick<BreaksEvent['detail'], 'splits' | 'tall'> {
  /** How many columns there are: how many pages, when the columns are like them. */
  readonly pages: number;
}

const mostFindings = 50;
/** Shown whole, or sliced when taller than a page. */
const whole = 'img, svg, canvas, video, iframe, object, embed';

export function pageBreaks({ width, height, most, backgrounds }: PageBox): PageBreaks {
  const elements = [...document.querySelectorAll<HTMLElement>('body, body *')].slice(0, most);
  const avoiding = turnIntoColumnBreaks(elements);
  layOutColumns(width, height);
  const stride = width * 2;
  const pageOf: PageOf = ({ left }) => Math.floor((left + window.scrollX + width / 2) / stride) + 1;
  const columns = Math.floor(((document.scrollingElement?.scrollWidth ?? 0) + width) / stride);
  const { tall, beyond, slicedOn } = tallOnes(
    elements.filter((element) => avoiding.has(element) || element.matches(whole)),
    { height, pageOf, columns },
  );
  const apart = elements
    .filter((element) => element.matches(headings))
    .flatMap((element) => headingApart(element, pageOf) ?? []);
  const boxes = cutBoxes(elements, { height, pageOf, backgrounds });
  const cut = cutElements({ columns, width, height, avoiding });
  const splits = [...outermost([...boxes, ...cut]), ...apart]
    // After what is sliced over pages, the ends of columns are others than those of pages.
    .filter(({ last }) => last <= slicedOn)
    .sort((one, other) => one.first - other.first);
  return { pages: columns + beyond, splits: splits.slice(0, mostFindings), tall };
}

type PageOf = (box: DOMRect) => number;

/** What is to stay together keeps together what is in it. */
function outermost(cuts: readonly Cut[]): Split[] {
  const isAround = (outer: Cut, inner: Cut) =>
    outer.element !== inner.element &&
    outer.element.contains(inner.element) &&
    outer.split.first <= inner.split.first &&
    outer.split.last >= inner.split.last;
  const own = new Map(cuts.map((cut) => [cut.element, cut]));
  const all = [...own.values()].slice(0, mostFindings * 4);
  return all.filter((inner) => !all.some((outer) => isAround(outer, inner))).map(({ split }) => split);
}

interface Columns {
  readonly height: number;
  readonly pageOf: PageOf;
  /** How many there are. */
  readonly columns: number;
}

interface TallOnes {
  readonly tall: PageBreaks['tall'];
  /** The pages that come of them and are no columns. */
  readonly beyond: number;
  /** The first page that ends in what is shown whole. */
  readonly slicedOn: number;
}

/** What is to stay whole and is higher than a page. */
function tallOnes(elements: readonly Element[], { height, pageOf, columns }: Columns): TallOnes {
  const tall: PageBreaks['tall'][number][] = [];
  let [beyond, slicedOn] = [0, Infinity];
  for (const element of elements) {
    const boxes = [...element.getClientRects()].filter(hasArea);
    const high = boxes.reduce((sum, box) => sum + box.height, 0);
    const [first] = boxes;
    if (first === undefined || high <= height + 1) continue;
    if (tall.length < mostFindings)
      tall.push({ element: elementPath(element), height: Math.round(high), page: pageOf(first) + beyond });
    if (!element.matches(whole)) continue;
    // What follows begins below it, in the next column; at the end of the document it has no more than its own.
    const counted = pageOf(first) === columns ? 1 : 2;
    const more = Math.max(0, Math.ceil(high / height) - counted);
    if (more > 0) slicedOn = Math.min(slicedOn, pageOf(first));
    beyond += more;
  }
  return { tall, beyond, slicedOn };
}

function hasArea({ width, height }: DOMRect): boolean {
  return width > 0 && height > 0;
}

/** A heading, when what it is about begins on the next page. */
function headingApart(heading: Element, pageOf: PageOf): Split | undefined {
  let at: Element | null = heading;
  for (let levels = 0; at !== null && at.nextElementSibling === null && levels < 3; levels += 1)
    at = at.parentElement;
  const next = at?.nextElementSibling;
  const own = [...heading.getClientRects()].filter(hasArea).at(-1);
  if (!next || own === undefined || isForcedApart(heading, next)) return undefined;
  const range = document.createRange();
  range.selectNode(next);
  const box = [...range.getClientRects()].find(hasArea);
  if (box === undefined || pageOf(box) <= pageOf(own)) return undefined;
  return { element: elementPath(heading), first: pageOf(own), last: pageOf(box), apart: true };
}

function isForcedApart(element: Element, next: Element): boolean {
  return getComputedStyle(next).breakBefore === 'column' || getComputedStyle(element).breakAfter === 'column';
}
