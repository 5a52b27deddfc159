/**
 * Finds the elements that page breaks split. Scripts cannot detect page breaks, but Chromium breaks columns by the same rules. So
 * this script lays out the document again in columns of the size of a page. The new layout is permanent, so print the page first.
 */
import type { BreaksEvent } from '../../log/events.ts';
import { elementPath } from './element-path.ts';
import { hasOpenBorder } from './open-border.ts';
import { isTransparent } from './transparent-colour.ts';

/** The size of the print area of a page, in CSS pixels of the layout, and options for the check. */
export interface PageBox {
  readonly width: number;
  readonly height: number;
  /** The largest number of elements to check. */
  readonly maxElements: number;
  /** Whether backgrounds are printed. */
  readonly backgrounds: boolean;
}

export interface PageBreaks extends Pick<BreaksEvent['detail'], 'splits' | 'tall'> {
  /**
   * The number of columns, plus the pages that sliced elements fill beyond their columns. Equals the number of printed pages if the
   * columns match the pages.
   */
  readonly pages: number;
}

const maxFindings = 50;
/** Elements that Chromium does not break between pages. It slices them if they are taller than a page. */
const unbreakable = 'img, svg, canvas, video, iframe, object, embed';

export function pageBreaks({ width, height, maxElements, backgrounds }: PageBox): PageBreaks {
  const elements = [...document.querySelectorAll<HTMLElement>('body, body *')].slice(0, maxElements);
  const keptWhole = turnIntoColumnBreaks(elements);
  layOutColumns(width, height);
  const stride = width * 2;
  const pageOf: PageOf = ({ left }) => Math.floor((left + window.scrollX + width / 2) / stride) + 1;
  const columns = Math.floor(((document.scrollingElement?.scrollWidth ?? 0) + width) / stride);
  const { tall, extraPages, firstSlicedPage } = tallElements(
    elements.filter((element) => keptWhole.has(element) || element.matches(unbreakable)),
    { height, pageOf, columns },
  );
  const separated = elements
    .filter((element) => element.matches(headings))
    .flatMap((element) => separatedHeading(element, pageOf) ?? []);
  const boxes = findSplitBoxes(elements, { height, pageOf, backgrounds });
  const cut = findSplitElements({ columns, width, height, keptWhole });
  const splits = [...outermost([...boxes, ...cut]), ...separated]
    // After a sliced element, the ends of columns no longer match the ends of pages.
    .filter(({ last }) => last <= firstSlicedPage)
    // Content for screen readers only is often far to the left of all pages.
    .filter(({ first, last }) => first >= 1 && last <= columns)
    .sort((left, right) => left.first - right.first);
  return { pages: columns + extraPages, splits: splits.slice(0, maxFindings), tall };
}

type PageOf = (box: DOMRect) => number;

/** Returns the splits that are not inside another split element: keeping the outer element whole also keeps its content whole. */
function outermost(cuts: readonly ElementSplit[]): Split[] {
  const isAround = (outer: ElementSplit, inner: ElementSplit) =>
    outer.element !== inner.element &&
    outer.element.contains(inner.element) &&
    outer.split.first <= inner.split.first &&
    outer.split.last >= inner.split.last;
  const cutByElement = new Map(cuts.map((cut) => [cut.element, cut]));
  const all = [...cutByElement.values()].slice(0, maxFindings * 4);
  return all.filter((inner) => !all.some((outer) => isAround(outer, inner))).map(({ split }) => split);
}

interface TallElementOptions {
  readonly height: number;
  readonly pageOf: PageOf;
  /** The number of columns. */
  readonly columns: number;
}

interface TallElements {
  readonly tall: PageBreaks['tall'];
  /**
   * The number of pages that sliced elements fill beyond their columns. Such an element overflows its column instead of continuing
   * in the next one.
   */
  readonly extraPages: number;
  /** The first page that ends inside a sliced element; Infinity if there is none. */
  readonly firstSlicedPage: number;
}

