/** Measures the area that the content of a page covers. */
import type { WebContents } from 'electron';
import { callInPage } from './evaluate.ts';

/** The area of the content, in CSS pixels. */
export interface ContentBox {
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** Measures the area of the visible content of the main frame. */
export async function contentBox(contents: WebContents): Promise<ContentBox> {
  const height = await contentHeight(contents);
  return { ...(await callInPage(contents, contentSpan)), height };
}

/** Returns the height of the content in CSS pixels, at least 1. */
export async function contentHeight(contents: WebContents): Promise<number> {
  return Math.max(1, await callInPage(contents, heightOfContent));
}

/**
 * Returns the span between the leftmost and rightmost edges of text and of elements that paint something; the whole viewport if
 * there are none. Runs inside the page.
 */
function contentSpan(): { left: number; width: number } {
  let left = Infinity;
  let right = 0;
  const add = (box: DOMRect) => {
    if (box.width <= 0 || box.height <= 0) return;
    left = Math.min(left, box.left);
    right = Math.max(right, box.right);
  };
  const paints = (style: CSSStyleDeclaration) =>
    !/^rgba\(0, 0, 0, 0\)$|^transparent$/.test(style.backgroundColor) ||
    style.backgroundImage !== 'none' ||
    style.outlineStyle !== 'none' ||
    style.boxShadow !== 'none' ||
    ['top', 'right', 'bottom', 'left'].some(
      (side) => Number.parseFloat(style.getPropertyValue(`border-${side}-width`)) > 0,
    );
  const replacedTags =
    /^(IMG|SVG|CANVAS|VIDEO|IFRAME|OBJECT|EMBED|INPUT|BUTTON|SELECT|TEXTAREA|METER|PROGRESS|HR)$/i;
  for (const element of document.querySelectorAll('body *')) {
    const style = getComputedStyle(element);
    if (style.visibility !== 'visible') continue;
    if (replacedTags.test(element.tagName) || paints(style)) add(element.getBoundingClientRect());
    for (const child of element.childNodes) addText(child);
  }
  for (const child of (document.body as HTMLElement | null)?.childNodes ?? []) addText(child);
  function addText(node: ChildNode): void {
    if (node.nodeType !== Node.TEXT_NODE || !/\S/.test(node.nodeValue ?? '')) return;
    const range = document.createRange();
    range.selectNodeContents(node);
    add(range.getBoundingClientRect());
  }
  if (right <= 0) return { left: 0, width: window.innerWidth };
  const from = Math.max(0, Math.floor(left + window.scrollX));
  return { left: from, width: Math.max(1, Math.ceil(right + window.scrollX) - from) };
}

/**
 * Returns the height of the content. Runs inside the page. If the page is shorter than the viewport, scrollHeight is the height of
 * the viewport, so the lowest edge of any element is used instead. In quirks mode, html and body always fill the viewport, so only
 * their content is measured.
 */
function heightOfContent(): number {
  const root = document.documentElement;
  const overflow = Math.max(document.scrollingElement?.scrollHeight ?? 0, root.scrollHeight);
  if (overflow > window.innerHeight) return overflow;
  const quirks = document.compatMode === 'BackCompat';
  const marginOf = (element: Element | null) =>
    element ? Number.parseFloat(getComputedStyle(element).marginBottom) : 0;
  const body = document.body as HTMLElement | null;
  const content = document.createRange();
  content.selectNodeContents(body ?? root);
  const margins = Math.max(marginOf(body), marginOf(body?.lastElementChild ?? null));
  let lowest = quirks
    ? content.getBoundingClientRect().bottom + margins
    : root.getBoundingClientRect().bottom;
  for (const element of document.querySelectorAll('body *')) {
    const { bottom, width, height } = element.getBoundingClientRect();
    if (width > 0 && height > 0) lowest = Math.max(lowest, bottom);
  }
  return Math.min(Math.ceil(lowest + window.scrollY), window.innerHeight);
}
