/** Examines a page before it is printed or captured: for warnings, or for the debug log. Only `markSamples` changes the page. */
import type { BreaksEvent, EncodingEvent, ExaminedImage, FontsEvent } from '../../../log/events.ts';
import { descriptionSize } from '../description-size.ts';
import { elementPath, parentOf } from '../element-path.ts';
import { coveringElements, type CoveringElement } from '../scrolling/fixed.ts';
import { hiddenContent, type HiddenContent } from '../scrolling/scroll-areas.ts';
import {
  findUnprinted,
  unprintedMarginBoxes,
  type PrintConditions,
  type UnprintedStyle,
} from './unprinted.ts';
import { readTexts, type FontStack, type PageTexts } from './texts.ts';

export interface DiagnosticsOptions {
  /** Output pixels for each CSS pixel. An image with a higher resolution does not look better. */
  readonly density: number;
  /** The largest number of elements to check. */
  readonly maxElements: number;
  /** How the page will be printed; absent for an image. */
  readonly print?: PrintConditions;
}

type FontStackFacts = Omit<FontsEvent['detail']['stacks'][number], 'used'> & {
  /** Whether the text is Western and the page has no web fonts. Then the style has the same fonts in every page. */
  readonly plain: boolean;
};

/** What warnings follow from, as JSON data. */
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

/** The result of the whole examination, as JSON data. */
export interface PageFacts extends WarningFacts {
  readonly fonts: Omit<FontsEvent['detail'], 'stacks'> & { readonly stacks: readonly FontStackFacts[] };
  readonly images: readonly ExaminedImage[];
  readonly encoding: Omit<EncodingEvent['detail'], 'declared'> & { readonly meta: boolean };
}

const maxStacks = 40;
const maxFindings = 50;
const maxFamiliesLength = 500;

/** Global variables of the isolated world, which exist until the page is unloaded. */
interface PageGlobals {
  /** For each font style, the elements whose fonts are examined. Weak, because later inline documents share the page. */
  platenSamples?: readonly (readonly WeakRef<Element>[])[];
}

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

export function examinePage(options: DiagnosticsOptions): PageFacts {
  const { density, maxElements } = options;
  const texts = readTexts();
  const images: ExaminedImage[] = [];
  visitContent(document, maxElements, {
    text: texts.add,
    image(image) {
      const problem = images.length < maxFindings ? imageProblem(image, density) : undefined;
      if (problem !== undefined) images.push(problem);
    },
  });
  const stacks = [...texts.stacks.values()]
    .sort((left, right) => right.characters - left.characters)
    .slice(0, maxStacks);
  (globalThis as PageGlobals).platenSamples = stacks.map(({ samples }) =>
    samples.map((sample) => new WeakRef(sample)),
  );
  return {
    ...examineForWarnings(options),
    fonts: fontsOf(texts, stacks),
    images,
    encoding: encodingOf(texts),
  };
}

