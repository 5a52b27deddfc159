/** Which pages of a printed document are in the output: without blank ones, and within the range asked for. */
import { setImmediate } from 'node:timers/promises';
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
export async function pagesWanted(options: Options, inspection: Inspection): Promise<PagesWanted> {
  const printed = Array.from({ length: inspection.pages }, (_, index) => index + 1);
  const blank = await blankPages(options, inspection, printed);
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
async function blankPages(
  { remove_blank_pages }: Options,
  { isBlank }: Inspection,
  printed: readonly number[],
): Promise<number[]> {
  const isBlankPage = (page: number) => isBlank(page - 1);
  switch (remove_blank_pages) {
    case 'none':
      return [];
    case 'all': {
      const all: number[] = [];
      for await (const page of inTurns(printed)) if (isBlankPage(page)) all.push(page);
      return all.length === printed.length ? all.slice(1) : all;
    }
    case 'trailing': {
      for await (const page of inTurns(printed.toReversed()))
        if (page === 1 || !isBlankPage(page)) return printed.slice(page);
      return [];
    }
  }
}

/** Milliseconds; then others have their turn. */
const turn = 10;

/** Looking at thousands of pages takes a second, in which the service must answer others. */
async function* inTurns<T>(values: readonly T[]): AsyncGenerator<T> {
  let began = performance.now();
  for (const value of values) {
    if (performance.now() - began > turn) {
      await setImmediate();
      began = performance.now();
    }
    yield value;
  }
}
