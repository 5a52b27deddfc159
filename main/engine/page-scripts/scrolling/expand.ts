/**
 * Expands scroll areas to the size of their content. One round expands the areas for the content that is present. Grids that draw
 * only visible rows then draw more, so loading/steps/expand-scroll-areas.ts repeats rounds until nothing changes.
 */
import { elementPath } from '../element-path.ts';
import { frameDocument, outerElement } from './page-elements.ts';
import { scrollAreas, type ScrollArea } from './scroll-areas.ts';
import { keepImportantStyles } from './element-styles.ts';

export interface ExpandLimits {
  /** The largest number of elements to check. */
  readonly maxElements: number;
  /** The largest height and width of an area, in CSS pixels. */
  readonly maxSide: number;
}

/** The result of a round, as JSON data. */
export interface ExpandRound {
  /** The size of the page and its number of elements. If they are the same after two rounds, the page has not changed. */
  readonly state: string;
  /** The number of areas expanded so far. */
  readonly areas: number;
  /** The paths of areas that are not expanded, because they would exceed `maxSide`. */
  readonly tooLarge: readonly string[];
}

/** A grid or list that has not drawn all of its content, as JSON data. */
interface UndrawnContent {
  readonly element: string;
  /** The number of rows that a grid declares (`aria-rowcount`), and the number of rows that it has drawn. */
  readonly rows?: { readonly all: number; readonly drawn: number };
  /** Height of the empty space at the end of a list, in CSS pixels; 0 for a grid. */
  readonly empty: number;
  /** Height of the area in CSS pixels. */
  readonly height: number;
}

/** Global variables of the isolated world, which exist until the page is unloaded. */
export interface ExpandGlobals {
  platenExpanded?: Map<HTMLElement, ExpandedArea>;
}

interface ExpandedArea {
  /** Height before the expansion, in CSS pixels. */
  readonly height: number;
  /** The number of times the area was enlarged. */
  enlargements: number;
}

/**
 * The largest number of enlargements of a scroll area and of a frame. Without a limit, content whose height depends on that of its
 * area or frame could grow endlessly.
 */
const maxEnlargements = { area: 40, frame: 3 } as const;
const tolerancePixels = 1;

export function expandRound({ maxElements, maxSide }: ExpandLimits): ExpandRound {
  const expanded = ((globalThis as ExpandGlobals).platenExpanded ??= new Map<HTMLElement, ExpandedArea>());
  const tooLarge: string[] = [];
  for (const area of scrollAreas(document, maxElements)) {
    const { element } = area;
    const inner = frameDocument(element)?.documentElement ?? element;
    if (Math.max(inner.scrollHeight, inner.scrollWidth) > maxSide) {
      tooLarge.push(elementPath(element));
      continue;
    }
    const expandedArea = expanded.get(element) ?? { height: element.clientHeight, enlargements: 0 };
    if (!mayEnlarge(element, expandedArea)) continue;
    expandedArea.enlargements += 1;
    expanded.set(element, expandedArea);
    expandArea(area);
  }
  for (const element of expanded.keys()) {
    if (!element.isConnected) expanded.delete(element);
    else expandAncestors(element);
  }
  // Heights in pixels are set last and only where needed, because content can be slightly taller in print than on screen.
  for (const [element, expandedArea] of expanded) {
    if (mayEnlarge(element, expandedArea) && enlarge(element, maxSide)) expandedArea.enlargements += 1;
    growAncestors(element);
    allowBreaks(element);
  }
  const { scrollHeight, scrollWidth } = document.documentElement;
  const count = document.querySelectorAll('*').length;
  return { state: [scrollHeight, scrollWidth, count].join(), areas: expanded.size, tooLarge };
}

/** Returns the expanded grids and lists that have not drawn all of their rows. */
export function undrawnContent(maxAreas: number): UndrawnContent[] {
  const found = new Map<string, UndrawnContent>();
  for (const { element, rows, empty, height } of undrawn()) {
    const path = elementPath(element);
    if (found.size < maxAreas) found.set(path, { element: path, ...(rows && { rows }), empty, height });
  }
  return [...found.values()];
}

/** Returns the expanded areas of which a part is not drawn. */
export function undrawnAreas(): HTMLElement[] {
  return undrawn().map(({ area }) => area);
}

interface UndrawnArea extends Omit<UndrawnContent, 'element'> {
  readonly area: HTMLElement;
  /** The grid of the area, or the area. */
  readonly element: HTMLElement;
}

function undrawn(): UndrawnArea[] {
  const expanded = (globalThis as ExpandGlobals).platenExpanded ?? new Map<HTMLElement, ExpandedArea>();
  const found: UndrawnArea[] = [];
  for (const [area, { height }] of expanded) {
    if (!area.isConnected || /^(textarea|select|iframe)$/.test(area.localName)) continue;
    const grid = gridOf(area);
    const rows = grid && rowsOf(grid);
    if (rows !== undefined && rows.drawn < rows.all)
      found.push({ area, element: grid ?? area, rows, empty: 0, height: area.clientHeight });
    else if (rows === undefined) {
      const empty = emptyHeightAtEnd(area);
      // Any list may end with some empty space. A list that draws only visible rows leaves most of its height empty.
      if (empty > Math.max(height, 200))
        found.push({ area, element: area, empty, height: area.clientHeight });
    }
  }
  return found;
}

