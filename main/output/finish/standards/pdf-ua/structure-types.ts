/**
 * Completes the structure types of a printed page (ISO 32000-1, 14.8.4). Chromium prints the types of headings, paragraphs, lists,
 * tables, pictures and links, but leaves out parts of lists and tables, and prints most other elements without a type.
 */
import type { PageElement } from './page-structure.ts';
import type { HtmlNodes } from './html-nodes.ts';
import type { Nonconformity } from '../nonconformity.ts';
import { completeDefinitionList, completeList } from './lists.ts';
import { genericTypes } from './structure-kids.ts';
import type { StructureElement } from './structure-tree.ts';
import { completeTable } from './tables.ts';

/** Structure types of HTML elements that Chromium prints without a type. */
const typesByTag: Readonly<Record<string, string>> = {
  article: 'Art',
  aside: 'Sect',
  blockquote: 'BlockQuote',
  caption: 'Caption',
  code: 'Code',
  figcaption: 'Caption',
  kbd: 'Code',
  nav: 'Sect',
  q: 'Quote',
  samp: 'Code',
  section: 'Sect',
};

/** More than the tables of any real document have together. */
const maxTableSlots = 1_000_000;

/** Returns what keeps the types from conforming. */
export function completeStructureTypes(root: StructureElement, html: HtmlNodes): Nonconformity[] {
  for (const element of [...root.descendants()]) {
    const described = html.of(element);
    if (described === undefined || described.role !== undefined) continue;
    setType(element, described);
    if (described.tag === 'dl') completeDefinitionList(element, html);
  }
  const slots = { left: maxTableSlots };
  const found: Nonconformity[] = [];
  for (const element of [...root.descendants()]) {
    if (element.type === 'Table') found.push(...completeTable(element, html, slots));
    if (element.type === 'L') completeList(element, html);
    // An item outside a list.
    else for (const kid of element.elements) if (kid.type === 'LI') kid.type = 'Div';
  }
  return found;
}

function setType(element: StructureElement, { tag }: PageElement): void {
  const type = typesByTag[tag];
  if (type !== undefined && genericTypes.has(element.type)) element.type = type;
  // The picture inside is a separate figure, which has the text alternative.
  if (tag === 'figure' && element.type === 'Figure' && element.alternativeText === undefined)
    element.type = 'Div';
}
