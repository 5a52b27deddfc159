/**
 * Which elements the ends of pages cut. No page says where its pages end, but Chromium breaks columns as it breaks pages: the
 * document is laid out once more, in columns of the size of a page. That changes it for good, so it must have been printed.
 */
import type { BreaksEvent } from '../../log/events.ts';
import { cutElements, headings, type Split } from './cut-elements.ts';
import { elementPath } from './element-path.ts';
import { layOutColumns, turnIntoColumnBreaks } from './page-columns.ts';

/** CSS pixels of the layout. */
export interface PageBox {
  readonly width: number;
  readonly height: number;
  readonly most: number;
}

export interface PageBreaks extends Pick<BreaksEvent['detail'], 'splits' | 'tall'> {
  /** How many columns there are: how many pages, when the columns are like them. */
  readonly pages: number;
}

const mostFindings = 50;
/** Shown whole, or sliced when taller than a page. */
const whole = 'img, svg, canvas, video, iframe, object, embed';

export function pageBreaks({ width, height, most }: PageBox): PageBreaks {
  const elements = [...document.querySelectorAll<HTMLElement>('body, body *')].slice(0, most);
  const avoiding = turnIntoColumnBreaks(elements);
  layOutColumns(width, height);
  const stride = width * 2;
  const pageOf: PageOf = ({ left }) => Math.floor((left + window.scrollX + width / 2) / stride) + 1;
  const { tall, beyond } = tallOnes(
    elements.filter((element) => avoiding.has(element) || element.matches(whole)),
    { height, pageOf },
  );
  const columns = Math.floor(((document.scrollingElement?.scrollWidth ?? 0) + width) / stride);
  const apart = elements
    .filter((element) => element.matches(headings))
    .flatMap((element) => headingApart(element, pageOf) ?? []);
  const splits = [...cutElements({ columns, width, height, avoiding }), ...apart].sort(
    (one, other) => one.first - other.first,
  );
  // After what is sliced over pages, the ends of columns are others than those of pages.
  return { pages: columns + beyond, splits: beyond > 0 ? [] : splits.slice(0, mostFindings), tall };
}

type PageOf = (box: DOMRect) => number;

/** What is to stay whole and is higher than a page; `beyond`: the pages that come of it and are no columns. */
function tallOnes(
  elements: readonly Element[],
  { height, pageOf }: { readonly height: number; readonly pageOf: PageOf },
): { tall: PageBreaks['tall']; beyond: number } {
  const tall: PageBreaks['tall'][number][] = [];
  let beyond = 0;
  for (const element of elements) {
    const boxes = [...element.getClientRects()].filter(hasArea);
    const high = boxes.reduce((sum, box) => sum + box.height, 0);
    const [first] = boxes;
    if (first === undefined || high <= height + 1) continue;
    if (tall.length < mostFindings)
      tall.push({ element: elementPath(element), height: Math.round(high), page: pageOf(first) + beyond });
    // What follows begins below it, not in a column of its own.
    if (element.matches(whole)) beyond += Math.max(0, Math.ceil(high / height) - 2);
  }
  return { tall, beyond };
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
