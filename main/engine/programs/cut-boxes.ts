/** Finds the boxes that can be seen and that the ends of columns cut: cards, panels. Part of the program `breaks`. */
import { isClear } from './clear-colour.ts';
import { elementPath } from './element-path.ts';
import type { Split } from './cut-elements.ts';

/** A split, and what of the document it is. */
export interface Cut {
  readonly element: Element;
  readonly split: Split;
}

export interface Boxes {
  /** Of a column, in CSS pixels. */
  readonly height: number;
  readonly pageOf: (box: DOMRect) => number;
  /** Backgrounds are printed. */
  readonly backgrounds: boolean;
}

/** Those that would have room on one page; outer ones come first. */
export function cutBoxes(elements: readonly Element[], { height, pageOf, backgrounds }: Boxes): Cut[] {
  return elements.flatMap((element) => {
    const parts = [...element.getClientRects()].filter(canBeSeen);
    const [top] = parts;
    const bottom = parts.at(-1);
    if (top === undefined || bottom === undefined || pageOf(top) >= pageOf(bottom)) return [];
    if (parts.reduce((sum, part) => sum + part.height, 0) > height + 1) return [];
    if (!isBox(element, backgrounds) || holdsEverything(element) || isBrokenOnPurpose(element)) return [];
    const split = { element: elementPath(element), first: pageOf(top), last: pageOf(bottom) };
    return [{ element, split }];
  });
}

/** Edges lie at fractions of pixels. */
function canBeSeen({ width, height }: DOMRect): boolean {
  return width >= 1 && height >= 1;
}

/** Tables are broken between their rows, which are looked at by themselves, and so is text between its lines. */
function isBox(element: Element, backgrounds: boolean): boolean {
  const style = getComputedStyle(element);
  if (/^(inline|contents|table)/.test(style.display) || element.closest('tr') !== null) return false;
  if (style.visibility !== 'visible' || style.opacity === '0') return false;
  return (
    (backgrounds && isFilled(element, style)) || isFramed(element, style) || castsShadow(style.boxShadow)
  );
}

function isFilled(element: Element, { backgroundColor, backgroundImage }: CSSStyleDeclaration): boolean {
  if (backgroundImage !== 'none') return true;
  return !isClear(backgroundColor) && backgroundColor !== colorBehind(element);
}

/** White on white is not seen. */
function colorBehind(element: Element): string {
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (!isClear(backgroundColor)) return backgroundColor;
  }
  return 'rgb(255, 255, 255)';
}

/** A line above or below by itself only parts sections, but the items of a list. */
function isFramed(element: Element, style: CSSStyleDeclaration): boolean {
  const sides = [
    { line: style.borderTopStyle, width: style.borderTopWidth, color: style.borderTopColor },
    { line: style.borderBottomStyle, width: style.borderBottomWidth, color: style.borderBottomColor },
  ].filter(({ line, width, color }) => line !== 'none' && parseFloat(width) > 0 && !isClear(color));
  return sides.length === 2 || (sides.length === 1 && element.localName === 'li');
}

/** Style sheets have shadows that cannot be seen, to change them later. */
function castsShadow(shadow: string): boolean {
  return (
    shadow !== 'none' && !shadow.split(/,(?![^(]*\))/).every((one) => /(?:rgba\(.*, 0|\/ 0)\)/.test(one))
  );
}

/** The body, and wrappers of all there is: the paper, as it were. */
function holdsEverything(element: Element): boolean {
  for (let at = element; at !== document.body; at = at.parentElement ?? document.body)
    if ([...(at.parentNode?.childNodes ?? [])].some((node) => node !== at && takesRoom(node))) return false;
  return true;
}

function takesRoom(node: Node): boolean {
  if (node instanceof Element) return [...node.getClientRects()].some(canBeSeen);
  return node.nodeType === Node.TEXT_NODE && /\S/.test(node.nodeValue ?? '');
}

/** What is in it is to begin on another page. */
function isBrokenOnPurpose(element: Element): boolean {
  return [...element.querySelectorAll('*')].some((inner) => {
    const { breakBefore, breakAfter } = getComputedStyle(inner);
    return breakBefore === 'column' || breakAfter === 'column';
  });
}