/** Finds elements that are taller than a page. `elements` are the elements that should stay whole. */
function tallElements(
  elements: readonly Element[],
  { height, pageOf, columns }: TallElementOptions,
): TallElements {
  const tall: PageBreaks['tall'][number][] = [];
  let extraPages = 0;
  let firstSlicedPage = Infinity;
  for (const element of elements) {
    const boxes = [...element.getClientRects()].filter(hasArea);
    const totalHeight = boxes.reduce((sum, box) => sum + box.height, 0);
    const [first] = boxes;
    if (first === undefined || totalHeight <= height + 1) continue;
    if (tall.length < maxFindings)
      tall.push({
        element: elementPath(element),
        height: Math.round(totalHeight),
        page: pageOf(first) + extraPages,
      });
    if (!element.matches(unbreakable)) continue;
    // Content after the element begins in the next column. At the end of the document there is no such column.
    const counted = pageOf(first) === columns ? 1 : 2;
    const extra = Math.max(0, Math.ceil(totalHeight / height) - counted);
    if (extra > 0) firstSlicedPage = Math.min(firstSlicedPage, pageOf(first));
    extraPages += extra;
  }
  return { tall, extraPages, firstSlicedPage };
}

function hasArea({ width, height }: DOMRect): boolean {
  return width > 0 && height > 0;
}

/**
 * Returns a split if the content after the heading begins on a later page than the end of the heading. Returns undefined otherwise,
 * or if the style sheet forces a break between the two.
 */
function separatedHeading(heading: Element, pageOf: PageOf): Split | undefined {
  let ancestor: Element | null = heading;
  for (let levels = 0; ancestor !== null && ancestor.nextElementSibling === null && levels < 3; levels += 1)
    ancestor = ancestor.parentElement;
  const next = ancestor?.nextElementSibling;
  const ownBox = [...heading.getClientRects()].filter(hasArea).at(-1);
  if (!next || ownBox === undefined || isForcedApart(heading, next)) return undefined;
  const range = document.createRange();
  range.selectNode(next);
  const box = [...range.getClientRects()].find(hasArea);
  if (box === undefined || pageOf(box) <= pageOf(ownBox)) return undefined;
  return { element: elementPath(heading), first: pageOf(ownBox), last: pageOf(box), apart: true };
}

function isForcedApart(element: Element, next: Element): boolean {
  return getComputedStyle(next).breakBefore === 'column' || getComputedStyle(element).breakAfter === 'column';
}

// Finds the elements that the ends of columns split.

interface ColumnOptions {
  readonly columns: number;
  readonly width: number;
  readonly height: number;
  readonly keptWhole: ReadonlySet<Element>;
}

/**
 * Returns the elements that are both at the end of a column and at the start of the next column. Hit-tests points instead of
 * reading boxes, because Chromium 130 reports wrong positions for the content of split table rows.
 */
function findSplitElements({ columns, width, height, keptWhole }: ColumnOptions): ElementSplit[] {
  const cut = new Map<Element, Split>();
  const bottom = Math.floor(Math.min(height, window.innerHeight)) - 1;
  const deadline = performance.now() + scanTimeoutMs;
  for (let column = 0; column < columns - 1 && performance.now() < deadline; column += 1) {
    const above = elementsAtEdge({ left: column * width * 2, width, from: bottom, step: -rowHeight });
    if (above.size === 0) continue;
    const below = elementsAtEdge({ left: (column + 1) * width * 2, width, from: 1, step: rowHeight });
    for (const element of above) {
      if (!below.has(element) || keptWhole.has(element) || containsBreakable(element)) continue;
      const first = cut.get(element)?.first ?? column + 1;
      const open = isOpenRow(element) && { open: true as const };
      cut.set(element, { element: elementPath(element), first, last: column + 2, ...open });
    }
  }
  return [...cut].map(([element, split]) => ({ element, split }));
}

export const headings = 'h1, h2, h3, h4, h5, h6';

/**
 * Elements that should not be split across pages. Rows of thead and tfoot are excluded, because Chromium repeats them on each page.
 */
const mustNotBreak = `tr:not(thead > tr, tfoot > tr), figure, ${headings}`;

/** After this time, the scan ends with the elements found so far. */
const scanTimeoutMs = 250;
/** The number of points to hit-test in each row, spread over the width of the page. */
const pointsPerRow = 20;
/**
 * The largest number of rows of points to hit-test, from the page edge inwards. A split element may end above the end of the page,
 * and a repeated table header may precede it on the next page.
 */
const maxRows = 12;
/** The distance between two rows in CSS pixels. */
const rowHeight = 7;

interface ColumnEdge {
  readonly left: number;
  readonly width: number;
  /** Vertical position of the first row of points in the viewport. */
  readonly from: number;
  /** Distance from each row of points to the next; negative for upwards. */
  readonly step: number;
}

