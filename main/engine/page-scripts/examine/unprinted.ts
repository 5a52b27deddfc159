/** Finds style that Chromium does not print as a browser shows it. Part of the page script `examine`. */
import { elementPath } from '../element-path.ts';
import { elementsOf } from '../scrolling/page-elements.ts';
import { hasOpenBorder } from '../open-border.ts';
import { isTransparent } from '../transparent-colour.ts';

/** Why an element is printed differently. */
export type UnprintedCause =
  /** A filter turns text into a picture. */
  | 'filter'
  /** Text that only its background shows, printed without backgrounds. */
  | 'text without background'
  /** `translateZ` in a 3D space does not change what is in front. */
  | 'depth'
  /** Chromium has no dictionary for `hyphens: auto`. */
  | 'hyphens'
  /** A table head that is too tall to be repeated on each page. */
  | 'tall table head'
  /** The border of a table cell that is taller than a page: Chromium draws no line where a page ends. */
  | 'open cell';

export interface UnprintedStyle {
  readonly cause: UnprintedCause;
  readonly element: string;
}

export interface PrintConditions {
  /** Size of the content of a page in CSS pixels. */
  readonly pageWidth: number;
  readonly pageHeight: number;
  readonly hasBackgrounds: boolean;
  readonly hasHyphenation: boolean;
}

/** Reading the style of an element takes a microsecond. */
const maxElements = 2000;
const maxFound = 20;
/** Chromium repeats no table head that is taller than this share of the page. */
const maxHeadShare = 1 / 4;

export function findUnprinted(conditions: PrintConditions): UnprintedStyle[] {
  const found: UnprintedStyle[] = [];
  const elements = elementsOf(document, maxElements);
  for (const element of elements) {
    if (found.length >= maxFound) break;
    const cause = causeOf(element, conditions);
    if (cause !== undefined && element.checkVisibility())
      found.push({ cause, element: elementPath(element) });
  }
  return found;
}

function causeOf(element: HTMLElement, conditions: PrintConditions): UnprintedCause | undefined {
  if (element.localName === 'thead') return isTallHead(element, conditions) ? 'tall table head' : undefined;
  const style = getComputedStyle(element);
  if (/^t[dh]$/.test(element.localName) && isOpenCell(element, style, conditions)) return 'open cell';
  if (style.filter !== 'none' && drawsAnew(style.filter) && hasText(element)) return 'filter';
  if (!conditions.hasBackgrounds && showsBackgroundOnly(style) && hasText(element))
    return 'text without background';
  if (style.transformStyle === 'preserve-3d' && hasDepth(element)) return 'depth';
  if (!conditions.hasHyphenation && style.hyphens === 'auto' && isBroken(element)) return 'hyphens';
  return undefined;
}

/** Returns whether a filter changes what it draws. */
function drawsAnew(filter: string): boolean {
  return !/^(?:(?:brightness|contrast|saturate|opacity)\(1\)|(?:grayscale|sepia|invert)\(0\)|blur\(0px\)|hue-rotate\(0deg\))$/.test(
    filter,
  );
}

function hasText(element: Element): boolean {
  return /\S/.test(element.textContent);
}

function showsBackgroundOnly({ backgroundClip, webkitTextFillColor }: CSSStyleDeclaration): boolean {
  return backgroundClip === 'text' && isTransparent(webkitTextFillColor);
}

/** Returns whether a child of an element with a 3D space is in front of or behind its other content. */
function hasDepth(element: Element): boolean {
  return [...element.children].slice(0, 100).some((child) => {
    const { transform } = getComputedStyle(child);
    const depth = transform.startsWith('matrix3d(') ? Number(transform.slice(9, -1).split(',')[14]) : 0;
    return depth !== 0;
  });
}

/** Returns whether the element itself contains text that takes several lines. */
function isBroken(element: HTMLElement): boolean {
  const text = [...element.childNodes].find(
    (node) => node.nodeType === Node.TEXT_NODE && /\p{L}{5}/u.test(node.nodeValue ?? ''),
  );
  if (text === undefined) return false;
  const range = document.createRange();
  range.selectNodeContents(text);
  return range.getClientRects().length > 1;
}

function isTallHead(element: HTMLElement, { pageHeight }: PrintConditions): boolean {
  const table = element.closest('table');
  return (
    table !== null &&
    element.offsetHeight > pageHeight * maxHeadShare &&
    table.offsetHeight > pageHeight &&
    getComputedStyle(element).display === 'table-header-group'
  );
}

/** Returns whether the end of a page certainly splits a cell with a bottom border. */
function isOpenCell(
  element: HTMLElement,
  style: CSSStyleDeclaration,
  { pageHeight }: PrintConditions,
): boolean {
  return element.offsetHeight > pageHeight && hasOpenBorder(style);
}

/** Matches the beginning of a rule for a margin box with its name (css-page-3, 4.2). */
const marginBox =
  /@((?:top|bottom)-(?:left-corner|left|center|right|right-corner)|(?:left|right)-(?:top|middle|bottom))\s*\{/gi;

/** Returns the names of the margin boxes in the page's own style sheets, if Chromium does not know them. */
export function unprintedMarginBoxes(): string[] {
  if ('CSSMarginRule' in globalThis) return [];
  const names = new Set<string>();
  for (const { textContent } of document.querySelectorAll('style'))
    for (const [, name = ''] of textContent.matchAll(marginBox)) names.add(`@${name.toLowerCase()}`);
  return [...names];
}
