/** Reads page ranges and page lists, and applies them to the pages of a document. Pages count from 1. */
import { listOf, type Kind } from '../fields/kinds.ts';

/** A part of a range. `to` is undefined if the span extends to the last page. */
export type Span = { readonly from: number; readonly to: number | undefined } | 'odd' | 'even' | 'last';

export type PageRange = readonly Span[];

const maxPage = 1_000_000;

export const pageRange: Kind<PageRange> = {
  ...nonEmpty(
    listOf('a comma list of N, N-M, N-, -N, odd, even and last (such as 1-3,7- or odd,last)', readSpan),
  ),
  schema: {
    type: 'string',
    pattern:
      '^\\s*(odd|even|last|\\d+(\\s*-\\s*\\d*)?|-\\s*\\d+)(\\s*,\\s*(odd|even|last|\\d+(\\s*-\\s*\\d*)?|-\\s*\\d+))*\\s*$',
    examples: ['1-3,7-', 'odd,last'],
  },
};

/** Page numbers. Negative numbers count from the end: -1 is the last page. */
export const pageList: Kind<readonly number[]> = {
  ...nonEmpty(
    listOf('a comma list of page numbers, negative ones counting from the end (such as 1,-1)', readPage),
  ),
  schema: {
    type: 'string',
    pattern: '^\\s*-?0*[1-9]\\d{0,6}(\\s*,\\s*-?0*[1-9]\\d{0,6})*\\s*$',
    examples: ['1,-1'],
  },
};

export const wholeDocument: PageRange = [{ from: 1, to: undefined }];

/** Returns the pages of a document of `total` pages that are in the range, ascending and without duplicates. */
export function pagesInRange(range: PageRange, total: number): number[] {
  return new PagesLeft(total).take(range).sort((left, right) => left - right);
}

/** The pages of a document that no range has taken yet. Taking all pages takes linear time, however many ranges overlap. */
export class PagesLeft {
  readonly #total: number;
  /** By page, the page itself if it is left; otherwise a later page with the same parity, from which to look further. */
  readonly #next: Int32Array;

  constructor(total: number) {
    this.#total = total;
    this.#next = Int32Array.from({ length: total + 3 }, (_, page) => page);
  }

  /** Removes the pages of a range that are left, and returns them in any order. */
  take(range: PageRange): number[] {
    const taken: number[] = [];
    for (const span of range) {
      const { from, to, parities } = this.#bounds(span);
      for (const start of parities.map((offset) => from + offset))
        for (let page = this.#firstLeft(start); page <= to; page = this.#firstLeft(page)) {
          taken.push(page);
          this.#next[page] = page + 2;
        }
    }
    return taken;
  }

  #bounds(span: Span) {
    const total = this.#total;
    if (span === 'odd') return { from: 1, to: total, parities: [0] };
    if (span === 'even') return { from: 2, to: total, parities: [0] };
    if (span === 'last') return { from: Math.max(1, total), to: total, parities: [0] };
    return { from: span.from, to: Math.min(span.to ?? total, total), parities: [0, 1] };
  }

  /** Returns the first page with the parity of `page` that is left, from `page` on; a page beyond the last one if there is none. */
  #firstLeft(page: number): number {
    if (page > this.#total) return page;
    let left = page;
    while (this.#next[left] !== left) left = this.#next[left] ?? left;
    // Shortens the way for the next search.
    for (let at = page; at !== left;) {
      const next = this.#next[at] ?? left;
      this.#next[at] = left;
      at = next;
    }
    return left;
  }
}

/** Returns the pages of a document of `total` pages that are in the list. */
export function listedPages(list: readonly number[] | undefined, total: number): ReadonlySet<number> {
  return new Set(list?.map((listed) => (listed < 0 ? total + 1 + listed : listed)));
}

function readSpan(text: string): Span | undefined {
  const word = text.toLowerCase();
  if (word === 'odd' || word === 'even' || word === 'last') return word;
  const [first = '', second, ...more] = word.split('-').map((number) => number.trim());
  if (more.length > 0 || ![first, second ?? ''].every(isNumberOrEmpty)) return undefined;
  const from = first === '' ? 1 : Number(first);
  if (second === undefined) return first === '' ? undefined : validSpan({ from, to: from });
  if (second === '') return first === '' ? undefined : validSpan({ from, to: undefined });
  return validSpan({ from, to: Number(second) });
}

function isNumberOrEmpty(text: string): boolean {
  return /^\d{0,7}$/.test(text);
}

/** Returns the span, or undefined if it starts before page 1 or runs backwards. */
function validSpan(span: { from: number; to: number | undefined }): Span | undefined {
  const last = span.to ?? maxPage;
  return span.from >= 1 && last >= span.from && last <= maxPage ? span : undefined;
}

function readPage(text: string): number | undefined {
  return /^-?0*[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined;
}

/** Returns the kind, changed so that it refuses an empty list. */
function nonEmpty<T>(kind: Kind<readonly T[]>): Kind<readonly T[]> {
  return {
    ...kind,
    read(text) {
      const values = kind.read(text);
      return values === undefined || values.length === 0 ? undefined : values;
    },
  };
}
