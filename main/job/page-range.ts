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

/** Returns the pages of a document of `total` pages that are in the range, ascending and without duplicates. */
export function pagesInRange(range: PageRange, total: number): number[] {
  const all = Array.from({ length: total }, (_, index) => index + 1);
  return all.filter((page) => range.some((span) => contains(span, page, total)));
}

/** Returns true if the list contains this page of a document of `total` pages. */
export function isListed(list: readonly number[] | undefined, page: number, total: number): boolean {
  return list?.some((listed) => (listed < 0 ? total + 1 + listed : listed) === page) ?? false;
}

function contains(span: Span, page: number, total: number): boolean {
  switch (span) {
    case 'odd':
      return page % 2 === 1;
    case 'even':
      return page % 2 === 0;
    case 'last':
      return page === total;
    default:
      return page >= span.from && page <= (span.to ?? total);
  }
}

function readSpan(text: string): Span | undefined {
  const word = text.toLowerCase();
  if (word === 'odd' || word === 'even' || word === 'last') return word;
  const match = /^(?:(\d{1,7})\s*(-)?\s*(\d{1,7})?|-\s*(\d{1,7}))$/.exec(text);
  if (match === null) return undefined;
  const [, first, dash, second, until] = match;
  if (until !== undefined) return validSpan({ from: 1, to: Number(until) });
  if (dash === undefined && second !== undefined) return undefined;
  const from = Number(first);
  if (dash === undefined) return validSpan({ from, to: from });
  return validSpan({ from, to: second === undefined ? undefined : Number(second) });
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
