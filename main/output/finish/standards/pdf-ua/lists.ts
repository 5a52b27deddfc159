/** Completes the structure of lists (ISO 32000-1, 14.8.4.3.3): a list contains items, and an item contains a label and a body. */
import type { HtmlNodes } from './html-nodes.ts';
import { genericTypes, groupKids, hasType } from './structure-kids.ts';
import { StructureElement } from './structure-tree.ts';

/** Values of the attribute ListNumbering (14.8.5.5), by those of `list-style-type`. */
const numberings: Readonly<Record<string, string>> = {
  circle: 'Circle',
  decimal: 'Decimal',
  'decimal-leading-zero': 'Decimal',
  disc: 'Disc',
  'lower-alpha': 'LowerAlpha',
  'lower-latin': 'LowerAlpha',
  'lower-roman': 'LowerRoman',
  square: 'Square',
  'upper-alpha': 'UpperAlpha',
  'upper-latin': 'UpperAlpha',
  'upper-roman': 'UpperRoman',
};

export function completeList(list: StructureElement, html: HtmlNodes): void {
  const { context } = list.dict;
  list.kids = list.kids.map((kid) =>
    hasType(kid, ['LI', 'L', 'Caption']) ? kid : StructureElement.create(context, 'LI', [kid]),
  );
  for (const item of list.elements) if (item.type === 'LI') completeItem(item);
  const numbering = numberings[html.of(list)?.listStyle ?? ''];
  if (numbering !== undefined) list.addAttributes(context.obj({ O: 'List', ListNumbering: numbering }));
}

function completeItem(item: StructureElement): void {
  item.kids = groupKids(
    item.kids,
    (kid) => !hasType(kid, ['Lbl', 'LBody']),
    (kids) => StructureElement.create(item.dict.context, 'LBody', kids),
  );
}

/** Makes each term with its descriptions an item of a list. Does nothing if there is other content between them. */
export function completeDefinitionList(list: StructureElement, html: HtmlNodes): void {
  if (!genericTypes.has(list.type) && list.type !== 'L') return;
  const tagOf = (element: StructureElement) => html.of(element)?.tag;
  const parts = list.kids.flatMap((kid) =>
    kid instanceof StructureElement && genericTypes.has(kid.type) && tagOf(kid) === undefined
      ? kid.kids
      : [kid],
  );
  const items: StructureElement[] = [];
  for (const part of parts) {
    const tag = part instanceof StructureElement ? tagOf(part) : undefined;
    if (!(part instanceof StructureElement) || (tag !== 'dt' && tag !== 'dd')) return;
    if (tag === 'dt' || items.length === 0) items.push(StructureElement.create(list.dict.context, 'LI'));
    items.at(-1)?.kids.push(part);
  }
  for (const part of items.flatMap(({ elements }) => elements))
    part.type = tagOf(part) === 'dt' ? 'Lbl' : 'LBody';
  list.type = 'L';
  list.kids = items;
}
