/** What the debug log says of a page when it has been printed or captured, and may be changed: its fonts, its page breaks. */
import type { BreaksEvent, FontsEvent } from '../log/events.ts';
import type { WindowRun } from './engine.ts';
import { gatherAtLeisure, type Looked } from './leisure.ts';
import { runInPage } from './in-page.ts';
import { fontsUsed, type FontsUsed } from './look-at-fonts.ts';
import type { Page } from './page.ts';
import { withProgram } from './page-program.ts';
import type { PageBox, PageBreaks } from './programs/breaks.ts';
import type { Look } from './programs/look.ts';

/** The printed pages, when they are all of one size. */
export interface PrintedPages {
  /** CSS pixels of the layout. */
  readonly width: number;
  readonly height: number;
  readonly count: number;
}

const mostElements = 5000;
const mostPages = 200;

/** Milliseconds, as measured; pages differ by their elements most. */
const cost = { itself: 1, ofElement: 0.012 } as const;

/** Changes the page for good. @throws the signal's reason */
export async function lookAtPrint(
  page: Page,
  run: WindowRun,
  { look, pages }: { readonly look: Looked | undefined; readonly pages?: PrintedPages | undefined },
): Promise<void> {
  if (look === undefined) return;
  writeFonts(run, look.fonts, await fontsUsed(page, run, look));
  writeBreaks(run, look.overflows, pages && (await breaksOf({ page, run, look, pages })));
}

function writeFonts({ log }: WindowRun, fonts: Look['fonts'], used: FontsUsed): void {
  const { failed, missing } = fonts;
  const stacks = fonts.stacks.map(({ families, weight, style, characters, element }, index) => ({
    ...{ families, weight, style, characters, element },
    used: used[index] ?? [],
  }));
  if (stacks.length === 0 && failed.length === 0) return;
  const sentences = [
    ...stacks.map(sentenceOf),
    ...(failed.length === 0 ? [] : [`Not loaded: ${failed.join(', ')}`]),
    ...(missing.length === 0 ? [] : [`No font has a glyph for ${missing.map(nameOf).join(', ')}`]),
  ];
  log.write({ kind: 'fonts', text: `${sentences.join('. ')}.`, detail: { stacks, failed, missing } });
}

function sentenceOf({
  families,
  weight,
  style,
  characters,
  used,
}: FontsEvent['detail']['stacks'][number]): string {
  const look = [...(weight === '400' ? [] : [weight]), ...(style === 'normal' ? [] : [style])].join(' ');
  const drawn = used.length === 0 ? '' : ` drawn with ${used.map(({ family }) => family).join(', ')}`;
  return `${families}${look && ` ${look}`}: ${characters} characters${drawn}`;
}

/** A character that cannot be shown is told by its number. */
function nameOf({ character }: { readonly character: string }): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

interface Printed {
  readonly page: Page;
  readonly run: WindowRun;
  readonly look: Looked;
  readonly pages: PrintedPages;
}

/** Of one page there are none. */
async function breaksOf({ page, run, look, pages }: Printed): Promise<PageBreaks | undefined> {
  if (pages.count === 1 || pages.count > mostPages) return undefined;
  return gatherAtLeisure(run, look.leisure, {
    stage: 'look at the page breaks',
    milliseconds: cost.itself + cost.ofElement * Math.min(look.elements, mostElements),
    work: () => askForBreaks(page, pages, !run.job.options.no_background),
  });
}

async function askForBreaks(
  { window }: Page,
  { width, height, count }: PrintedPages,
  backgrounds: boolean,
): Promise<PageBreaks> {
  const box: PageBox = { width, height, most: mostElements, backgrounds };
  const code = await withProgram('breaks', `program.pageBreaks(${JSON.stringify(box)})`);
  const { pages, splits, tall } = await runInPage<PageBreaks>(window.contents, code);
  // Columns that are not like the pages say nothing of their ends; what is higher than a page is so anyway.
  const alike = Math.abs(pages - count) <= count / 20;
  const known = tall.map((one) => ({ ...one, page: Math.min(one.page, count) }));
  return { pages, splits: alike ? splits : [], tall: known };
}

function writeBreaks({ log }: WindowRun, overflows: Look['overflows'], breaks: PageBreaks | undefined): void {
  const { splits = [], tall = [] } = breaks ?? {};
  if (overflows.length + splits.length + tall.length === 0) return;
  const sentences = [
    ...overflows.map(({ element, by }) => `${element} is ${by} px too wide for the layout`),
    ...splits.map(({ element, first, last, apart }) =>
      apart
        ? `${element} stands alone at the end of page ${first}`
        : `${element} goes over the end of page ${first} to page ${last}`,
    ),
    ...tall.map(
      ({ element, height, page }) => `${element} on page ${page} is ${height} px high, more than a page`,
    ),
  ];
  const detail: BreaksEvent['detail'] = { overflows, splits, tall };
  log.write({ kind: 'breaks', text: `${sentences.join('; ')}.`, detail });
}
