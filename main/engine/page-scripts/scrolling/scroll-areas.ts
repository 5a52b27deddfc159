/** Finds scroll areas that hide content, which paper would not show. Runs inside pages. */
import { elementPath } from '../element-path.ts';
import { elementsOf, frameDocument } from './page-elements.ts';

export interface ScrollArea {
  readonly element: HTMLElement;
  /** Hidden size of the content in CSS pixels. */
  readonly hiddenHeight: number;
  readonly hiddenWidth: number;
}

/** All of it can be sent as JSON; lengths in CSS pixels. */
export interface HiddenContent {
  readonly element: string;
  readonly shown: { readonly width: number; readonly height: number };
  readonly content: { readonly width: number; readonly height: number };
}

/** A smaller overflow is a rounding error, a descender or a margin. */
const minHiddenPixels = 10;
/** Smaller areas are hidden on purpose, for screen readers. */
const minAreaPixels = 10;

export function scrollAreas(page: Document, maxElements: number): ScrollArea[] {
  return elementsOf(page, maxElements).flatMap((element) => scrollArea(element) ?? []);
}

/** Describes the content that scroll areas hide. */
export function hiddenContent(page: Document, maxElements: number, maxAreas: number): HiddenContent[] {
  const areas = scrollAreas(page, maxElements).slice(0, maxAreas);
  return areas.map(({ element, hiddenHeight, hiddenWidth }) => {
    const shown = { width: element.clientWidth, height: element.clientHeight };
    const content = { width: shown.width + hiddenWidth, height: shown.height + hiddenHeight };
    return { element: elementPath(element), shown, content };
  });
}

function scrollArea(element: HTMLElement): ScrollArea | undefined {
  const { clientHeight } = element;
  if (clientHeight < minAreaPixels) return undefined;
  const { clientWidth } = element;
  if (clientWidth < minAreaPixels) return undefined;
  const inner = frameDocument(element)?.documentElement;
  const { scrollHeight, scrollWidth } = inner ?? element;
  const tall = scrollHeight - clientHeight >= minHiddenPixels;
  const wide = scrollWidth - clientWidth >= minHiddenPixels;
  if ((!tall && !wide) || isViewport(element)) return undefined;
  const style = getComputedStyle(element);
  const hiddenHeight = tall && scrolls(element, style.overflowY) ? scrollHeight - clientHeight : 0;
  const hiddenWidth = wide && scrolls(element, style.overflowX) ? scrollWidth - clientWidth : 0;
  if (hiddenHeight + hiddenWidth === 0 || !isSeen(element) || !showsSomething(element)) return undefined;
  return { element, hiddenHeight, hiddenWidth };
}

/**
 * Returns whether the overflow can be scrolled to. With `overflow: hidden`, content is cut on purpose, with two
 * exceptions: a body that a dialog has locked, and areas that the script perfect-scrollbar scrolls (class `ps`).
 */
function scrolls(element: HTMLElement, overflow: string): boolean {
  if (overflow === 'auto' || overflow === 'scroll' || element.localName === 'iframe') return true;
  return overflow === 'hidden' && (element.localName === 'body' || element.classList.contains('ps'));
}

/**
 * Returns whether the element's overflow is that of the viewport (CSS Overflow 3, 3.3), which paper does not cut.
 */
function isViewport(element: HTMLElement): boolean {
  const page = element.ownerDocument;
  if (element === page.documentElement || element === page.scrollingElement) return true;
  if (element !== page.body) return false;
  const { overflowX, overflowY } = getComputedStyle(page.documentElement);
  return overflowX === 'visible' && overflowY === 'visible';
}

function isSeen(element: HTMLElement): boolean {
  return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}

/** Returns whether the area has content. Grids build scroll bars from empty elements. */
function showsSomething(element: HTMLElement): boolean {
  if (/^(textarea|iframe|select)$/.test(element.localName)) return true;
  const images = 'img, svg, canvas, video, iframe, input, textarea, select, button, object, embed';
  return /\S/.test(element.textContent) || element.querySelector(`${images}, slot`) !== null;
}