/** Returns the elements that match `mustNotBreak` in the first row of points that has any, starting at the column edge. */
function elementsAtEdge({ left, width, from, step }: ColumnEdge): ReadonlySet<Element> {
  window.scrollTo({ left, top: 0, behavior: 'instant' });
  const found = new Set<Element>();
  for (let level = 0; level < maxRows && found.size === 0; level += 1) {
    for (let x = width / pointsPerRow / 2; x < width; x += width / pointsPerRow)
      for (const element of document.elementsFromPoint(x, from + level * step)) {
        const candidate = rowOf(element);
        if (candidate.matches(mustNotBreak)) found.add(candidate);
      }
  }
  return found;
}

/** Returns the row of a table cell, and any other element unchanged. Hit-testing finds cells, not rows. */
function rowOf(element: Element): Element {
  const parent = element.parentElement;
  return parent?.localName === 'tr' ? parent : element;
}

/** The cells of a row that are checked. */
const maxCells = 20;

/** Returns whether cells of a row have bottom borders that are not drawn where a page ends. */
function isOpenRow(element: Element): boolean {
  const cells = element.localName === 'tr' ? [...element.children].slice(0, maxCells) : [];
  return cells.some((cell) => hasOpenBorder(getComputedStyle(cell)));
}

/** Returns whether a row or figure contains rows, figures or headings, as in a layout table. Page breaks between these are fine. */
function containsBreakable(element: Element): boolean {
  return element.matches('tr, figure') && element.querySelector(`tr, figure, ${headings}`) !== null;
}

// Lays out the document in columns of the size of a printed page. The change is permanent.

/** Turns forced page breaks into column breaks. Returns the elements whose `break-inside` value avoids breaks. */
function turnIntoColumnBreaks(elements: readonly HTMLElement[]): ReadonlySet<Element> {
  const keptWhole = new Set<Element>();
  const forced = /^(page|left|right|recto|verso)$/;
  const changes = elements.map((element) => {
    const { breakBefore, breakAfter, breakInside } = getComputedStyle(element);
    // window/print.ts sets break-inside: avoid on thead and tfoot to make Chromium repeat them, not to keep them whole.
    if (breakInside.startsWith('avoid') && !/^(thead|tfoot)$/.test(element.localName)) keptWhole.add(element);
    return { element, before: forced.test(breakBefore), after: forced.test(breakAfter), breakInside };
  });
  for (const { element, before, after, breakInside } of changes) {
    if (before) element.style.setProperty('break-before', 'column', 'important');
    if (after) element.style.setProperty('break-after', 'column', 'important');
    if (breakInside === 'avoid-page') element.style.setProperty('break-inside', 'avoid', 'important');
  }
  return keptWhole;
}

/** Lays out the document in columns. The gaps are as wide as the columns, so overflowing content does not reach the next column. */
function layOutColumns(width: number, height: number): void {
  const setImportantStyles = (element: HTMLElement, styles: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value, 'important');
  };
  setImportantStyles(document.documentElement, {
    display: 'block',
    direction: 'ltr',
    margin: '0',
    padding: '0',
    border: '0',
    overflow: 'visible',
    width: `${width}px`,
    'min-width': '0',
    'max-width': 'none',
    height: `${height}px`,
    'min-height': '0',
    'max-height': 'none',
    columns: `${width}px 1`,
    'column-gap': `${width}px`,
    'column-fill': 'auto',
    'column-rule': '0',
    // With pointer-events: none, hit-testing would find no elements.
    'pointer-events': 'auto',
  });
  const body = document.querySelector('body');
  if (body && getComputedStyle(body).overflow !== 'visible')
    setImportantStyles(body, { overflow: 'visible' });
}

// Finds visible boxes, such as cards and panels, that the ends of columns split.

export type Split = BreaksEvent['detail']['splits'][number];

/** A split, with the element that is split. */
interface ElementSplit {
  readonly element: Element;
  readonly split: Split;
}

interface BoxOptions {
  /** Height of a column in CSS pixels. */
  readonly height: number;
  /** Returns the number, from 1, of the page that contains a box. */
  readonly pageOf: (box: DOMRect) => number;
  /** Whether backgrounds are printed. */
  readonly backgrounds: boolean;
}

