/** Finds what warnings follow from before a page is printed or captured. Small, because it is sent to almost every page. */
import type { BreaksEvent, ExaminedImage } from '../../../log/events.ts';
import { elementPath } from '../element-path.ts';
import { coveringElements, type CoveringElement } from '../scrolling/fixed.ts';
import { hiddenContent, type HiddenContent } from '../scrolling/scroll-areas.ts';
import {
  findUnprinted,
  unprintedMarginBoxes,
  type PrintConditions,
  type UnprintedStyle,
} from './unprinted.ts';

export interface DiagnosticsOptions {
  /** Output pixels for each CSS pixel. An image with a higher resolution does not look better. */
  readonly density: number;
  /** The largest number of elements to check. */
  readonly maxElements: number;
  /** How the page will be printed; absent for an image. */
  readonly print?: PrintConditions;
}

/** The result, as JSON data. */
export interface WarningFacts {
  readonly brokenImages: readonly ExaminedImage[];
  readonly overflows: BreaksEvent['detail']['overflows'];
  /** Scroll areas that hide content. */
  readonly hidden: readonly HiddenContent[];
  readonly failedFonts: readonly string[];
  readonly unprinted: readonly UnprintedStyle[];
  /** Names of margin boxes of pages that are not printed. */
  readonly marginBoxes: readonly string[];
  /** Fixed elements that cover text of a PDF. */
  readonly covering: readonly CoveringElement[];
  /** The number of elements in the page. */
  readonly elements: number;
}

export const maxFindings = 50;
export const maxFamiliesLength = 500;

/** Finds what is missing from the output, without reading the texts and fonts of all elements. */
export function examineForWarnings({ density, maxElements, print }: DiagnosticsOptions): WarningFacts {
  const unloaded = [...document.images]
    .slice(0, maxElements)
    .filter(({ naturalWidth }) => naturalWidth === 0);
  return {
    brokenImages: unloaded.slice(0, maxFindings).flatMap((image) => imageProblem(image, density) ?? []),
    overflows: findOverflows(maxElements).slice(0, maxFindings),
    hidden: hiddenContent(document, maxElements, maxFindings),
    failedFonts: failedFonts(),
    unprinted: print === undefined ? [] : findUnprinted(print),
    marginBoxes: print === undefined ? [] : unprintedMarginBoxes(),
    covering: print === undefined ? [] : findCovering(print),
    elements: document.querySelectorAll('*').length,
  };
}

/** Finds fixed elements that cover text. On a single page, they are where a browser shows them. */
function findCovering({ pageWidth, pageHeight }: PrintConditions): CoveringElement[] {
  // The scroll height is at least that of the window.
  const scrollHeight = document.scrollingElement?.scrollHeight ?? 0;
  const contentHeight =
    scrollHeight > window.innerHeight ? scrollHeight : document.documentElement.offsetHeight;
  const count = Math.ceil(contentHeight / pageHeight);
  return count > 1 ? coveringElements({ width: pageWidth, height: pageHeight, count }) : [];
}

