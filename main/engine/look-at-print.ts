/** What the debug log says of a page when it has been printed or captured, and may be changed: its fonts, its page breaks. */
import type { BreaksEvent, FontsEvent } from '../log/events.ts';
import type { WindowRun } from './engine.ts';
import { gather } from './gather.ts';
import { runInPage } from './in-page.ts';
import type { Page } from './page.ts';
import { withProgram } from './page-program.ts';
import type { PlatformFont } from './platform-fonts.ts';
import type { PageBox, PageBreaks } from './programs/breaks.ts';
import type { Look } from './programs/look.ts';

/** The printed pages, when they are all of one size. */
export interface PrintedPages {
  /** CSS pixels of the layout. */
  readonly width: number;
  readonly height: number;
  readonly count: number;
}

const mostSamples = 40;
const mostElements = 5000;
const mostPages = 200;

/** Changes the page for good. @throws the signal's reason */
export async function lookAtPrint(
  page: Page,
  run: WindowRun,
  { look, pages }: { readonly look: Look | undefined; readonly pages?: PrintedPages | undefined },
): Promise<void> {
  if (look === undefined) return;
  const used = await gather(run, 'look at the fonts', () => fontsUsed(page));
  writeFonts(run, look.fonts, used ?? []);
  const breaks = pages && (await gather(run, 'look at the page breaks', () => breaksOf(page, pages)));
  writeBreaks(run, look.overflows, breaks);
}

/** Of each style of the look, in its order. */
async function fontsUsed({ window }: Page): Promise<PlatformFont[][]> {
  const { contents, cdp, seat } = window;
  const attribute = 'data-platen-fonts';
  const code = await withProgram('look', `program.markSamples('${attribute}')`);
  const styles = await runInPage<number[]>(contents, code);
  const used: PlatformFont[][] = [];
  seat.requests.refuse(true);
  try {
    const found = await cdp.fontsOf(`[${attribute}]`, mostSamples);
    found.forEach((fonts, index) => {
      const style = styles[index];
      if (style !== undefined) used[style] = merged(used[style] ?? [], fonts);
    });
  } finally {
    seat.requests.refuse(false);
  }
  return used;
}

function merged(known: readonly PlatformFont[], more: readonly PlatformFont[]): PlatformFont[] {
  const all = new Map(known.map((font) => [font.family, font]));
  for (const font of more)
    all.set(font.family, { ...font, glyphs: font.glyphs + (all.get(font.family)?.glyphs ?? 0) });
  return [...all.values()];
}

function writeFonts({ log }: WindowRun, fonts: Look['fonts'], used: readonly PlatformFont[][]): void {
  const { failed, missing } = fonts;
  const stacks = fonts.stacks.map((stack, index) => ({ ...stack, used: used[index] ?? [] }));
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

async function breaksOf({ window }: Page, pages: PrintedPages): Promise<PageBreaks | undefined> {
  if (pages.count > mostPages) return undefined;
  const box: PageBox = { width: pages.width, height: pages.height, most: mostElements };
  const code = await withProgram('breaks', `program.pageBreaks(${JSON.stringify(box)})`);
  const found = await runInPage<PageBreaks>(window.contents, code);
  // Columns that are not like the pages say nothing of them.
  return Math.abs(found.pages - pages.count) > pages.count / 20 ? undefined : found;
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
