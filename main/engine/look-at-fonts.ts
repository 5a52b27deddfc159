/** Which fonts the text of a page is drawn with, for the debug log. */
import type { WindowRun } from './engine.ts';
import { gatherAtLeisure, type Leisure, type Looked } from './leisure.ts';
import { runInPage } from './in-page.ts';
import type { Page } from './page.ts';
import { withProgram } from './page-program.ts';
import type { PlatformFont } from './platform-fonts.ts';
import type { Look } from './programs/look.ts';

/** By the number of the style; undefined where it is not known. */
export type FontsUsed = readonly (readonly PlatformFont[] | undefined)[];

const mostSamples = 40;
const mostKnown = 500;
/** Milliseconds, as measured. */
const cost = 3;

/** Of each style of the look, in its order. Asking takes time, so what is drawn alike in every page is asked for once. */
export async function fontsUsed(
  page: Page,
  run: WindowRun,
  { fonts: { stacks }, leisure }: Looked,
): Promise<FontsUsed> {
  const { knownFonts } = page.window;
  const known = stacks.map((stack) => (stack.plain ? knownFonts.get(keyOf(stack)) : undefined));
  if (known.every((fonts) => fonts !== undefined))
    return known.map((fonts, index) =>
      fonts.map((font) => ({ ...font, glyphs: stacks[index]?.characters ?? 0 })),
    );
  const used = await askWithoutRequests(page, run, leisure);
  if (used === undefined) return known;
  if (knownFonts.size > mostKnown) knownFonts.clear();
  stacks.forEach((stack, index) => {
    const fonts = used[index];
    if (stack.plain && fonts !== undefined) knownFonts.set(keyOf(stack), fonts);
  });
  return used;
}

function keyOf({ families, weight, style }: Look['fonts']['stacks'][number]): string {
  return `${style} ${weight} ${families}`;
}

/** What the protocol asks for again is refused; so it must have been seen that the page needs nothing any more. */
async function askWithoutRequests(
  page: Page,
  run: WindowRun,
  leisure: Leisure,
): Promise<PlatformFont[][] | undefined> {
  const { requests } = page.window.seat;
  requests.refuse(true);
  try {
    return await gatherAtLeisure(run, leisure, {
      stage: 'look at the fonts',
      milliseconds: cost,
      work: () => askForFonts(page),
    });
  } finally {
    requests.refuse(false);
  }
}

async function askForFonts({ window }: Page): Promise<PlatformFont[][]> {
  const { contents, cdp } = window;
  const attribute = 'data-platen-fonts';
  const code = await withProgram('look', `program.markSamples('${attribute}')`);
  const styles = await runInPage<number[]>(contents, code);
  const used: PlatformFont[][] = [];
  const found = await cdp.fontsOf(`[${attribute}]`, mostSamples);
  found.forEach((fonts, index) => {
    const style = styles[index];
    if (style !== undefined) used[style] = merged(used[style] ?? [], fonts);
  });
  return used;
}

function merged(known: readonly PlatformFont[], more: readonly PlatformFont[]): PlatformFont[] {
  const all = new Map(known.map((font) => [font.family, font]));
  for (const font of more)
    all.set(font.family, { ...font, glyphs: font.glyphs + (all.get(font.family)?.glyphs ?? 0) });
  return [...all.values()];
}
