/** Fills in and lays out headers and footers. Compiled as a separate script that runs in the document of the header or footer. */
import { isTransparent } from './transparent-colour.ts';

/** The values for the header or footer of one page. */
export interface HeaderFooterFacts {
  /** Page number in the output, from 1. */
  readonly page: number;
  /** The number of pages in the output. */
  readonly pages: number;
  /** The page number as shown, by number format: `page` plus page_numbering_offset. `arabic` is always present. */
  readonly number: Readonly<Record<string, string>>;
  /** The page count as shown, by number format. `arabic` is always present. */
  readonly count: Readonly<Record<string, string>>;
  readonly url: string;
  readonly title: string;
}

/** Fills in the placeholders of the header or footer of one page, and adds the classes for this page to the body. */
function fillPlaceholders(
  root: ParentNode,
  body: HTMLElement | null,
  { facts, prefixes }: { facts: HeaderFooterFacts; prefixes: readonly string[] },
): void {
  const { page, pages, number, count, url, title } = facts;
  for (const prefix of prefixes) {
    const forEach = (name: string, work: (element: Element) => void) => {
      for (const element of root.querySelectorAll(`.${prefix}-${name}`)) work(element);
    };
    const setText = (element: Element, text: string) => {
      if (element.textContent !== text) element.textContent = text;
    };
    const format = (element: Element) => element.getAttribute(`data-${prefix}-number-format`) ?? 'arabic';
    forEach('page-number', (element) => {
      setText(element, number[format(element)] ?? number.arabic ?? '');
    });
    forEach('page-count', (element) => {
      setText(element, count[format(element)] ?? count.arabic ?? '');
    });
    forEach('source-title', (element) => {
      setText(element, title);
    });
    forEach('source-url', (element) => {
      const placement = element.getAttribute(`data-${prefix}-placement`);
      if (placement !== null && element.getAttribute('href') !== url) element.setAttribute('href', url);
      if (placement !== 'href') setText(element, url);
    });
    const pageClasses = [`page-${page}`, `page-count-${pages}`, page % 2 === 1 ? 'page-odd' : 'page-even'];
    if (page === 1) pageClasses.push('page-first');
    if (page === pages) pageClasses.push('page-last');
    body?.classList.add(`${prefix}-body`, ...pageClasses.map((word) => `${prefix}-${word}`));
  }
}

/** The size of a page's header or footer in CSS pixels. */
export interface ElementBox {
  readonly width: number;
  readonly height: number;
}

export interface HeaderFooterCopies {
  readonly pages: readonly HeaderFooterFacts[];
  /** Prefixes of the CSS classes: `service` and the `alias` setting. */
  readonly prefixes: readonly string[];
  readonly box: ElementBox;
  /** Whether to clip each copy to its box, for content that is positioned or too tall. This is slow with many pages. */
  readonly clipped: boolean;
}

/** CSS pixels by which the content exceeds its box. */
export interface Excess {
  readonly height: number;
  readonly width: number;
}

interface LaidOutCopies {
  /** The largest excess of all copies in each direction. */
  readonly excess: Excess;
  /** Whether content may extend outside the box. Only the first copy is checked. */
  readonly mayOverflow: boolean;
}

/** Lays out one copy of the body for each page, one below the other. Each copy is printed on a separate page. */
export function layOutCopies({ pages, prefixes, box, clipped }: HeaderFooterCopies): LaidOutCopies {
  // Stored on the root element, not in a global variable, because another document may be written into the same page later.
  const html = document.documentElement as HTMLElement & { platenBody?: HTMLElement };
  html.platenBody ??= document.body;
  const original = html.platenBody;
  original.remove();
  html.querySelectorAll('platen-page').forEach((page) => {
    page.remove();
  });
  html.style.cssText += '; margin: 0 !important; padding: 0 !important; height: auto !important';
  const containment = clipped ? 'position: relative; overflow: clip; contain: layout paint;' : '';
  const size = `width: ${box.width}px; height: ${box.height}px`;
  const frames = pages.map((facts) => {
    const frame = document.createElement('platen-page');
    // Containment can create a layer, and a thousand layers take seconds to print, so it is used only if needed.
    frame.style.cssText = `display: flow-root; ${size}; break-after: page; break-inside: avoid; ${containment}`;
    const body = original.cloneNode(true) as HTMLElement;
    fillPlaceholders(body, body, { facts, prefixes });
    frame.append(body);
    return frame;
  });
  html.append(...frames);
  // The background of a body would cover the whole canvas (CSS Backgrounds 3, 2.11.2), so it is moved to the frame.
  const canvas = getComputedStyle(html);
  const isPlainCanvas = canvas.backgroundImage === 'none' && isTransparent(canvas.backgroundColor);
  for (const frame of frames) {
    const body = frame.firstElementChild as HTMLElement;
    const { backgroundColor, backgroundImage, background } = getComputedStyle(body);
    if (!isPlainCanvas || (backgroundImage === 'none' && isTransparent(backgroundColor))) continue;
    frame.style.background = background;
    body.style.background = 'none';
  }
  const bottoms = frames.map((frame) => {
    const body = frame.firstElementChild as HTMLElement;
    const lowest = Math.max(
      body.getBoundingClientRect().bottom,
      body.getBoundingClientRect().top + body.scrollHeight,
    );
    return lowest - frame.getBoundingClientRect().top - box.height;
  });
  const mayOverflow = frames[0] !== undefined && mayExceedBox(frames[0]);
  const excess = { height: Math.max(0, ...bottoms), width: Math.max(0, ...frames.map(excessWidth)) };
  return { excess, mayOverflow };
}

