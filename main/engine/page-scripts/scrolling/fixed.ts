/** Implements fixed_elements inside a page, and finds fixed elements that cover text in print. */
import { elementPath } from '../element-path.ts';
import { isTransparent } from '../transparent-colour.ts';
import { elementsOf } from './page-elements.ts';
import { isVisible, setImportantStyles } from './element-styles.ts';

/** The result of `placeFixedElements`, as JSON data. */
interface FixedElementsResult {
  /** The number of elements that were changed. */
  readonly changed: number;
  /** The paths of elements that mode `hide` moves to the first page, because they contain most of the page's text. */
  readonly notHidden: readonly string[];
}

/** A fixed element that covers text in print, as JSON data. */
export interface CoveringElement {
  /** Whether `placeFixedElements` has moved the element to the first page. */
  readonly isOnFirstPage: boolean;
  readonly element: string;
  /** The number of text lines that the element covers. */
  readonly lines: number;
  /** The number of pages on which the element covers text. */
  readonly pages: number;
}

/** The size of each printed page in CSS pixels of the layout, and the number of pages. */
interface PrintedPage {
  readonly width: number;
  readonly height: number;
  readonly count: number;
}

/** Global variables of the isolated world, which exist until the page is unloaded. */
interface FixedElementGlobals {
  /** The elements on the first page. Weak, because later inline documents share the page. */
  platenPlaced?: readonly WeakRef<HTMLElement>[];
}

interface EdgeRectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const maxElements = 20_000;
const maxTexts = 20_000;
const maxParts = 200;
const maxFindings = 10;
const tolerancePixels = 1;

/** Moves fixed elements to the first page, or hides them. Sticky elements get `position: relative`. */
export function placeFixedElements(mode: 'first-page' | 'hide'): FixedElementsResult {
  const elements = elementsOf(document, maxElements).filter((element) => element.ownerDocument === document);
  const notHidden: string[] = [];
  const placed: WeakRef<HTMLElement>[] = [];
  let changed = 0;
  for (const element of elements) {
    const { position } = getComputedStyle(element);
    if (position === 'sticky') setImportantStyles(element, { position: 'relative', inset: 'auto' });
    else if (position !== 'fixed') continue;
    else if (mode === 'hide' && !containsMostText(element)) setImportantStyles(element, { display: 'none' });
    else {
      if (mode === 'hide') notHidden.push(elementPath(element));
      placeOnFirstPage(element);
      placed.push(new WeakRef(element));
    }
    changed += 1;
  }
  (globalThis as FixedElementGlobals).platenPlaced = placed;
  return { changed, notHidden };
}

/** Moves fixed elements in the lower half of the viewport to the bottom of an image that is `height` CSS pixels tall. */
export function moveToImageBottom(height: number): void {
  const offset = height - window.innerHeight;
  if (offset <= 0) return;
  for (const element of fixedElements()) {
    const { top, bottom, height: ownHeight } = element.getBoundingClientRect();
    const isInLowerHalf = window.innerHeight - bottom < top;
    if (!isInLowerHalf || ownHeight > window.innerHeight / 2) continue;
    const { translate } = getComputedStyle(element);
    const [x = '0px', y = '0px', z = ''] = translate === 'none' ? [] : translate.split(' ');
    setImportantStyles(element, { translate: `${x} calc(${y} + ${offset}px) ${z}`, transition: 'none' });
  }
}

/** Returns the fixed elements that cover text in print. Assumes that all pages have the same size. */
export function coveringElements({ width, height, count }: PrintedPage): CoveringElement[] {
  const boxOf = (element: HTMLElement, isOnFirstPage: boolean) => ({
    element,
    isOnFirstPage,
    parts: partsOf(element, { width, height, isOnFirstPage }),
    pages: new Set<number>(),
    lines: 0,
  });
  const boxes = [
    ...fixedElements().map((element) => boxOf(element, false)),
    ...placedElements().map((element) => boxOf(element, true)),
  ];
  const covering = boxes.filter(({ parts }) => parts.length > 0);
  if (covering.length === 0) return [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let remaining = maxTexts;
  for (let node = walker.nextNode(); node !== null && (remaining -= 1) > 0; node = walker.nextNode()) {
    if (!/\S/.test(node.nodeValue ?? '')) continue;
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      const top = line.top + window.scrollY;
      const page = Math.floor(top / height);
      if (page < 0 || page >= count) continue;
      const offset = page * height - window.scrollY;
      const { left: from, right: to } = line;
      const onPage = { left: from, right: to, top: line.top - offset, bottom: line.bottom - offset };
      for (const box of covering) {
        if (box.isOnFirstPage && page > 0) continue;
        if (box.element.contains(node) || !box.parts.some((part) => covers(part, onPage))) continue;
        box.lines += 1;
        box.pages.add(page);
      }
    }
  }
  return covering
    .filter(({ lines }) => lines > 0)
    .slice(0, maxFindings)
    .map(({ element, isOnFirstPage, lines, pages }) => ({
      element: elementPath(element),
      isOnFirstPage,
      lines,
      pages: pages.size,
    }));
}