function mayEnlarge({ localName }: HTMLElement, { enlargements }: ExpandedArea): boolean {
  return enlargements < (localName === 'iframe' ? maxEnlargements.frame : maxEnlargements.area);
}

function expandArea({ element, hiddenHeight, hiddenWidth }: ScrollArea): void {
  if (element.localName === 'iframe') return;
  if (hiddenWidth > 0) unsetWidth(element);
  if (hiddenHeight > 0) unsetHeight(element);
  if (/^(textarea|select)$/.test(element.localName)) return;
  unclip(element, hiddenWidth > 0);
}

function unsetHeight(element: HTMLElement): void {
  const { position } = getComputedStyle(element);
  keepImportantStyles(element, { height: 'auto', 'max-height': 'none', 'aspect-ratio': 'auto' });
  if (position === 'absolute' || position === 'fixed') unsetBottom(element, position);
  const { display: around, flexDirection } = styleOfParent(element);
  if (around.endsWith('flex') && flexDirection.startsWith('column'))
    keepImportantStyles(element, { flex: '0 0 auto', 'min-height': 'auto' });
}

function unsetWidth(element: HTMLElement): void {
  const { scrollSnapType, display } = getComputedStyle(element);
  // In print, wrapped code is better than shrunk code, and the slides of a carousel are better stacked.
  if (element.localName === 'pre') {
    for (const line of [element, ...element.querySelectorAll<HTMLElement>('*')])
      keepImportantStyles(line, { 'white-space': 'pre-wrap', 'overflow-wrap': 'anywhere' });
  } else if (element.localName === 'textarea') keepImportantStyles(element, { 'white-space': 'pre-wrap' });
  else if (scrollSnapType !== 'none' && display.endsWith('flex'))
    keepImportantStyles(element, { 'flex-wrap': 'wrap' });
  else keepImportantStyles(element, { 'max-width': 'none' });
}

/** Sets the size of an area in pixels if the area does not grow with its content. Returns whether that was necessary. */
function enlarge(element: HTMLElement, maxSide: number): boolean {
  const inner = frameDocument(element)?.documentElement ?? element;
  const { scrollHeight, scrollWidth } = inner;
  if (Math.max(scrollHeight, scrollWidth) > maxSide) return false;
  const { boxSizing, ...style } = getComputedStyle(element);
  const pixels = (...values: string[]) =>
    values.reduce((sum, value) => sum + (Number.parseFloat(value) || 0), 0);
  const isBorderBox = boxSizing === 'border-box';
  let changed = false;
  if (scrollHeight > element.clientHeight + tolerancePixels) {
    const around = isBorderBox
      ? element.offsetHeight - element.clientHeight
      : -pixels(style.paddingTop, style.paddingBottom);
    keepImportantStyles(element, {
      height: `${scrollHeight + around}px`,
      'min-height': '0',
      'max-height': 'none',
    });
    changed = true;
  }
  if (
    scrollWidth > element.clientWidth + tolerancePixels &&
    getComputedStyle(element).overflowX === 'visible'
  ) {
    const around = isBorderBox
      ? element.offsetWidth - element.clientWidth
      : -pixels(style.paddingLeft, style.paddingRight);
    keepImportantStyles(element, { 'min-width': `${scrollWidth + around}px`, 'max-width': 'none' });
    changed = true;
  }
  return changed;
}

/** Removes size limits and clipping from the ancestors of an area. */
function expandAncestors(element: HTMLElement): void {
  for (const ancestor of ancestorsOf(element)) {
    const { position, overflowX, overflowY } = getComputedStyle(ancestor);
    const inner = boxOfContent(element);
    const outer = ancestor.getBoundingClientRect();
    const isLow = outer.bottom < inner.bottom - tolerancePixels;
    const isNarrow = outer.right < inner.right - tolerancePixels;
    if (position === 'fixed') unsetBottom(ancestor, position);
    if (isLow) unsetHeight(ancestor);
    if ((isLow && overflowY !== 'visible') || (isNarrow && overflowX !== 'visible'))
      unclip(ancestor, isNarrow);
  }
}

/** Enlarges the ancestors of an area. Ancestors do not grow by themselves if the area is positioned. */
function growAncestors(element: HTMLElement): void {
  for (const ancestor of ancestorsOf(element)) {
    const { top, bottom } = ancestor.getBoundingClientRect();
    const lowest = element.getBoundingClientRect().bottom;
    if (bottom < lowest - tolerancePixels)
      keepImportantStyles(ancestor, {
        'min-height': `${Math.ceil(lowest - top)}px`,
        'box-sizing': 'border-box',
      });
  }
}

/**
 * Returns the ancestors that have a box other than an inline box, from the inside out. Excludes those outside the element's
 * document, because a frame is expanded as a separate area.
 */
