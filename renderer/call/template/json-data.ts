/** Finds unused values in JSON data with their positions, and adds missing values. */
import { applyEdits, modify, parseTree, type Node } from 'jsonc-parser/lib/esm/main.js';
import { member, type Path } from './uses.ts';

export interface DataRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the ranges of the properties for which `usageOf` returns `no`, without the properties inside them. In a path, `[]` stands
 * for the members of a list.
 */
export function unusedIn(
  text: string,
  { start, usageOf }: { readonly start: Path; readonly usageOf: (path: Path) => 'no' | 'whole' | 'part' },
): DataRange[] {
  const root = parseTree(text);
  return root === undefined ? [] : unusedBelow(root, start, usageOf);
}

function unusedBelow(node: Node, path: Path, usageOf: (path: Path) => 'no' | 'whole' | 'part'): DataRange[] {
  const children = node.children ?? [];
  if (node.type === 'array')
    return children.flatMap((child) => unusedBelow(child, [...path, member], usageOf));
  if (node.type !== 'object') return [];
  return children.flatMap((property) => {
    const [key, value] = property.children ?? [];
    const below = [...path, String(key?.value)];
    const usage = usageOf(below);
    if (usage === 'no') return [{ from: property.offset, to: property.offset + property.length }];
    return usage === 'whole' || value === undefined ? [] : unusedBelow(value, below, usageOf);
  });
}

/** Adds an empty string at each path without a value, and keeps the formatting of the text. */
export function addEmptyValues(text: string, paths: readonly Path[]): string {
  const start = text.trim() === '' ? '{}' : text;
  return paths.reduce((before, path) => {
    const missingPaths = missingPathsIn(JSON.parse(before), path);
    return missingPaths.reduce((current, place) => withEmptyValue(current, place), before);
  }, start);
}

function withEmptyValue(text: string, path: (string | number)[]): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };
  return applyEdits(text, modify(text, path, '', { formattingOptions }));
}

/**
 * Returns the paths at which the value is missing, with an index for each list member. A missing list counts as a list with one
 * member.
 */
function missingPathsIn(value: unknown, path: Path): (string | number)[][] {
  const [step, ...rest] = path;
  if (step === undefined) return value === undefined ? [[]] : [];
  const below = (key: string | number, inner: unknown) =>
    missingPathsIn(inner, rest).map((place) => [key, ...place]);
  if (step !== member) {
    const isHere = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    return below(step, isHere ? (value as Readonly<Record<string, unknown>>)[step] : undefined);
  }
  if (Array.isArray(value)) return value.flatMap((inner: unknown, index) => below(index, inner));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => below(key, inner));
  return value === undefined ? below(0, undefined) : [];
}
