/** What runs inside the document of a header or footer. A program of its own, compiled by itself. */
import { isClear } from './clear-colour.ts';

/** What the header or footer of one page has to say. */
export interface StripFacts {
  /** The page's own number, from 1, and how many there are. */
  readonly page: number;
  readonly pages: number;
  /** What is printed as number and as count, by the name of the number format; plain digits are `arabic`. */
  readonly number: Readonly<Record<string, string>>;
  readonly count: Readonly<Record<string, string>>;
  readonly url: string;
  readonly title: string;
}

/** Fills the elements of one page's header or footer, and gives its body the classes of the page. */
function fillStrip(
  root: ParentNode,
  body: HTMLElement | null,
  { facts, prefixes }: { facts: StripFacts; prefixes: readonly string[] },
): void {
  const { page, pages, number, count, url, title } = facts;
  for (const prefix of prefixes) {
    const each = (name: string, work: (element: Element) => void) => {
      for (const element of root.querySelectorAll(`.${prefix}-${name}`)) work(element);
    };
    const set = (element: Element, text: string) => {
      if (element.textContent !== text) element.textContent = text;
    };
    const format = (element: Element) => element.getAttribute(`data-${prefix}-number-format`) ?? 'arabic';
    each('page-number', (element) => {
      set(element, number[format(element)] ?? number.arabic ?? '');
    });
    each('page-count', (element) => {
      set(element, count[format(element)] ?? count.arabic ?? '');
    });
    each('source-title', (element) => {
      set(element, title);
    });
    each('source-url', (element) => {
      const placement = element.getAttribute(`data-${prefix}-placement`);
      if (placement !== null && element.getAttribute('href') !== url) element.setAttribute('href', url);
      if (placement !== 'href') set(element, url);
    });
    const words = [`page-${page}`, `page-count-${pages}`, page % 2 === 1 ? 'page-odd' : 'page-even'];
    if (page === 1) words.push('page-first');
    if (page === pages) words.push('page-last');
    body?.classList.add(`${prefix}-body`, ...words.map((word) => `${prefix}-${word}`));
  }
}

/** A page's header or footer, in CSS pixels. */
export interface Box {
  readonly width: number;
  readonly height: number;
}

export interface Copies {
  readonly pages: readonly StripFacts[];
  readonly prefixes: readonly string[];
  readonly box: Box;
  /** Keeps what is positioned, or too tall, inside its own page; slow with many pages. */
  readonly guarded: boolean;
}

/** Pixels that the content exceeds its page by. */
export interface Excess {
  readonly height: number;
  readonly width: number;
}

export interface CopiesLaidOut {
  /** Of the tallest and of the widest. */
  readonly excess: Excess;
  /** Something is positioned. */
  readonly positioned: boolean;
}

/**
 * Puts a copy of the body for each page into the document, one below the other, each as tall as its page.
 */
