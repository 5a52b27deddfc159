/**
 * Expands scroll areas to the size of their content. One round expands the present content. Grids that draw only
 * visible rows then draw more, so rounds repeat until nothing changes (steps/expand-scroll-areas.ts).
 */
import { elementPath } from '../element-path.ts';
import { frameDocument, outerElement } from './page-elements.ts';
import { scrollAreas, type ScrollArea } from './scroll-areas.ts';

export interface ExpandLimits {
  /** The most elements to check. */
  readonly maxElements: number;
  /** The largest height and width of an area, in CSS pixels. */
  readonly maxSide: number;
}

/** All of it can be sent as JSON. */
export interface ExpandRound {
  /** Differs between rounds while the page changes. */
  readonly state: string;
  /** The number of areas expanded so far. */
  readonly areas: number;
  /** Areas that would become too large. */
  readonly tooLarge: readonly string[];
}

/** All of it can be sent as JSON. */
export interface UndrawnContent {
  readonly element: string;
  /** The rows that a grid declares and those that it has drawn. */
  readonly rows?: { readonly all: number; readonly drawn: number };
  /** Height of the empty space at the end of a list, in CSS pixels. */
  readonly empty: number;
}

/** Globals of the isolated world, kept until the page ends. */
interface ExpandGlobals {
  platenExpanded?: Map<HTMLElement, ExpandedArea>;
}

interface ExpandedArea {
  /** Height before the expansion, in CSS pixels. */
  readonly height: number;
  /** How often it was enlarged. */
  enlargements: number;
}

/** Limits enlargements: the height of some content depends on its area or frame and always exceeds it. */
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
  // Pixel heights come last and only where needed, because content is a little taller on pages than on a screen.
  for (const [element, expandedArea] of expanded) {
    if (mayEnlarge(element, expandedArea) && enlarge(element, maxSide)) expandedArea.enlargements += 1;
    growAncestors(element);
    allowBreaks(element);
  }
  const { scrollHeight, scrollWidth } = document.documentElement;
  const count = document.querySelectorAll('*').length;
  return { state: [scrollHeight, scrollWidth, count].join(), areas: expanded.size, tooLarge };
}

/** Returns grids and lists that do not draw all of their rows although there is room. */
export function undrawnContent(maxAreas: number): UndrawnContent[] {
  const expanded = (globalThis as ExpandGlobals).platenExpanded ?? new Map<HTMLElement, ExpandedArea>();
  const found = new Map<string, UndrawnContent>();
  for (const [element, { height }] of expanded) {
    if (!element.isConnected || /^(textarea|select|iframe)$/.test(element.localName)) continue;
    const grid = gridOf(element);
    const rows = grid && rowsOf(grid);
    if (rows !== undefined && rows.drawn < rows.all) {
      const path = elementPath(grid ?? element);
      found.set(path, { element: path, rows, empty: 0 });
    } else if (rows === undefined) {
      const empty = emptyHeightAtEnd(element);
      // Lists end with some space. A list that draws only visible rows leaves most of its height empty.
      if (empty > Math.max(height, 200))
        found.set(elementPath(element), { element: elementPath(element), empty });
    }
  }
  return [...found.values()].slice(0, maxAreas);
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
  set(element, { height: 'auto', 'max-height': 'none', 'aspect-ratio': 'auto' });
  if (position === 'absolute' || position === 'fixed') unsetBottom(element, position);
  const { display: around, flexDirection } = styleOfParent(element);
  if (around.endsWith('flex') && flexDirection.startsWith('column'))
    set(element, { flex: '0 0 auto', 'min-height': 'auto' });
}

function unsetWidth(element: HTMLElement): void {
  const { scrollSnapType, display } = getComputedStyle(element);
  // On paper, code is better wrapped than shrunk, and slides are better stacked.
  if (element.localName === 'pre') {
    for (const line of [element, ...element.querySelectorAll<HTMLElement>('*')])
      set(line, { 'white-space': 'pre-wrap', 'overflow-wrap': 'anywhere' });
  } else if (element.localName === 'textarea') set(element, { 'white-space': 'pre-wrap' });
  else if (scrollSnapType !== 'none' && display.endsWith('flex')) set(element, { 'flex-wrap': 'wrap' });
  else set(element, { 'max-width': 'none' });
}

/** Enlarges an area whose content does not enlarge it. Returns whether that was necessary. */
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
    set(element, { height: `${scrollHeight + around}px`, 'min-height': '0', 'max-height': 'none' });
    changed = true;
  }
  if (
    scrollWidth > element.clientWidth + tolerancePixels &&
    getComputedStyle(element).overflowX === 'visible'
  ) {
    const around = isBorderBox
      ? element.offsetWidth - element.clientWidth
      : -pixels(style.paddingLeft, style.paddingRight);
    set(element, { 'min-width': `${scrollWidth + around}px`, 'max-width': 'none' });
    changed = true;
  }
  return changed;
}

