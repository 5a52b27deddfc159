/**
 * The helpers of the caller's scripts (docs/scripts.md): the members of `libService`, and of the object of the same name
 * with the alias. A program of its own, compiled by itself: it is sent into the page's own world as text.
 */
import { tableOfContents, type TableOfContents } from './table-of-contents.ts';

/** Removes the elements whose computed z-index is higher than the limit. How many they were, those inside them not counted. */
export function removeZIndexHigherThan({ zlimit }: { readonly zlimit?: unknown } = {}): number {
  const limit = Number.parseFloat(String(zlimit));
  if (Number.isNaN(limit)) throw new TypeError('removeZIndexHigherThan: zlimit must be a number');
  let removed = 0;
  for (const element of document.querySelectorAll('body *')) {
    if (!element.isConnected || !(Number.parseInt(getComputedStyle(element).zIndex, 10) > limit)) continue;
    element.remove();
    removed += 1;
  }
  return removed;
}

/** Adds a style sheet after those of the page. */
export function insertStyle({ style }: { readonly style?: unknown } = {}): void {
  if (typeof style !== 'string') throw new TypeError('insertStyle: style must be a text');
  const element = document.createElement('style');
  element.textContent = style;
  document.documentElement.append(element);
  if (element.sheet !== null) return;
  // The page's policy forbids styles of others.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets.push(sheet);
}

/** Inserts a list of links to the headings. The element made; undefined when the page has no headings. */
export function insertTableOfContents(wanted: TableOfContents = {}): Element | undefined {
  const { target = 'body', style = '' } = wanted;
  const place = typeof target === 'string' ? document.querySelector(target) : target;
  if (place === null)
    throw new Error(`insertTableOfContents: no element matches target '${target as string}'`);
  const table = tableOfContents(wanted);
  if (table === undefined) return undefined;
  insertStyle({ style: `${plain}\n${style}` });
  place.prepend(table);
  return table;
}

/** Beaten by any rule of the page or of the caller. */
const plain = `:where(.service-toc) :where(ul) { list-style: none; margin: 0; padding: 0 0 0 1.5em }
:where(.service-toc > ul) { padding: 0 }
:where(.service-toc li) { margin: 0.3em 0 }
:where(.service-toc a) { color: inherit; text-decoration: none }`;