/** Returns the font faces that failed to load or are still loading. Chromium loads only faces that text uses. */
function failedFonts(): string[] {
  const faces = [...document.fonts].filter(({ status }) => status === 'error' || status === 'loading');
  const names = faces.map(({ family, weight, style, status }) => {
    const words = [family.replace(/^(["'])(.*)\1$/, '$2'), weight, style].filter((word) => word !== 'normal');
    return `${words.join(' ')}${status === 'loading' ? ' (still loading)' : ''}`;
  });
  return [...new Set(names)].slice(0, maxFindings).map((name) => name.slice(0, maxFamiliesLength));
}

// Finds images that are broken or far larger than shown.

/** Images with fewer pixels are not reported as oversized. */
const minOversizedPixels = 1_000_000;
/**
 * Images with at least four times the needed pixels (twice in each direction) are oversized. Fewer are normal, because images are
 * often made for high-resolution screens.
 */
const oversizedFactor = 4;

/** Returns the problem if the image is broken or oversized. `density`: output pixels for each CSS pixel. */
export function imageProblem(image: HTMLImageElement, density: number): ExaminedImage | undefined {
  const { naturalWidth: width, naturalHeight: height, currentSrc, src } = image;
  const isBroken = width === 0 && height === 0 && image.hasAttribute('src');
  const isVector = /\.svgz?([?#]|$)|^data:image\/svg/i.test(currentSrc);
  const isLarge = width * height >= minOversizedPixels && !isVector;
  // Measured only if there may be a problem, because reading the size forces a layout.
  if (!image.complete || !(isBroken || isLarge) || !image.checkVisibility()) return undefined;
  const box = image.getBoundingClientRect();
  const shown = { width: Math.round(box.width), height: Math.round(box.height) };
  const needed = shown.width * shown.height * density ** 2;
  if (!isBroken && (needed === 0 || width * height < needed * oversizedFactor)) return undefined;
  return {
    url: addressOf(currentSrc || src),
    element: elementPath(image),
    shown,
    problem: isBroken ? 'broken' : 'oversized',
    natural: { width, height },
  };
}

/** So many characters that the log shows the same text as for the request: it decodes the first 4,000 of a path (shown-address.ts). */
const maxUrlLength = 4100;

/** Returns the beginning of an address; of a `data:` address, its type and length. */
export function addressOf(url: string): string {
  if (url.startsWith('data:'))
    return `${/^data:[^,;]{0,80}/.exec(url)?.[0] ?? 'data:'},… (${url.length} characters)`;
  return url.slice(0, maxUrlLength);
}

// Finds the outermost elements that overflow the viewport on the right.

type Overflow = BreaksEvent['detail']['overflows'][number];

/** Edges can be at fractions of pixels. */
const tolerancePixels = 1;
const maxOverflows = 50;

/** Returns the overflowing elements. If the page as a whole does not overflow, no element is checked. */
function findOverflows(maxElements: number): Overflow[] {
  const width = window.innerWidth;
  if ((document.scrollingElement?.scrollWidth ?? 0) <= width + tolerancePixels) return [];
  const found: Overflow[] = [];
  const overflowing = new Set<Element>();
  const elements = [...document.querySelectorAll('body, body *')].slice(0, maxElements);
  for (const element of elements) {
    if (found.length === maxOverflows) break;
    const parent = element.parentElement;
    if (parent !== null && overflowing.has(parent)) {
      // Content of an overflowing element is not a separate finding.
      overflowing.add(element);
      continue;
    }
    const excess = rightEdge(element) + window.scrollX - width;
    if (excess <= tolerancePixels || isClipped(element)) continue;
    overflowing.add(element);
    found.push({ element: elementPath(element), by: Math.round(excess * 10) / 10 });
  }
  return found;
}

/**
 * Returns the x coordinate, in the viewport, of the right edge of the element or of the text directly inside it (the larger one).
 */
function rightEdge(element: Element): number {
  const box = element.getBoundingClientRect();
  const texts = [...element.childNodes].filter(
    (node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.nodeValue ?? ''),
  );
  return texts.reduce(
    (right, text) => Math.max(right, rightOfText(text)),
    box.width * box.height > 0 ? box.right : 0,
  );
}

function rightOfText(node: Node): number {
  const range = document.createRange();
  range.selectNodeContents(node);
  return range.getBoundingClientRect().right;
}

/** Returns whether an ancestor clips the element, so that the page does not overflow. */
function isClipped(element: Element): boolean {
  for (
    let ancestor = element.parentElement;
    ancestor !== null && ancestor !== document.body;
    ancestor = ancestor.parentElement
  ) {
    if (getComputedStyle(ancestor).overflowX !== 'visible') return true;
  }
  return false;
}