/** Removes limits and clipping from the ancestors of an area. */
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

/** Enlarges the ancestors of an area, because they do not grow with an area that is positioned. */
function growAncestors(element: HTMLElement): void {
  for (const ancestor of ancestorsOf(element)) {
    const { top, bottom } = ancestor.getBoundingClientRect();
    const lowest = element.getBoundingClientRect().bottom;
    if (bottom < lowest - tolerancePixels)
      set(ancestor, { 'min-height': `${Math.ceil(lowest - top)}px`, 'box-sizing': 'border-box' });
  }
}

/** Returns the ancestors from the inside out, within the document. A frame is a separate area. */
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

/** Returns the edges of an element's content, relative to the window. */
function boxOfContent(element: HTMLElement): { readonly right: number; readonly bottom: number } {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  if (frameDocument(element) !== undefined) return { right, bottom };
  return {
    right: Math.max(right, left + element.scrollWidth),
    bottom: Math.max(bottom, top + element.scrollHeight),
  };
}

/**
 * Allows page breaks in tall inline blocks. Chromium moves an inline block as a whole to the next page, and cuts
 * longer ones through their lines.
 */
function allowBreaks(element: HTMLElement): void {
  const minHeight = element.clientHeight / 2;
  let inside = element.children;
  for (let depth = 0; depth < 3; depth += 1) {
    const tall = [...inside].find((child) => child.clientHeight > minHeight) as HTMLElement | undefined;
    if (tall === undefined) return;
    const { display } = getComputedStyle(tall);
    if (display === 'inline-block')
      set(tall, { display: 'block', width: 'max-content', 'min-width': '100%' });
    inside = tall.children;
  }
}

/** Removes clipping. `isWide`: also shows content beyond the right edge. */
function unclip(element: HTMLElement, isWide: boolean): void {
  const { overflowX, contain, display } = getComputedStyle(element);
  const isCut = overflowX === 'hidden' && element.scrollWidth > element.clientWidth + tolerancePixels;
  set(element, { 'overflow-y': 'visible', 'overflow-x': isCut && !isWide ? 'clip' : 'visible' });
  // Visible overflow ends the block formatting context. Without flow-root, floats would overflow and margins would collapse.
  const isItem = /(flex|grid)$/.test(styleOfParent(element).display);
  if (display === 'block' && !isItem && !/^(html|body)$/.test(element.localName))
    set(element, { display: 'flow-root' });
  if (/strict|content|size|paint/.test(contain)) set(element, { contain: 'layout' });
}

/**
 * Releases the lower edge of a stretched element, so that it can grow. A fixed element becomes absolute; otherwise
 * each page would repeat it.
 */
function unsetBottom(element: HTMLElement, position: 'absolute' | 'fixed'): void {
  const { top } = element.getBoundingClientRect();
  if (position === 'fixed') set(element, { position: 'absolute' });
  set(element, { bottom: 'auto' });
  const moved = top - element.getBoundingClientRect().top;
  if (Math.abs(moved) <= tolerancePixels) return;
  const before = Number.parseFloat(getComputedStyle(element).top) || 0;
  set(element, { top: `${before + moved}px` });
}

function styleOfParent(element: HTMLElement): CSSStyleDeclaration {
  return getComputedStyle(outerElement(element) ?? element);
}

function gridOf(element: HTMLElement): HTMLElement | undefined {
  const grid = '[aria-rowcount]';
  const [inside] = element.querySelectorAll<HTMLElement>(grid);
  return element.closest<HTMLElement>(grid) ?? inside;
}

/** Returns undefined if the grid does not number its rows. */
function rowsOf(grid: HTMLElement): { all: number; drawn: number } | undefined {
  const all = Number(grid.getAttribute('aria-rowcount'));
  const numbered = grid.querySelectorAll('[aria-rowindex]');
  const drawn = new Set([...numbered].map((row) => row.getAttribute('aria-rowindex'))).size;
  return all > 0 && drawn > 0 ? { all, drawn } : undefined;
}

/** Returns the CSS pixels between the last visible content of an area and its end. */
function emptyHeightAtEnd(element: HTMLElement): number {
  const page = element.ownerDocument;
  const end = element.getBoundingClientRect().bottom;
  let last = -Infinity;
  const walker = page.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const isText = node.nodeType === Node.TEXT_NODE;
    const shown = isText
      ? /\S/.test(node.nodeValue ?? '') && node.parentElement
      : /^(img|svg|canvas|video|iframe|input)$/.test((node as Element).localName) && (node as Element);
    if (shown) last = Math.max(last, shown.getBoundingClientRect().bottom);
  }
  return last === -Infinity ? 0 : Math.round(end - last);
}

function set(element: HTMLElement, styles: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value, 'important');
}
