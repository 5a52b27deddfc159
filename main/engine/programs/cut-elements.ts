/** Finds what the ends of columns cut. Part of the program `breaks`. */
import type { BreaksEvent } from '../../log/events.ts';
import type { Cut } from './cut-boxes.ts';
import { elementPath } from './element-path.ts';

export type Split = BreaksEvent['detail']['splits'][number];

export interface Columns {
  readonly columns: number;
  readonly width: number;
  readonly height: number;
  readonly avoiding: ReadonlySet<Element>;
}

/**
 * Those that lie at the end of one column and at the start of the next. They are found by pointing there: Chromium 130 tells
 * wrong places of what is in the rows of tables that are broken.
 */
export function cutElements({ columns, width, height, avoiding }: Columns): Cut[] {
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
  return [...cut].map(([element, split]) => ({ element, split }));
}

export const headings = 'h1, h2, h3, h4, h5, h6';

/** What reads badly when it is cut; the head and foot of a table are on each of its pages. */
const hurt = `tr:not(thead > tr, tfoot > tr), figure, ${headings}`;

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