function fontsOf(texts: PageTexts, stacks: readonly FontStack[]): PageFacts['fonts'] {
  return {
    stacks: stacks.map(({ families, weight, style, characters, unusual, samples: [first] }) => ({
      families: families.slice(0, maxFamiliesLength),
      weight,
      style,
      characters,
      plain: unusual.size === 0 && document.fonts.size === 0,
      element: first === undefined ? '' : elementPath(first),
    })),
    failed: failedFonts(),
    missing: missingGlyphs(texts.stacks.values())
      .slice(0, maxFindings)
      .map((glyph) => ({ ...glyph, element: elementPath(glyph.element) })),
  };
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

function encodingOf({ replaced, garbled }: PageTexts): PageFacts['encoding'] {
  const meta = document.querySelector(
    'meta[charset], meta[http-equiv="content-type" i][content*="charset" i]',
  );
  return {
    encoding: document.characterSet,
    meta: meta !== null,
    replaced,
    ...(garbled !== undefined && { garbled }),
  };
}

/** The characters of the descriptions of all ancestors of samples, which the protocol sends. */
const maxDescriptions = 2_000_000;

/**
 * Sets an attribute of the elements whose fonts are examined to the index of their font style. Returns the indices in document
 * order; an empty array if Chromium would have to describe too large a part of the page.
 */
export function markSamples(attribute: string): number[] {
  const samplesByStack = (globalThis as PageGlobals).platenSamples ?? [];
  const elementsByStack = samplesByStack.map((samples) => samples.flatMap((sample) => sample.deref() ?? []));
  const described = new Set(elementsByStack.flat().flatMap(ancestorsOf));
  const size = [...described].reduce((sum, element) => sum + descriptionSize(element), 0);
  if (size > maxDescriptions) return [];
  elementsByStack.forEach((elements, stack) => {
    for (const element of elements) element.setAttribute(attribute, String(stack));
  });
  return [...document.querySelectorAll(`[${attribute}]`)].map((element) =>
    Number(element.getAttribute(attribute)),
  );
}

function ancestorsOf(element: Element): Element[] {
  const ancestors: Element[] = [];
  for (let outer = parentOf(element); outer !== null; outer = parentOf(outer))
    ancestors.push(outer as Element);
  return ancestors;
}

// Finds characters for which no font has a glyph.

/** A permanent noncharacter (Unicode, 23.7), which is always drawn as the symbol for a missing glyph. */
const noncharacter = '\u{10ffff}';
const canvasSize = 28;
/** The largest number of characters to check in a page. */
const maxCharacters = 1000;

interface MissingGlyph {
  readonly character: string;
  readonly count: number;
  readonly element: Element;
}

/**
 * Returns the characters for which no font has a glyph. Draws each unusual character in its font style, and compares the drawing
 * with that of a missing glyph.
 */
function missingGlyphs(stacks: Iterable<Pick<FontStack, 'font' | 'unusual'>>): MissingGlyph[] {
  const context = new OffscreenCanvas(canvasSize, canvasSize).getContext('2d', { willReadFrequently: true });
  if (context === null) return [];
  context.textBaseline = 'top';
  const missing: MissingGlyph[] = [];
  let tried = 0;
  for (const { font, unusual } of stacks) {
    if (unusual.size === 0) continue;
    context.font = font;
    const width = context.measureText(noncharacter).width;
    const drawn = drawing(context, noncharacter);
    for (const [character, { count, element }] of unusual) {
      if ((tried += 1) > maxCharacters) return missing;
      if (context.measureText(character).width !== width) continue;
      if (sameBytes(drawing(context, character), drawn)) missing.push({ character, count, element });
    }
  }
  return missing;
}

/** Returns those of the characters for which no installed font has a glyph. */
export function charactersWithoutGlyph(characters: string): string[] {
  const element = document.documentElement;
  const unusual = new Map(Array.from(characters, (character) => [character, { count: 1, element }]));
  return missingGlyphs([{ font: '20px sans-serif', unusual }]).map(({ character }) => character);
}

function drawing(context: OffscreenCanvasRenderingContext2D, character: string): Uint8ClampedArray {
  context.clearRect(0, 0, canvasSize, canvasSize);
  context.fillText(character, 0, 0);
  return context.getImageData(0, 0, canvasSize, canvasSize).data;
}

function sameBytes(left: Uint8ClampedArray, right: Uint8ClampedArray): boolean {
  return left.every((value, index) => value === right[index]);
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

const maxUrlLength = 300;

/** Returns an address for display: a job file by its path, a `data:` address by its type and length. */
function addressOf(url: string): string {
  if (url.startsWith('data:'))
    return `${/^data:[^,;]{0,80}/.exec(url)?.[0] ?? 'data:'},… (${url.length} characters)`;
  const path = url.replace(/^platen:\/\/job\/[^/]*\//, '');
  return path.length > maxUrlLength ? `${path.slice(0, maxUrlLength - 1)}…` : path;
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

// Visits the text and images of a page, including those in shadow trees.

interface PageVisitor {
  readonly text: (element: Element, text: string, pseudo?: string) => void;
  readonly image: (image: HTMLImageElement) => void;
}

const invisibleTags = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'head',
  'title',
  'option',
  'datalist',
]);

/** The largest number of empty elements to check for text in pseudo-elements, which icon fonts use. */
const maxIcons = 1000;

/** Calls the visitor for each text and image. Stops and returns false if there are more than `maxElements` elements. */
function visitContent(page: Document, maxElements: number, visitor: PageVisitor): boolean {
  let remaining = maxElements;
  let icons = maxIcons;
  return walkTree(page.querySelector('body') ?? page.documentElement);
  function walkTree(root: Element | ShadowRoot): boolean {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node: Node | null = walker.currentNode; node !== null; node = walker.nextNode()) {
      // Does not use instanceof, because elements from a frame are instances of that frame's classes.
      if (node.nodeType === Node.TEXT_NODE) text(node as Text);
      else if (node.nodeType === Node.ELEMENT_NODE && ((remaining -= 1) < 0 || !element(node as Element)))
        return false;
    }
    return true;
  }
  function text({ parentElement, parentNode, data }: Text): void {
    const parent = parentElement ?? (parentNode instanceof ShadowRoot ? parentNode.host : null);
    if (parent !== null && !invisibleTags.has(parent.localName) && /\S/.test(data))
      visitor.text(parent, data);
  }
  function element(at: Element): boolean {
    if (at.localName === 'img') visitor.image(at as HTMLImageElement);
    else if (at.firstChild === null && 'innerText' in at && (icons -= 1) >= 0) icon(at);
    return at.shadowRoot === null || walkTree(at.shadowRoot);
  }
  function icon(at: Element): void {
    for (const pseudo of ['::before', '::after']) {
      const content = /^"(.*)"$/s.exec(getComputedStyle(at, pseudo).content)?.[1];
      if (content && /\S/.test(content) && at.checkVisibility()) visitor.text(at, content, pseudo);
    }
  }
}
