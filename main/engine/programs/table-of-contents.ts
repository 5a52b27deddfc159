/** The table of contents that libService inserts: which headings are in it, how they are nested, where they lead. */

export interface TableOfContents {
  /** Selectors of the headings, one for each level, as a list or separated by commas. */
  readonly selectors?: string | readonly string[];
  /** A selector or an element, before whose content the table is inserted. */
  readonly target?: string | Element;
  readonly title?: string;
  readonly pageBreak?: string;
  /** A style sheet for it. */
  readonly style?: string;
}

/** Undefined when there are no headings. */
export function tableOfContents(wanted: TableOfContents): Element | undefined {
  const { selectors = 'h1,h2,h3', title = '', pageBreak = 'none' } = wanted;
  const headings = headingsOf(levelsOf(selectors));
  if (headings.length === 0) return undefined;
  const table = document.createElement('nav');
  table.className = 'service-toc';
  setPageBreak(table, pageBreak);
  if (title !== '') table.append(titled(title));
  table.append(listOf(headings));
  return table;
}

interface Heading {
  readonly element: Element;
  readonly text: string;
  /** From 0. */
  readonly level: number;
}

/** Commas inside brackets separate nothing. */
function levelsOf(selectors: string | readonly string[]): string[] {
  const list = typeof selectors === 'string' ? selectors.split(/,(?![^([]*[)\]])/) : [...selectors];
  return list.map((selector) => selector.trim()).filter((selector) => selector !== '');
}

/** In document order; those nobody sees, and those of an earlier table, are left out. */
function headingsOf(levels: readonly string[]): Heading[] {
  if (levels.length === 0) return [];
  return [...document.querySelectorAll(levels.join(','))].flatMap((element) => {
    const level = levels.findIndex((selector) => element.matches(selector));
    const text = textOf(element).replace(/\s+/g, ' ').trim();
    const seen = element.checkVisibility({ visibilityProperty: true });
    return text === '' || !seen || element.closest('.service-toc') ? [] : [{ element, text, level }];
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

function titled(text: string): Element {
  const title = document.createElement('h2');
  title.className = 'service-toc-title';
  title.textContent = text;
  return title;
}

/** Lists inside lists: a heading is below the nearest one before it of a higher level, whatever levels are between. */
function listOf(headings: readonly Heading[]): Element {
  const root = document.createElement('ul');
  const open: { level: number; list: Element; item: Element }[] = [];
  for (const heading of headings) {
    while ((open.at(-1)?.level ?? -1) >= heading.level) open.pop();
    const list = open.at(-1) === undefined ? root : sublist(open.at(-1)?.item);
    const item = itemOf(heading);
    list.append(item);
    open.push({ level: heading.level, list, item });
  }
  return root;
}

function sublist(item: Element | undefined): Element {
  const there = item?.querySelector(':scope > ul');
  if (there) return there;
  const list = document.createElement('ul');
  item?.append(list);
  return list;
}

function itemOf({ element, text, level }: Heading): Element {
  const item = document.createElement('li');
  item.className = `service-toc-level-${level + 1}`;
  const link = document.createElement('a');
  link.href = `#${anchorOf(element)}`;
  link.textContent = text;
  item.append(link);
  return item;
}

/** An id that leads to the heading and nowhere else; Chromium's links in a PDF know plain letters only. */
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