/** Returns the elements that `placeFixedElements` has moved to the first page of this document. */
function placedElements(): HTMLElement[] {
  const placed = (globalThis as FixedElementGlobals).platenPlaced ?? [];
  return placed.flatMap((reference) => reference.deref() ?? []).filter(({ isConnected }) => isConnected);
}

/** Returns the elements that are fixed to the viewport, not to a transformed ancestor. */
function fixedElements(): HTMLElement[] {
  return elementsOf(document, maxElements).filter(
    (element) =>
      element.ownerDocument === document &&
      element.offsetParent === null &&
      element.getClientRects().length > 0 &&
      getComputedStyle(element).position === 'fixed',
  );
}

function containsMostText(element: HTMLElement): boolean {
  const lengthOf = ({ textContent }: HTMLElement) => textContent.replace(/\s+/g, '').length;
  return lengthOf(element) > lengthOf(document.body) / 2 && element.offsetHeight > window.innerHeight / 2;
}

/**
 * Moves a fixed element to the first page, to the position that it has in the viewport. If a positioned ancestor changes its
 * position or size, both are set in pixels.
 */
function placeOnFirstPage(element: HTMLElement): void {
  const before = element.getBoundingClientRect();
  setImportantStyles(element, { position: 'absolute' });
  const hasMoved = ({ left, top, width, height }: DOMRect) =>
    Math.abs(left + window.scrollX - before.left) > tolerancePixels ||
    Math.abs(top + window.scrollY - before.top) > tolerancePixels ||
    Math.abs(width - before.width) > tolerancePixels ||
    Math.abs(height - before.height) > tolerancePixels;
  if (before.width * before.height === 0 || !hasMoved(element.getBoundingClientRect())) return;
  setImportantStyles(element, {
    inset: '0 auto auto 0',
    margin: '0',
    'box-sizing': 'border-box',
    width: `${before.width}px`,
    height: `${before.height}px`,
  });
  const { left, top } = element.getBoundingClientRect();
  setImportantStyles(element, {
    left: `${before.left - left - window.scrollX}px`,
    top: `${before.top - top - window.scrollY}px`,
  });
}

/** Returns the boxes of the visible parts of a fixed element, in CSS pixels from the upper left corner of each printed page. */
function partsOf(
  element: HTMLElement,
  {
    width,
    height,
    isOnFirstPage,
  }: Pick<PrintedPage, 'width' | 'height'> & { readonly isOnFirstPage: boolean },
): EdgeRectangle[] {
  const { opacity, zIndex } = getComputedStyle(element);
  if (!isVisible(element) || Number(opacity) < 0.5 || Number(zIndex) < 0) return [];
  const whole = element.getBoundingClientRect();
  const isInLowerHalf = window.innerHeight - whole.bottom < whole.top;
  const inPrint = isInLowerHalf ? height - window.innerHeight : 0;
  const offset = isOnFirstPage ? window.scrollY : inPrint;
  const inside = [...element.querySelectorAll<HTMLElement>('*')].slice(0, maxParts);
  return [element, ...inside].flatMap((part) => {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    const isOnPage = right > left && bottom > top && right > 0 && left < width && bottom + offset > 0;
    if (!isOnPage || top + offset >= height || !paints(part)) return [];
    return { left, right, top: top + offset, bottom: bottom + offset };
  });
}

function paints(element: HTMLElement): boolean {
  if (!isVisible(element)) return false;
  if (/^(img|svg|canvas|video|iframe|button|input)$/.test(element.localName)) return true;
  const { backgroundColor, backgroundImage } = getComputedStyle(element);
  if (backgroundImage !== 'none' || !isTransparent(backgroundColor)) return true;
  return [...element.childNodes].some(
    (node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.nodeValue ?? ''),
  );
}

/** Returns whether the box covers more than a third of the line's height, and more than 2 pixels of its width. */
function covers(box: EdgeRectangle, line: EdgeRectangle): boolean {
  const overlapHeight = Math.min(box.bottom, line.bottom) - Math.max(box.top, line.top);
  const overlapWidth = Math.min(box.right, line.right) - Math.max(box.left, line.left);
  return overlapHeight > (line.bottom - line.top) / 3 && overlapWidth > 2;
}