interface FrameLayout {
  readonly addresses: readonly string[];
  readonly box: ElementBox;
  /** Timeout for loading the frames, in milliseconds. */
  readonly timeoutMs: number;
}

/** Returns whether an element extends outside the frame, or an element or pseudo-element is positioned or transformed. */
function mayExceedBox(frame: Element): boolean {
  const moved = ({ position, transform }: CSSStyleDeclaration) =>
    position !== 'static' || transform !== 'none';
  const { top, left, right } = frame.getBoundingClientRect();
  return [...frame.querySelectorAll('*')].some((element) => {
    const box = element.getBoundingClientRect();
    const outside = box.height > 0 && (box.top < top || box.left < left || box.right > right + 1);
    return (
      outside || [null, '::before', '::after'].some((pseudo) => moved(getComputedStyle(element, pseudo)))
    );
  });
}

/**
 * Returns by how many CSS pixels the content is wider than the frame. Returns 0 if an element exceeds both sides, because such an
 * element is meant to reach the edges of the paper.
 */
function excessWidth(frame: Element): number {
  const body = frame.firstElementChild;
  if (body === null) return 0;
  const { left, right } = frame.getBoundingClientRect();
  const box = body.getBoundingClientRect();
  const contentWidth = getComputedStyle(body).overflowX === 'visible' ? body.scrollWidth : box.width;
  const excess = box.left + Math.max(contentWidth, box.width) - right;
  if (excess < 1) return 0;
  const exceedsBothSides = (element: Element) => {
    const { left: from, right: to } = element.getBoundingClientRect();
    return from < left - 1 && to > right + 1;
  };
  return [...body.querySelectorAll('*')].some(exceedsBothSides) ? 0 : excess;
}

/**
 * Lays out one iframe for each page, with the header or footer of that page as its document. Resolves when all of them have loaded,
 * or after the timeout.
 */
export async function layOutFrames({ addresses, box, timeoutMs }: FrameLayout): Promise<void> {
  document.documentElement.style.cssText = 'margin: 0';
  document.body.style.cssText = 'margin: 0';
  const loaded = addresses.map(
    (address) =>
      new Promise<void>((resolve) => {
        const frame = document.createElement('iframe');
        frame.style.cssText = `display: block; border: 0; width: ${box.width}px; height: ${box.height}px; break-after: page`;
        // A frame must not navigate the top-level document.
        frame.sandbox.add('allow-scripts', 'allow-same-origin');
        frame.onload = () => {
          resolve();
        };
        frame.src = address;
        document.body.append(frame);
      }),
  );
  await Promise.race([Promise.all(loaded), new Promise((resolve) => setTimeout(resolve, timeoutMs))]);
}

/**
 * Waits for the fonts and images of the frames, or for the timeout. Returns the largest excess of all frames in each direction.
 */
export async function settleFrames(timeoutMs: number): Promise<Excess> {
  const documents = [...document.querySelectorAll('iframe')].flatMap((frame) => frame.contentDocument ?? []);
  const ready = documents.map(async (inner) => {
    await inner.fonts.ready;
    await Promise.all([...inner.images].map((image) => image.decode().catch(() => undefined)));
  });
  await Promise.race([Promise.all(ready), new Promise((resolve) => setTimeout(resolve, timeoutMs))]);
  const roots = documents.flatMap(({ scrollingElement }) => scrollingElement ?? []);
  return {
    height: Math.max(0, ...roots.map((root) => root.scrollHeight - root.clientHeight)),
    width: Math.max(0, ...roots.map((root) => root.scrollWidth - root.clientWidth)),
  };
}

/** Fills in the placeholders while the document is parsed, so that its scripts read the final text. */
export function fillDuringParsing(values: { facts: HeaderFooterFacts; prefixes: readonly string[] }): void {
  const fill = () => {
    fillPlaceholders(document, document.body, values);
  };
  const observer = new MutationObserver(fill);
  observer.observe(document, { childList: true, subtree: true });
  document.addEventListener('DOMContentLoaded', () => {
    fill();
    observer.disconnect();
  });
}
