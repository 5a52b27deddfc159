/** Finds scroll areas with hidden content, which would not be printed. Runs inside pages. */
import { elementPath } from '../element-path.ts';
import { elementsOf, frameDocument } from './page-elements.ts';
import { isVisible } from './element-styles.ts';

export interface ScrollArea {
  readonly element: HTMLElement;
  /** Height of the hidden content in CSS pixels. */
  readonly hiddenHeight: number;
  /** Width of the hidden content in CSS pixels. */
  readonly hiddenWidth: number;
}

/** A scroll area with hidden content, as JSON data. Lengths are in CSS pixels. */
export interface HiddenContent {
  readonly element: string;
  readonly shown: { readonly width: number; readonly height: number };
  readonly content: { readonly width: number; readonly height: number };
}

/** A smaller overflow results from rounding, descenders or margins. */
const minHiddenPixels = 10;
/** Smaller areas hide their content on purpose, and are meant for screen readers. */
const minAreaPixels = 10;

export function scrollAreas(page: Document, maxElements: number): ScrollArea[] {
  return elementsOf(page, maxElements).flatMap((element) => scrollArea(element) ?? []);
}

/** Returns descriptions of at most `maxAreas` scroll areas with hidden content. */
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
  if (hiddenHeight + hiddenWidth === 0 || !isVisible(element) || !showsSomething(element)) return undefined;
  return { element, hiddenHeight, hiddenWidth };
}

/**
 * Returns whether the reader can scroll to the hidden content. With `overflow: hidden`, content is cut on purpose, with two
 * exceptions: a body that a dialog has locked, and areas that the perfect-scrollbar library scrolls (class `ps`).
 */
function scrolls(element: HTMLElement, overflow: string): boolean {
  if (overflow === 'auto' || overflow === 'scroll' || element.localName === 'iframe') return true;
  return overflow === 'hidden' && (element.localName === 'body' || element.classList.contains('ps'));
}

/** Returns whether the element's overflow applies to the viewport (CSS Overflow 3, 3.3). Printing does not cut such content. */
function isViewport(element: HTMLElement): boolean {
  const page = element.ownerDocument;
  if (element === page.documentElement || element === page.scrollingElement) return true;
  if (element !== page.body) return false;
  const { overflowX, overflowY } = getComputedStyle(page.documentElement);
  return overflowX === 'visible' && overflowY === 'visible';
}

/** Returns whether the area has visible content. Some grids use empty scroll areas as scroll bars. */
function showsSomething(element: HTMLElement): boolean {
  if (/^(textarea|iframe|select)$/.test(element.localName)) return true;
  const images = 'img, svg, canvas, video, iframe, input, textarea, select, button, object, embed';
  return /\S/.test(element.textContent) || element.querySelector(`${images}, slot`) !== null;
}
