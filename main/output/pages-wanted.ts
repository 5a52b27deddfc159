/** Which pages of a printed document are in the output: without blank ones, and within the range asked for. */
import { Failure } from '../failure/failure.ts';
import type { Options } from '../job/options.ts';
import { pagesInRange, type PageRange } from '../job/page-range.ts';
import type { Inspection } from './reading/inspect-pdf.ts';

export interface PagesWanted {
  /** Numbers of printed pages, from 1, in order. */
  readonly kept: readonly number[];
  /** Their numbers, from 1, among the pages that are not blank. */
  readonly numbers: readonly number[];
  /** Pages before the range was applied. */
  readonly total: number;
  /** Numbers of printed pages left out because they are blank. */
  readonly blank: readonly number[];
}

const wholeDocument: PageRange = [{ from: 1, to: undefined }];

/** @throws Failure valueNotAllowed for a range without a page */
export function pagesWanted(options: Options, inspection: Inspection): PagesWanted {
  const printed = Array.from({ length: inspection.pages }, (_, index) => index + 1);
  const blank = blankPages(options, inspection, printed);
  const left = new Set(blank);
  const pages = printed.filter((page) => !left.has(page));
  const range = options.print_page_range;
  const total = pages.length;
  const numbers = pagesInRange(range ?? wholeDocument, total);
  const kept = numbers.flatMap((page) => pages[page - 1] ?? []);
  if (kept.length === 0) {
    const has = pages.length === 1 ? 'one page' : `${pages.length} pages`;
    const sentence = `print_page_range names no page of the document, which has ${has}; choose pages from 1 to ${pages.length}.`;
    throw new Failure('valueNotAllowed', sentence);
  }
  return { kept, numbers, total, blank };
}

/** A document of blank pages only keeps its first. */
function blankPages(
  { remove_blank_pages }: Options,
  { isBlank }: Inspection,
  printed: readonly number[],
): number[] {
  const blank = (page: number) => isBlank(page - 1);
  switch (remove_blank_pages) {
    case 'none':
      return [];
    case 'all': {
      const all = printed.filter(blank);
      return all.length === printed.length ? all.slice(1) : all;
    }
    case 'trailing': {
      const last = printed.findLastIndex((page) => page === 1 || !blank(page));
      return printed.slice(last + 1);
    }
  }
}