export function layOutCopies({ pages, prefixes, box, guarded }: Copies): CopiesLaidOut {
  // Kept by its document: another one may be written in its place, in the same world.
  const html = document.documentElement as HTMLElement & { platenBody?: HTMLElement };
  html.platenBody ??= document.body;
  const original = html.platenBody;
  original.remove();
  html.querySelectorAll('platen-page').forEach((page) => {
    page.remove();
  });
  html.style.cssText += '; margin: 0 !important; padding: 0 !important; height: auto !important';
  const own = guarded ? 'position: relative; overflow: clip; contain: layout paint;' : '';
  const size = `width: ${box.width}px; height: ${box.height}px`;
  const frames = pages.map((facts) => {
    const frame = document.createElement('platen-page');
    // Without a layer of its own: a thousand layers take seconds to print.
    frame.style.cssText = `display: flow-root; ${size}; break-after: page; break-inside: avoid; ${own}`;
    const body = original.cloneNode(true) as HTMLElement;
    fillStrip(body, body, { facts, prefixes });
    frame.append(body);
    return frame;
  });
  html.append(...frames);
  // The background of a body covers its window.
  const canvas = getComputedStyle(html);
  const plain = canvas.backgroundImage === 'none' && isClear(canvas.backgroundColor);
  for (const frame of frames) {
    const body = frame.firstElementChild as HTMLElement;
    const { backgroundColor, backgroundImage, background } = getComputedStyle(body);
    if (!plain || (backgroundImage === 'none' && isClear(backgroundColor))) continue;
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
  const positioned = frames[0] !== undefined && leavesItsPlace(frames[0]);
  const excess = { height: Math.max(0, ...bottoms), width: Math.max(0, ...frames.map(excessWidth)) };
  return { excess, positioned };
}

export interface Frames {
  readonly addresses: readonly string[];
  readonly box: Box;
  /** Milliseconds that the frames may take to load. */
  readonly patience: number;
}

/** True when something in it, or before or after something, may lie outside of the block it is in. */
function leavesItsPlace(frame: Element): boolean {
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

/** None where something goes over both of its sides: that is meant to reach the edges. */
function excessWidth(frame: Element): number {
  const body = frame.firstElementChild;
  if (body === null) return 0;
  const { left, right } = frame.getBoundingClientRect();
  const box = body.getBoundingClientRect();
  const own = getComputedStyle(body).overflowX === 'visible' ? body.scrollWidth : box.width;
  const excess = box.left + Math.max(own, box.width) - right;
  if (excess < 1) return 0;
  const reaches = (element: Element) => {
    const { left: from, right: to } = element.getBoundingClientRect();
    return from < left - 1 && to > right + 1;
  };
  return [...body.querySelectorAll('*')].some(reaches) ? 0 : excess;
}

/** Puts a frame for each page into the document; its header or footer is a document of its own there. */
export async function layOutFrames({ addresses, box, patience }: Frames): Promise<void> {
  document.documentElement.style.cssText = 'margin: 0';
  document.body.style.cssText = 'margin: 0';
  const loaded = addresses.map(
    (address) =>
      new Promise<void>((resolve) => {
        const frame = document.createElement('iframe');
        frame.style.cssText = `display: block; border: 0; width: ${box.width}px; height: ${box.height}px; break-after: page`;
        // It must not take the others with it when it goes elsewhere.
        frame.sandbox.add('allow-scripts', 'allow-same-origin');
        frame.onload = () => {
          resolve();
        };
        frame.src = address;
        document.body.append(frame);
      }),
  );
  await Promise.race([Promise.all(loaded), new Promise((resolve) => setTimeout(resolve, patience))]);
}

/** Resolves when fonts and images of the frames are there, with what the tallest and the widest exceed their pages by. */
export async function settleFrames(patience: number): Promise<Excess> {
  const documents = [...document.querySelectorAll('iframe')].flatMap((frame) => frame.contentDocument ?? []);
  const ready = documents.map(async (inner) => {
    await inner.fonts.ready;
    await Promise.all([...inner.images].map((image) => image.decode().catch(() => undefined)));
  });
  await Promise.race([Promise.all(ready), new Promise((resolve) => setTimeout(resolve, patience))]);
  const roots = documents.flatMap(({ scrollingElement }) => scrollingElement ?? []);
  return {
    height: Math.max(0, ...roots.map((root) => root.scrollHeight - root.clientHeight)),
    width: Math.max(0, ...roots.map((root) => root.scrollWidth - root.clientWidth)),
  };
}

/** Runs at the start of a frame's document, so that the page's scripts find the elements filled as they are parsed. */
export function watchStrip(filling: { facts: StripFacts; prefixes: readonly string[] }): void {
  const fill = () => {
    fillStrip(document, document.body, filling);
  };
  const observer = new MutationObserver(fill);
  observer.observe(document, { childList: true, subtree: true });
  document.addEventListener('DOMContentLoaded', () => {
    fill();
    observer.disconnect();
  });
}