/** Returns the split boxes that would fit on one page, in document order. */
function findSplitBoxes(
  elements: readonly Element[],
  { height, pageOf, backgrounds }: BoxOptions,
): ElementSplit[] {
  return elements.flatMap((element) => {
    const parts = [...element.getClientRects()].filter(isVisibleBox);
    const [top] = parts;
    const bottom = parts.at(-1);
    if (top === undefined || bottom === undefined || pageOf(top) >= pageOf(bottom)) return [];
    if (parts.reduce((sum, part) => sum + part.height, 0) > height + 1) return [];
    if (!isBox(element, backgrounds) || isPageWrapper(element) || hasForcedBreak(element)) return [];
    const split = { element: elementPath(element), first: pageOf(top), last: pageOf(bottom) };
    return [{ element, split }];
  });
}

/** Returns whether the box is at least 1 x 1 CSS pixel. Smaller boxes result from edges at fractions of pixels. */
function isVisibleBox({ width, height }: DOMRect): boolean {
  return width >= 1 && height >= 1;
}

/**
 * Returns whether the element is a visible block with a background, border or shadow. Excludes tables, whose rows are checked
 * separately, and inline elements, because text may break between lines.
 */
function isBox(element: Element, backgrounds: boolean): boolean {
  const style = getComputedStyle(element);
  if (/^(inline|contents|table)/.test(style.display) || element.closest('tr') !== null) return false;
  if (style.visibility !== 'visible' || style.opacity === '0') return false;
  return (
    (backgrounds && isFilled(element, style)) || isFramed(element, style) || castsShadow(style.boxShadow)
  );
}

function isFilled(element: Element, { backgroundColor, backgroundImage }: CSSStyleDeclaration): boolean {
  if (backgroundImage !== 'none') return true;
  return !isTransparent(backgroundColor) && backgroundColor !== colorBehind(element);
}

/** Returns the background colour of the nearest ancestor that has one; white if none has. */
function colorBehind(element: Element): string {
  for (let ancestor = element.parentElement; ancestor !== null; ancestor = ancestor.parentElement) {
    const { backgroundColor } = getComputedStyle(ancestor);
    if (!isTransparent(backgroundColor)) return backgroundColor;
  }
  return 'rgb(255, 255, 255)';
}

/**
 * Returns whether the element has a visible top and bottom border. For an li, one of them is enough; elsewhere a single line only
 * separates sections.
 */
function isFramed(element: Element, style: CSSStyleDeclaration): boolean {
  const sides = [
    { line: style.borderTopStyle, width: style.borderTopWidth, color: style.borderTopColor },
    { line: style.borderBottomStyle, width: style.borderBottomWidth, color: style.borderBottomColor },
  ].filter(({ line, width, color }) => line !== 'none' && parseFloat(width) > 0 && !isTransparent(color));
  return sides.length === 2 || (sides.length === 1 && element.localName === 'li');
}

/**
 * Returns whether any shadow is visible. Style sheets may declare transparent shadows, for example as the start of a transition.
 */
function castsShadow(shadow: string): boolean {
  if (shadow === 'none') return false;
  // Each layer of the computed style begins with its colour.
  const colours = shadow
    // eslint-disable-next-line platen/linear-pattern, regexp/no-super-linear-move -- Runs in the renderer of the page whose style it is.
    .split(/,(?![^(]*\))/)
    .map((layer) => /^\s*([\w-]+(?:\(.*?\))?)/.exec(layer)?.[1] ?? '');
  return !colours.every(isTransparent);
}

/** Returns whether the element is the body or contains all content of the page. */
function isPageWrapper(element: Element): boolean {
  for (let current = element; current !== document.body; current = current.parentElement ?? document.body)
    if ([...(current.parentNode?.childNodes ?? [])].some((node) => node !== current && occupiesSpace(node)))
      return false;
  return true;
}

function occupiesSpace(node: Node): boolean {
  if (node instanceof Element) return [...node.getClientRects()].some(isVisibleBox);
  return node.nodeType === Node.TEXT_NODE && /\S/.test(node.nodeValue ?? '');
}

/** Returns whether an element inside this one has a forced break. */
function hasForcedBreak(element: Element): boolean {
  return [...element.querySelectorAll('*')].some((inner) => {
    const { breakBefore, breakAfter } = getComputedStyle(inner);
    return breakBefore === 'column' || breakAfter === 'column';
  });
}