function ancestorsOf(element: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (
    let ancestor = outerElement(element);
    ancestor?.ownerDocument === element.ownerDocument;
    ancestor = outerElement(ancestor)
  ) {
    const { display } = getComputedStyle(ancestor);
    if (display !== 'contents' && display !== 'inline') found.push(ancestor);
  }
  return found;
}

/** Returns the right and bottom edges of an element's content, in CSS pixels from the upper left corner of the viewport. */
function boxOfContent(element: HTMLElement): { readonly right: number; readonly bottom: number } {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  if (frameDocument(element) !== undefined) return { right, bottom };
  return {
    right: Math.max(right, left + element.scrollWidth),
    bottom: Math.max(bottom, top + element.scrollHeight),
  };
}

/**
 * Turns tall inline blocks inside an area into blocks, which allow page breaks. Chromium moves an inline block as a whole to the
 * next page, and cuts the lines of an inline block that is taller than a page.
 */
function allowBreaks(element: HTMLElement): void {
  const minHeight = element.clientHeight / 2;
  let inside = element.children;
  for (let depth = 0; depth < 3; depth += 1) {
    const tall = [...inside].find((child) => child.clientHeight > minHeight) as HTMLElement | undefined;
    if (tall === undefined) return;
    const { display } = getComputedStyle(tall);
    if (display === 'inline-block')
      keepImportantStyles(tall, { display: 'block', width: 'max-content', 'min-width': '100%' });
    inside = tall.children;
  }
}

/** Makes the overflow of an element visible. `isWide`: also the overflow beyond the right edge. */
function unclip(element: HTMLElement, isWide: boolean): void {
  const { overflowX, contain, display } = getComputedStyle(element);
  const isCut = overflowX === 'hidden' && element.scrollWidth > element.clientWidth + tolerancePixels;
  keepImportantStyles(element, {
    'overflow-y': 'visible',
    'overflow-x': isCut && !isWide ? 'clip' : 'visible',
  });
  // With visible overflow, a block has no block formatting context, so floats would overflow and margins would collapse.
  const isItem = /(flex|grid)$/.test(styleOfParent(element).display);
  if (display === 'block' && !isItem && !/^(html|body)$/.test(element.localName))
    keepImportantStyles(element, { display: 'flow-root' });
  if (/strict|content|size|paint/.test(contain)) keepImportantStyles(element, { contain: 'layout' });
}

/**
 * Removes the `bottom` value of a positioned element, so that the element can grow. A fixed element becomes absolute; otherwise
 * it would be repeated on each page.
 */
function unsetBottom(element: HTMLElement, position: 'absolute' | 'fixed'): void {
  const { top } = element.getBoundingClientRect();
  if (position === 'fixed') keepImportantStyles(element, { position: 'absolute' });
  keepImportantStyles(element, { bottom: 'auto' });
  const offset = top - element.getBoundingClientRect().top;
  if (Math.abs(offset) <= tolerancePixels) return;
  const before = Number.parseFloat(getComputedStyle(element).top) || 0;
  keepImportantStyles(element, { top: `${before + offset}px` });
}

function styleOfParent(element: HTMLElement): CSSStyleDeclaration {
  return getComputedStyle(outerElement(element) ?? element);
}

/** Returns the grid that numbers the rows of an area. */
export function gridOf(element: HTMLElement): HTMLElement | undefined {
  const grid = '[aria-rowcount]';
  const [inside] = element.querySelectorAll<HTMLElement>(grid);
  return element.closest<HTMLElement>(grid) ?? inside;
}

/** Returns the number of declared and of drawn rows; undefined if the grid does not number its rows. */
function rowsOf(grid: HTMLElement): { all: number; drawn: number } | undefined {
  const all = Number(grid.getAttribute('aria-rowcount'));
  const numbered = grid.querySelectorAll('[aria-rowindex]');
  const drawn = new Set([...numbered].map((row) => row.getAttribute('aria-rowindex'))).size;
  return all > 0 && drawn > 0 ? { all, drawn } : undefined;
}

/** Returns the height in CSS pixels from the last visible content of an area to the end of the area; 0 if it has no content. */
function emptyHeightAtEnd(element: HTMLElement): number {
  const last = contentEnd(element);
  return last === -Infinity ? 0 : Math.round(element.getBoundingClientRect().bottom - last);
}

/** Matches the elements that are content without text. */
export const pictures = 'img, svg, canvas, video, iframe, input';

/** Returns the bottom of the last visible text or picture in CSS pixels from the top of the window; -Infinity without any. */
export function contentEnd(element: HTMLElement): number {
  let last = -Infinity;
  const shown = NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT;
  const walker = element.ownerDocument.createTreeWalker(element, shown);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const box = node.nodeType === Node.TEXT_NODE ? textBox(node) : pictureBox(node as Element);
    if (box !== null) last = Math.max(last, box.getBoundingClientRect().bottom);
  }
  return last;
}

function textBox(node: Node): Element | null {
  return /\S/.test(node.nodeValue ?? '') ? node.parentElement : null;
}

function pictureBox(element: Element): Element | null {
  return element.matches(pictures) ? element : null;
}
