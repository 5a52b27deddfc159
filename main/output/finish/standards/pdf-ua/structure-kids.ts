/** Groups and unwraps the kids of structure elements. */
import { StructureElement, type StructureKid } from './structure-tree.ts';

/** Types that say nothing about an element. */
export const genericTypes: ReadonlySet<string> = new Set(['NonStruct', 'Div', 'Span', '']);

export function hasType(kid: StructureKid, types: readonly string[]): boolean {
  return kid instanceof StructureElement && types.includes(kid.type);
}

/** Replaces elements without meaning by their kids, if some of these have one of the types. */
export function unwrapKids(kids: readonly StructureKid[], types: readonly string[]): StructureKid[] {
  return kids.flatMap((kid) => {
    if (!(kid instanceof StructureElement) || !genericTypes.has(kid.type)) return [kid];
    const inner = unwrapKids(kid.kids, types);
    return inner.some((entry) => hasType(entry, types)) ? inner : [kid];
  });
}

/** Replaces each series of kids for which `belongs` returns true by one element. */
export function groupKids(
  kids: readonly StructureKid[],
  belongs: (kid: StructureKid) => boolean,
  create: (kids: StructureKid[]) => StructureElement,
): StructureKid[] {
  const result: StructureKid[] = [];
  let series: StructureKid[] = [];
  const finish = () => {
    if (series.length > 0) result.push(create(series));
    series = [];
  };
  for (const kid of kids) {
    if (belongs(kid)) series.push(kid);
    else {
      finish();
      result.push(kid);
    }
  }
  finish();
  return result;
}
