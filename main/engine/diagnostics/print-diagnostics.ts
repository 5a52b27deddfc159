/**
 * Diagnoses a page for the debug log after the print or capture, so that it may change the page: fonts, covered text, page breaks.
 */
import type { BreaksEvent, FontsEvent } from '../../log/events.ts';
import type { WindowRun } from '../window-run.ts';
import { gatherWithin, type DiagnosticsRun } from './diagnostics-budget.ts';
import { runInPage, pageScriptCode } from '../devtools/evaluate.ts';
import type { Page } from '../page.ts';
import type { PageBox, PageBreaks } from '../page-scripts/breaks.ts';
import type { CoveringElement } from '../page-scripts/scrolling/fixed.ts';
import type { PageFacts } from '../page-scripts/examine/examine.ts';
import type { PlatformFont } from '../devtools/platform-fonts.ts';

/** The printed pages, if they all have the same size. */
export interface PrintFacts {
  /** CSS pixels of the layout. */
  readonly width: number;
  readonly height: number;
  readonly count: number;
}

const maxElements = 5000;
const maxPages = 200;

/** Measured; the cost depends mainly on the number of elements. */
const costMs = { base: 1, perElement: 0.012 } as const;

/** Logs the diagnostics. Changes the page permanently. @throws the signal's reason */
export async function diagnosePrint(
  page: Page,
  run: WindowRun,
  {
    diagnostics,
    pages,
  }: { readonly diagnostics: DiagnosticsRun | undefined; readonly pages?: PrintFacts | undefined },
): Promise<void> {
  if (diagnostics === undefined) return;
  if (pages !== undefined) await noteCoveredText({ page, run, diagnostics, pages });
  writeFonts(run, diagnostics.fonts, await fontsUsed(page, run, diagnostics));
  writeBreaks(run, diagnostics.overflows, pages && (await breaksOf({ page, run, diagnostics, pages })));
}

