/** Selects the printed pages for the output: removes blank pages, then applies print_page_range. */
import { yieldingToEventLoop } from '../../async/yielding.ts';
import { Failure } from '../../failure/failure.ts';
import type { Options } from '../../job/options.ts';
import { pagesInRange, wholeDocument } from '../../job/page-range.ts';
import type { Inspection } from '../pdf-reader/inspect-pdf.ts';

export interface OutputPages {
  /** Numbers of the printed pages in the output, from 1, in order. */
  readonly kept: readonly number[];
  /** The numbers of the same pages, from 1, in the document without the removed blank pages. */
  readonly numbers: readonly number[];
  /** Number of pages before print_page_range applies, without the removed blank pages. */
  readonly total: number;
  /** Numbers of the printed pages, from 1, that are removed because they are blank. */
  readonly blank: readonly number[];
}

/** Returns the pages of the output. @throws Failure valueNotAllowed if the range contains no page of the document */
export async function selectOutputPages(options: Options, inspection: Inspection): Promise<OutputPages> {
  const printed = Array.from({ length: inspection.pages }, (_, index) => index + 1);
  const blank = await blankPages(options, inspection, printed);
  const removed = new Set(blank);
  const pages = printed.filter((page) => !removed.has(page));
  const range = options.print_page_range;
  const total = pages.length;
  const numbers = pagesInRange(range ?? wholeDocument, total);
  const kept = numbers.flatMap((page) => pages[page - 1] ?? []);
  if (kept.length === 0) {
    const has = pages.length === 1 ? 'one page' : `${pages.length} pages`;
    const message = `print_page_range contains no page of the document, which has ${has}; choose pages from 1 to ${pages.length}.`;
    throw new Failure('valueNotAllowed', message);
  }
  return { kept, numbers, total, blank };
}

/** Returns the numbers of the blank pages to remove. If all pages are blank, the first page is kept. */
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
      for await (const page of yieldingToEventLoop(printed)) if (isBlankPage(page)) all.push(page);
      return all.length === printed.length ? all.slice(1) : all;
    }
    case 'trailing': {
      for await (const page of yieldingToEventLoop(printed.toReversed()))
        if (page === 1 || !isBlankPage(page)) return printed.slice(page);
      return [];
    }
  }
}
