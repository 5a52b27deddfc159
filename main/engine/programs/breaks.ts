/**
 * Which elements the ends of pages cut. No page says where its pages end, but Chromium breaks columns as it breaks pages: the
 * document is laid out once more, in columns of the size of a page. That changes it for good, so it must have been printed.
 */
import type { BreaksEvent } from '../../log/events.ts';
import { elementPath } from './element-path.ts';

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
const headings = 'h1, h2, h3, h4, h5, h6';
/** What reads badly when it is cut; the head and foot of a table are on each of its pages. */
const hurt = `tr:not(thead > tr, tfoot > tr), figure, ${headings}`;

export function pageBreaks({ width, height, most }: PageBox): PageBreaks {
  const elements = [...document.querySelectorAll<HTMLElement>('body, body *')].slice(0, most);
  const avoiding = prepare(elements);
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
  // Beside what is sliced over pages, columns are not like pages; with what is after it they are again.
  return { pages: columns + beyond, splits: beyond > 0 ? [] : splits.slice(0, mostFindings), tall };
}

type PageOf = (box: DOMRect) => number;
type Split = PageBreaks['splits'][number];

/** Breaks between pages become breaks between columns; gives the elements that are to stay whole. */
function prepare(elements: readonly HTMLElement[]): ReadonlySet<Element> {
  const avoiding = new Set<Element>();
  const forced = /^(page|left|right|recto|verso)$/;
  const changes = elements.map((element) => {
    const { breakBefore, breakAfter, breakInside } = getComputedStyle(element);
    // Chromium's own print style says it of these, and means something else (print.ts).
    if (breakInside.startsWith('avoid') && !/^(thead|tfoot)$/.test(element.localName)) avoiding.add(element);
    return { element, before: forced.test(breakBefore), after: forced.test(breakAfter), breakInside };
  });
  for (const { element, before, after, breakInside } of changes) {
    if (before) element.style.setProperty('break-before', 'column', 'important');
    if (after) element.style.setProperty('break-after', 'column', 'important');
    if (breakInside === 'avoid-page') element.style.setProperty('break-inside', 'avoid', 'important');
  }
  return avoiding;
}

/** So far apart that nothing reaches into the next. */
function layOutColumns(width: number, height: number): void {
  const set = (element: HTMLElement, styles: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value, 'important');
  };
  set(document.documentElement, {
    ...{ display: 'block', direction: 'ltr', margin: '0', padding: '0', border: '0', overflow: 'visible' },
    ...{ width: `${width}px`, 'min-width': '0', 'max-width': 'none' },
    ...{ height: `${height}px`, 'min-height': '0', 'max-height': 'none' },
    ...{ columns: `${width}px 1`, 'column-gap': `${width}px`, 'column-fill': 'auto', 'column-rule': '0' },
    // What cannot be pointed at could not be found.
    'pointer-events': 'auto',
  });
  const body = document.querySelector('body');
  if (body && getComputedStyle(body).overflow !== 'visible') set(body, { overflow: 'visible' });
}

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

interface Columns {
  readonly columns: number;
  readonly width: number;
  readonly height: number;
  readonly avoiding: ReadonlySet<Element>;
}

/**
 * Those that lie at the end of one column and at the start of the next. They are found by pointing there: Chromium 130 tells
 * wrong places of what is in the rows of tables that are broken.
 */
function cutElements({ columns, width, height, avoiding }: Columns): Split[] {
  const cut = new Map<Element, Split>();
  const bottom = Math.floor(Math.min(height, window.innerHeight)) - 1;
  const until = performance.now() + patience;
  for (let column = 0; column < columns - 1 && performance.now() < until; column += 1) {
    const above = pointedAt({ left: column * width * 2, width, from: bottom, step: -levelHeight });
    if (above.size === 0) continue;
    const below = pointedAt({ left: (column + 1) * width * 2, width, from: 1, step: levelHeight });
    for (const element of above) {
      if (!below.has(element) || avoiding.has(element) || holdsBlocks(element)) continue;
      const first = cut.get(element)?.first ?? column + 1;
      cut.set(element, { element: elementPath(element), first, last: column + 2 });
    }
  }
  return [...cut.values()];
}

/** Milliseconds. */
const patience = 250;
/** Across a page. */
const points = 20;
/** What is cut need not reach the end of its page, and below the start of the next there may be a table's head. */
const levels = 12;
const levelHeight = 7;

interface Edge {
  readonly left: number;
  readonly width: number;
  readonly from: number;
  readonly step: number;
}

/** What lies nearest to an edge of a column, of all that reads badly when it is cut. */
function pointedAt({ left, width, from, step }: Edge): ReadonlySet<Element> {
  window.scrollTo({ left, top: 0, behavior: 'instant' });
  const found = new Set<Element>();
  for (let level = 0; level < levels && found.size === 0; level += 1) {
    for (let x = width / points / 2; x < width; x += width / points)
      for (const element of document.elementsFromPoint(x, from + level * step)) {
        const candidate = rowOf(element);
        if (candidate.matches(hurt)) found.add(candidate);
      }
  }
  return found;
}

/** A row itself is not pointed at, its cells are. */
function rowOf(element: Element): Element {
  const parent = element.parentElement;
  return parent?.localName === 'tr' ? parent : element;
}

/** Layout tables and rows of rows are cut between what is in them. */
function holdsBlocks(element: Element): boolean {
  return element.matches('tr, figure') && element.querySelector(`tr, figure, ${headings}`) !== null;
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
