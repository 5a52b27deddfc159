/** The differences between two outputs, page by page, and between their requests. Pure functions. */
import type { RunForm } from '../bridge/bridge.ts';
import type { SheetSize } from '../viewer/layout.ts';

export type SideName = 'a' | 'b';

export type PageDifference =
  | { readonly kind: 'identical' }
  /** `share`: the fraction of pixels that differ, above 0. `resized`: the two pages have different sizes. */
  | { readonly kind: 'differs'; readonly share: number; readonly resized: boolean }
  | { readonly kind: 'only'; readonly side: SideName }
  /** The page could not be drawn. */
  | { readonly kind: 'unknown' };

/** The result for each compared page; pages are counted from 0. */
export type Differences = ReadonlyMap<number, PageDifference>;

interface Summary {
  readonly pages: number;
  readonly compared: number;
  readonly differing: number;
}

export function summaryOf(differences: Differences, pages: number): Summary {
  const differing = [...differences.values()].filter(isDifference).length;
  return { pages, compared: differences.size, differing };
}

/** Returns the next page that differs, continuing at the other end of the document; undefined if there is none. */
export function nextDifference(differences: Differences, from: number, step: 1 | -1): number | undefined {
  const pages = [...differences].filter(([, found]) => isDifference(found)).map(([page]) => page);
  const sorted = pages.sort((x, y) => (x - y) * step);
  return sorted.find((page) => (page - from) * step > 0) ?? sorted[0];
}

export function isDifference(found: PageDifference): boolean {
  return found.kind === 'differs' || found.kind === 'only';
}

/** Returns, for each page, the smallest size that contains the page of both sides, aligned at the upper left corner. */
export function commonSizes(a: readonly SheetSize[], b: readonly SheetSize[]): readonly SheetSize[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, page) => {
    const sizeA = a[page];
    const sizeB = b[page];
    return {
      width: Math.max(sizeA?.width ?? 0, sizeB?.width ?? 0),
      height: Math.max(sizeA?.height ?? 0, sizeB?.height ?? 0),
    };
  });
}

/** Returns the page that is nearest to the current page and not compared yet; undefined if there is none. */
export function nextToCompare(
  differences: Differences,
  pages: number,
  currentPage: number,
): number | undefined {
  for (let distance = 0; distance < pages; distance += 1)
    for (const page of [currentPage + distance, currentPage - distance])
      if (page >= 0 && page < pages && !differences.has(page)) return page;
  return undefined;
}

export interface OptionDifference {
  readonly name: string;
  /** The values on both sides; undefined if the option is not set. */
  readonly a: string | undefined;
  readonly b: string | undefined;
}

/** Returns the options that differ, in the order in which they were set. Uploads are compared by name and size. */
export function optionDifferences(a: RunForm, b: RunForm): readonly OptionDifference[] {
  const parametersA = parametersOf(a);
  const parametersB = parametersOf(b);
  const names = new Set([...parametersA.keys(), ...parametersB.keys()]);
  return [...names]
    .map((name) => ({ name, a: parametersA.get(name), b: parametersB.get(name) }))
    .filter((option) => option.a !== option.b);
}

function parametersOf({ fields, files, picked }: RunForm): ReadonlyMap<string, string> {
  const parts = [
    ...fields,
    ...files.map(({ name, file }) => [name, `${file.name} (${file.size} B)`] as const),
    ...(picked ? [[picked.name, picked.id] as const] : []),
  ];
  const parameters = new Map<string, string>();
  for (const [name, value] of parts) {
    const earlier = parameters.get(name);
    parameters.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return parameters;
}
