/** Examines a page for the debug log before it is printed or captured. Only `markSamples` changes the page. */
import type { EncodingEvent, ExaminedImage, FontsEvent } from '../../../log/events.ts';
import { descriptionSize } from '../description-size.ts';
import { elementPath, parentOf } from '../element-path.ts';
import {
  examineForWarnings,
  imageProblem,
  maxFamiliesLength,
  maxFindings,
  type DiagnosticsOptions,
  type WarningFacts,
} from './warnings.ts';
import { readTexts, type FontStack, type PageTexts } from './texts.ts';

type FontStackFacts = Omit<FontsEvent['detail']['stacks'][number], 'used'> & {
  /** Whether the text is Western and the page has no web fonts. Then the style has the same fonts in every page. */
  readonly plain: boolean;
};

/** The result of the whole examination, as JSON data. */
export interface PageFacts extends WarningFacts {
  readonly fonts: Omit<FontsEvent['detail'], 'stacks'> & { readonly stacks: readonly FontStackFacts[] };
  readonly images: readonly ExaminedImage[];
  readonly encoding: Omit<EncodingEvent['detail'], 'declared'> & { readonly meta: boolean };
}

const maxStacks = 40;

/** Global variables of the isolated world, which exist until the page is unloaded. */
interface PageGlobals {
  /** For each font style, the elements whose fonts are examined. Weak, because later inline documents share the page. */
  platenSamples?: readonly (readonly WeakRef<Element>[])[];
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
  const warningFacts = examineForWarnings(options);
  return {
    ...warningFacts,
    fonts: fontsOf(texts, stacks, warningFacts.failedFonts),
    images,
    encoding: encodingOf(texts),
  };
}

function fontsOf(
  texts: PageTexts,
  stacks: readonly FontStack[],
  failed: readonly string[],
): PageFacts['fonts'] {
  return {
    stacks: stacks.map(({ families, weight, style, characters, unusual, samples: [first] }) => ({
      families: families.slice(0, maxFamiliesLength),
      weight,
      style,
      characters,
      plain: unusual.size === 0 && document.fonts.size === 0,
      element: first === undefined ? '' : elementPath(first),
    })),
    failed,
    missing: missingGlyphs(texts.stacks.values())
      .slice(0, maxFindings)
      .map((glyph) => ({ ...glyph, element: elementPath(glyph.element) })),
  };
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
  // The protocol sends the titles of style sheets too.
  const titles = [...document.styleSheets].map(({ title }) => title?.length ?? 0);
  const size = [...[...described].map(descriptionSize), ...titles].reduce((sum, length) => sum + length, 0);
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
