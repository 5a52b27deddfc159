/**
 * Helper functions for callers' scripts: the members of `libService` and of its alias, such as `libPdfcrowd` (docs/scripts.md).
 * Compiled separately and injected into the page's main world as source text.
 */

/** Defines a global variable with the library's functions for each name. */
export function defineLibrary(names: readonly string[]): void {
  for (const name of names)
    Object.assign(window, { [name]: { removeZIndexHigherThan, insertStyle, insertTableOfContents } });
}

/**
 * Removes the elements whose computed z-index exceeds the limit. Returns the number of removed elements, without those inside
 * another removed element. @throws TypeError if `zlimit` is not a number
 */
function removeZIndexHigherThan({ zlimit }: { readonly zlimit?: unknown } = {}): number {
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

/** Adds a style sheet after those of the page. @throws TypeError if `style` is not a string */
function insertStyle({ style }: { readonly style?: unknown } = {}): void {
  if (typeof style !== 'string') throw new TypeError('insertStyle: style must be a string');
  const element = document.createElement('style');
  element.textContent = style;
  document.documentElement.append(element);
  if (element.sheet !== null) return;
  // The page's Content-Security-Policy has blocked the inline style. It does not apply to constructed style sheets.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets.push(sheet);
}

/**
 * Inserts a list of links to the headings. Returns the inserted element; undefined if the page has no headings.
 * @throws Error if no element matches `target`; TypeError if `pageBreak` is invalid
 */
function insertTableOfContents(options: TableOfContents = {}): Element | undefined {
  const { target = 'body', style = '' } = options;
  const place = typeof target === 'string' ? document.querySelector(target) : target;
  if (place === null)
    throw new Error(`insertTableOfContents: no element matches target '${target as string}'`);
  const table = tableOfContents(options);
  if (table === undefined) return undefined;
  insertStyle({ style: `${defaultStyle}\n${style}` });
  place.prepend(table);
  // The first heading of a document has level 1 (PDF/UA-1, 7.4.2). The element stays an h2, so that it looks the same everywhere.
  const first = document.querySelector('h1, h2, h3, h4, h5, h6');
  if (first?.parentElement === table) first.setAttribute('aria-level', '1');
  return table;
}

/**
 * Default styles. They have no specificity, so any rule of the page or the caller overrides them. A line of dots leads to the page
 * number, whose column is wide enough for three digits, so that the numbers do not change the layout of the texts.
 */
const defaultStyle = `:where(.service-toc) :where(ul) { list-style: none; margin: 0; padding: 0 0 0 1.5em }
:where(.service-toc > ul) { padding: 0 }
:where(.service-toc li) { margin: 0.3em 0 }
:where(.service-toc a) { color: inherit; text-decoration: none }
:where(.service-toc-numbered a) { display: flex; align-items: last baseline; column-gap: 0.4em }
:where(.service-toc-numbered a)::before { content: ''; order: 1; flex: 1 0 1em; border-bottom: 1px dotted }
:where(.service-toc-page) { order: 2; min-width: 3ch; text-align: end; font-variant-numeric: tabular-nums }`;

// The table of contents: which headings it contains, how they are nested, and where they link.

interface TableOfContents {
  /** Selectors of the headings, one for each level, as an array or a comma-separated list. */
  readonly selectors?: string | readonly string[];
  /** A selector or an element. The table becomes the first child of this element. */
  readonly target?: string | Element;
  readonly title?: string;
  /** `none`, `before` or `after`. */
  readonly pageBreak?: string;
  /** CSS rules for the table, which are added to the page. */
  readonly style?: string;
  /** Whether each entry shows the page number of its heading. */
  readonly pageNumbers?: boolean;
}

/** Returns the table of contents; undefined if there are no headings. */
function tableOfContents(options: TableOfContents): Element | undefined {
  const { selectors = 'h1,h2,h3', title = '', pageBreak = 'none', pageNumbers = false } = options;
  const headings = headingsOf(levelsOf(selectors));
  if (headings.length === 0) return undefined;
  const table = document.createElement('nav');
  table.className = 'service-toc';
  setPageBreak(table, pageBreak);
  if (title !== '') table.append(titleElement(title));
  if (pageNumbers) table.classList.add('service-toc-numbered');
  table.append(listOf(headings, pageNumbers));
  return table;
}

interface Heading {
  readonly element: Element;
  readonly text: string;
  /** Index of the selector that the heading matches, from 0. */
  readonly level: number;
}

/** Splits a list of selectors at the commas that are not inside brackets. */
function levelsOf(selectors: string | readonly string[]): string[] {
  // eslint-disable-next-line platen/linear-pattern, regexp/no-super-linear-move -- Runs in the renderer of the page that passes the selectors.
  const list = typeof selectors === 'string' ? selectors.split(/,(?![^([]*[)\]])/) : [...selectors];
  return list.map((selector) => selector.trim()).filter((selector) => selector !== '');
}

/** Returns the visible headings with text in document order, without those inside a table of contents. */
function headingsOf(levels: readonly string[]): Heading[] {
  if (levels.length === 0) return [];
  return [...document.querySelectorAll(levels.join(','))].flatMap((element) => {
    const level = levels.findIndex((selector) => element.matches(selector));
    const text = textOf(element).replace(/\s+/g, ' ').trim();
    const isVisible = element.checkVisibility({ visibilityProperty: true });
    return text === '' || !isVisible || element.closest('.service-toc') ? [] : [{ element, text, level }];
  });
}

function textOf(element: Element): string {
  return element instanceof HTMLElement ? element.innerText : element.textContent;
}

function setPageBreak(table: HTMLElement, pageBreak: string): void {
  if (!['none', 'before', 'after'].includes(pageBreak))
    throw new TypeError(`insertTableOfContents: pageBreak must be 'none', 'before' or 'after'`);
  if (pageBreak === 'before') table.style.breakBefore = 'page';
  if (pageBreak === 'after') table.style.breakAfter = 'page';
}

function titleElement(text: string): Element {
  const title = document.createElement('h2');
  title.className = 'service-toc-title';
  title.textContent = text;
  return title;
}

/**
 * Returns nested lists. A heading belongs below the nearest previous heading of a higher level, even if levels are
 * skipped.
 */
function listOf(headings: readonly Heading[], pageNumbers: boolean): Element {
  const root = document.createElement('ul');
  const open: { level: number; list: Element; item: Element }[] = [];
  for (const heading of headings) {
    while ((open.at(-1)?.level ?? -1) >= heading.level) open.pop();
    const list = open.at(-1) === undefined ? root : sublist(open.at(-1)?.item);
    const item = itemOf(heading, pageNumbers);
    list.append(item);
    open.push({ level: heading.level, list, item });
  }
  return root;
}

function sublist(item: Element | undefined): Element {
  const existing = item?.querySelector(':scope > ul');
  if (existing) return existing;
  const list = document.createElement('ul');
  item?.append(list);
  return list;
}

function itemOf({ element, text, level }: Heading, pageNumbers: boolean): Element {
  const item = document.createElement('li');
  item.className = `service-toc-level-${level + 1}`;
  const link = document.createElement('a');
  link.href = `#${anchorOf(element)}`;
  if (pageNumbers)
    link.append(spanOf('service-toc-text', text), ' ', spanOf('service-toc-page service-page-ref'));
  else link.textContent = text;
  item.append(link);
  return item;
}

function spanOf(classes: string, text = ''): Element {
  const span = document.createElement('span');
  span.className = classes;
  span.textContent = text;
  return span;
}

/**
 * Returns the id for links to the heading, and adds one if the heading has no suitable id. In PDFs, Chromium's links work only for
 * ids of plain ASCII characters.
 */
function anchorOf(heading: Element): string {
  const { id } = heading;
  if (/^[\w.-]+$/.test(id) && document.getElementById(id) === heading) return id;
  const name = freeName();
  if (id === '') {
    heading.id = name;
    return name;
  }
  const anchor = document.createElement('span');
  anchor.id = name;
  heading.prepend(anchor);
  return name;
}

function freeName(): string {
  let number = document.querySelectorAll('[id^="service-heading-"]').length + 1;
  while (document.getElementById(`service-heading-${number}`) !== null) number += 1;
  return `service-heading-${number}`;
}
