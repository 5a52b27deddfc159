/** Which pages the set-ups of `conversion_config` are for. Pure. */
import type { PageSetup } from './conversion-config.ts';
import type { Options } from './options.ts';
import { pagesInRange } from './page-range.ts';

/** The pages that can have paper and margins of their own, by the CSS that says so (CSS Paged Media, 3.1). */
export type PageSelector = '' | ':first' | ':right' | ':left';

/** What is otherwise on one page, counted from 1, of a document of `total`; of several set-ups the later ones win. */
export function setupOfPage(options: Options, page: number, total: number): PageSetup {
  return merged(options, ({ pages }) => pages === undefined || pagesInRange(pages, total).includes(page));
}

/** What is otherwise on the pages of a selector; undefined when that is nothing a paper or margin depends on. */
export function setupOfSelector(options: Options, selector: PageSelector): PageSetup | undefined {
  const wanted = covering[selector];
  const setup = merged(options, (one) => changesPaper(one) && wanted.includes(pagesOfSetup(one) ?? 'none'));
  return changesPaper(setup) ? setup : undefined;
}

/** Which set-ups say something about the pages of a selector: the first page is a right one. */
const covering: Readonly<Record<PageSelector, readonly string[]>> = {
  '': [''],
  ':right': ['', ':right'],
  ':left': ['', ':left'],
  ':first': ['', ':right', ':first'],
};

/** The selector of a set-up's pages; undefined when there is none for them. */
export function pagesOfSetup({ pages }: PageSetup): PageSelector | undefined {
  if (pages === undefined) return '';
  const [span, ...more] = pages;
  if (span === undefined || more.length > 0) return undefined;
  if (span === 'odd') return ':right';
  if (span === 'even') return ':left';
  if (span === 'last' || span.from !== 1) return undefined;
  return span.to === undefined ? '' : span.to === 1 ? ':first' : undefined;
}

/** True when it says more than what is shown in the space there is. */
export function changesPaper(setup: PageSetup): boolean {
  const { pages: _pages, displayHeader, displayFooter, backgroundColor: _colour, ...sizes } = setup;
  return displayHeader === 'none' || displayFooter === 'none' || Object.keys(sizes).length > 0;
}

function merged(options: Options, covers: (setup: PageSetup) => boolean): PageSetup {
  return Object.assign({}, ...(options.conversion_config ?? []).filter(covers)) as PageSetup;
}