function writeFonts({ log }: WindowRun, fonts: PageFacts['fonts'], used: FontsUsed): void {
  const { failed, missing } = fonts;
  const stacks = fonts.stacks.map(({ families, weight, style, characters, element }, index) => ({
    families,
    weight,
    style,
    characters,
    element,
    used: used[index] ?? [],
  }));
  if (stacks.length === 0 && failed.length === 0) return;
  const sentences = [
    ...stacks.map(sentenceOf),
    ...(failed.length === 0 ? [] : [`Not loaded: ${failed.join(', ')}`]),
    ...(missing.length === 0 ? [] : [`No font has a glyph for ${missing.map(codePointOf).join(', ')}`]),
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
  const variant = [...(weight === '400' ? [] : [weight]), ...(style === 'normal' ? [] : [style])].join(' ');
  const drawnWith = used.length === 0 ? '' : ` drawn with ${used.map(({ family }) => family).join(', ')}`;
  return `${families}${variant && ` ${variant}`}: ${characters} characters${drawnWith}`;
}

/** Returns the code point of a character, such as U+1D11E, because no font can show it. */
function codePointOf({ character }: { readonly character: string }): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

interface PrintedDocument {
  readonly page: Page;
  readonly run: WindowRun;
  readonly diagnostics: DiagnosticsRun;
  readonly pages: PrintFacts;
}

/** Notes text that fixed elements cover. On a single page a fixed element appears where browsers show it, so this is skipped. */
async function noteCoveredText({ page, run, diagnostics, pages }: PrintedDocument): Promise<void> {
  if (pages.count === 1 || run.job.options.fixed_elements !== 'keep') return;
  const covering = await gatherWithin(run, diagnostics.budget, {
    stage: 'find text under fixed elements',
    milliseconds: costMs.base + costMs.perElement * Math.min(diagnostics.elements, maxElements),
    work: async () => {
      const code = await pageScriptCode('fixed', `program.coveringElements(${JSON.stringify(pages)})`);
      return runInPage<CoveringElement[]>(page.window.contents, code);
    },
  });
  for (const { element, lines, pages: covered } of covering ?? [])
    run.log.note(
      `${element} is fixed to the window, so it is printed on each of the ${pages.count} pages and covers about ${lines} ${lines === 1 ? 'line' : 'lines'} of text on ${covered} of them. fixed_elements=first-page prints it once; fixed_elements=hide omits it.`,
      { code: 'fixed-element-covers', options: ['fixed_elements'] },
    );
}

/** Returns what page breaks cut, or undefined for a single page. */
async function breaksOf({ page, run, diagnostics, pages }: PrintedDocument): Promise<PageBreaks | undefined> {
  if (pages.count === 1) return undefined;
  if (pages.count > maxPages) {
    const text = `The page breaks were not examined, because the document has more than ${maxPages} pages.`;
    run.log.note(text, { code: 'not-looked-at' });
    return undefined;
  }
  return gatherWithin(run, diagnostics.budget, {
    stage: 'examine the page breaks',
    milliseconds: costMs.base + costMs.perElement * Math.min(diagnostics.elements, maxElements),
    work: () => queryBreaks(page, pages, !run.job.options.no_background),
  });
}

async function queryBreaks(
  { window }: Page,
  { width, height, count }: PrintFacts,
  backgrounds: boolean,
): Promise<PageBreaks> {
  const box: PageBox = { width, height, maxElements, backgrounds };
  const code = await pageScriptCode('breaks', `program.pageBreaks(${JSON.stringify(box)})`);
  const { pages, splits, tall } = await runInPage<PageBreaks>(window.contents, code);
  // If the simulated columns do not match the printed pages, splits are unreliable; elements taller than a page remain correct.
  const isReliable = Math.abs(pages - count) <= count / 20;
  const tallOnPages = tall.map((entry) => ({ ...entry, page: Math.min(entry.page, count) }));
  return { pages, splits: isReliable ? splits : [], tall: tallOnPages };
}

function writeBreaks(
  { log }: WindowRun,
  overflows: PageFacts['overflows'],
  breaks: PageBreaks | undefined,
): void {
  const { splits = [], tall = [] } = breaks ?? {};
  if (overflows.length + splits.length + tall.length === 0) return;
  const sentences = [
    ...overflows.map(({ element, by }) => `${element} is ${by} px too wide for the layout`),
    ...splits.map(({ element, first, last, apart }) =>
      apart
        ? `${element} is alone at the end of page ${first}`
        : `${element} is split between page ${first} and page ${last}`,
    ),
    ...tall.map(
      ({ element, height, page }) => `${element} on page ${page} is ${height} px high, taller than a page`,
    ),
  ];
  const detail: BreaksEvent['detail'] = { overflows, splits, tall };
  log.write({ kind: 'breaks', text: `${sentences.join('; ')}.`, detail });
}

/** The fonts that draw each font style, in the order of `stacks`; undefined where they are not known. */
type FontsUsed = readonly (readonly PlatformFont[] | undefined)[];

const maxSamples = 40;
const maxKnownFonts = 500;
/** Measured. */
const fontCostMs = 3;

/**
 * Returns the fonts of each style in `stacks`, in order. The query takes time, so the window caches the fonts of `plain` styles.
 */
async function fontsUsed(
  page: Page,
  run: WindowRun,
  { fonts: { stacks }, budget }: DiagnosticsRun,
): Promise<FontsUsed> {
  const { fontCache } = page.window;
  const cachedFonts = stacks.map((stack) => (stack.plain ? fontCache.get(keyOf(stack)) : undefined));
  if (cachedFonts.every((fonts) => fonts !== undefined))
    return cachedFonts.map((fonts, index) =>
      fonts.map((font) => ({ ...font, glyphs: stacks[index]?.characters ?? 0 })),
    );
  const used = await queryFontsWithoutRequests(page, run, budget);
  if (used === undefined) return cachedFonts;
  if (fontCache.size > maxKnownFonts) fontCache.clear();
  stacks.forEach((stack, index) => {
    const fonts = used[index];
    if (stack.plain && fonts !== undefined) fontCache.set(keyOf(stack), fonts);
  });
  return used;
}

function keyOf({ families, weight, style }: PageFacts['fonts']['stacks'][number]): string {
  return `${style} ${weight} ${families}`;
}

/**
 * Refuses the requests that Chromium repeats for the query (platform-fonts.ts). The page's own requests must have finished before.
 */
async function queryFontsWithoutRequests(
  page: Page,
  run: WindowRun,
  budget: DiagnosticsRun['budget'],
): Promise<PlatformFont[][] | undefined> {
  const { requests } = page.window.context;
  requests.setRefusing(true);
  try {
    return await gatherWithin(run, budget, {
      stage: 'examine the fonts',
      milliseconds: fontCostMs,
      work: () => queryFonts(page),
    });
  } finally {
    requests.setRefusing(false);
  }
}

async function queryFonts({ window }: Page): Promise<PlatformFont[][]> {
  const { contents, cdp } = window;
  const attribute = 'data-platen-fonts';
  const code = await pageScriptCode('examine', `program.markSamples('${attribute}')`);
  const styles = await runInPage<number[]>(contents, code);
  const used: PlatformFont[][] = [];
  const found = await cdp.fontsOf(`[${attribute}]`, maxSamples);
  found.forEach((fonts, index) => {
    const style = styles[index];
    if (style !== undefined) used[style] = mergeFonts(used[style] ?? [], fonts);
  });
  return used;
}

function mergeFonts(cachedFonts: readonly PlatformFont[], more: readonly PlatformFont[]): PlatformFont[] {
  const all = new Map(cachedFonts.map((font) => [font.family, font]));
  for (const font of more)
    all.set(font.family, { ...font, glyphs: font.glyphs + (all.get(font.family)?.glyphs ?? 0) });
  return [...all.values()];
}
