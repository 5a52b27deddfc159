/**
 * Examines a page for the debug log: fonts and page breaks. Runs after the print or capture, because it changes the
 * page.
 */
import { randomUUID } from 'node:crypto';
import type { BreaksEvent, FontsEvent } from '../../log/events.ts';
import type { WindowRun } from '../window-run.ts';
import { runDiagnosticWithin, type DiagnosticsRun } from './diagnostics-budget.ts';
import { callPageScript } from '../devtools/evaluate.ts';
import type { Page } from '../page.ts';
import type { PageBox, PageBreaks } from '../page-scripts/breaks.ts';
import type { PageFacts } from '../page-scripts/examine/examine.ts';
import type { PlatformFont } from '../devtools/platform-fonts.ts';

/** The printed pages, if they all have the same size. */
export interface PrintFacts {
  /** Size of a page in CSS pixels of the layout. */
  readonly width: number;
  readonly height: number;
  readonly count: number;
}

const maxElements = 5000;
const maxPages = 200;

/** Measured durations in milliseconds. They depend mainly on the number of elements. */
const costMs = { base: 1, perElement: 0.012 } as const;

/**
 * Examines the page and logs the results. Changes the page permanently. Does nothing if `diagnostics` is undefined.
 * @throws the signal's reason
 */
export async function diagnosePrint(
  page: Page,
  run: WindowRun,
  {
    diagnostics,
    pages,
  }: { readonly diagnostics: DiagnosticsRun | undefined; readonly pages?: PrintFacts | undefined },
): Promise<void> {
  if (diagnostics === undefined) return;
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

/** Returns the code point of a character, such as U+1D11E. The character itself is not logged, because no font can show it. */
function codePointOf({ character }: { readonly character: string }): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

interface PrintedDocument {
  readonly page: Page;
  readonly run: WindowRun;
  readonly diagnostics: DiagnosticsRun;
  readonly pages: PrintFacts;
}

/**
 * Returns the elements that page breaks split, and elements higher than a page. Returns undefined for a single page, for more than
 * `maxPages` pages, or if examining them fails.
 */
async function breaksOf({ page, run, diagnostics, pages }: PrintedDocument): Promise<PageBreaks | undefined> {
  if (pages.count === 1) return undefined;
  if (pages.count > maxPages) {
    const text = `The page breaks were not examined, because the document has more than ${maxPages} pages.`;
    run.log.note(text, { code: 'not-examined' });
    return undefined;
  }
  return runDiagnosticWithin(run, diagnostics.budget, {
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
  const { pages, splits, tall } = await callPageScript(window.contents, 'breaks.pageBreaks', box);
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

/** The fonts with which Chromium draws each font style, in the order of `stacks`; undefined where they are unknown. */
type FontsUsed = readonly (readonly PlatformFont[] | undefined)[];

const maxSamples = 40;
const maxKnownFonts = 500;
/** Measured duration in milliseconds. */
const fontCostMs = 3;

/**
 * Returns the fonts of each style in `stacks`, in the same order. The query takes time. Therefore the window caches the fonts of
 * `plain` styles, which are the same in every page.
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
    // A script may have added web fonts since the page was examined.
    if (stack.plain && fonts?.some(({ web }) => web) === false) fontCache.set(keyOf(stack), fonts);
  });
  return used;
}

function keyOf({ families, weight, style }: PageFacts['fonts']['stacks'][number]): string {
  return `${style} ${weight} ${families}`;
}

/**
 * Queries the fonts. Meanwhile refuses all requests, because Chromium requests the page's document and style sheets again for the
 * query (platform-fonts.ts). The page's own requests must have ended before.
 */
async function queryFontsWithoutRequests(
  page: Page,
  run: WindowRun,
  budget: DiagnosticsRun['budget'],
): Promise<PlatformFont[][] | undefined> {
  const { requests } = page.window.context;
  requests.setRefusing(true);
  try {
    return await runDiagnosticWithin(run, budget, {
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
  // A page must not be able to mark its own elements: DevTools describes the marked ones.
  const attribute = `data-platen-${randomUUID()}`;
  const styles = await callPageScript(contents, 'examine.markSamples', attribute);
  if (styles.length === 0) return [];
  const used: PlatformFont[][] = [];
  const found = await cdp.fontsOf(`[${attribute}]`, maxSamples);
  found.forEach((fonts, index) => {
    const style = styles[index];
    if (style !== undefined) used[style] = mergeFonts(used[style] ?? [], fonts);
  });
  return used;
}

function mergeFonts(fonts: readonly PlatformFont[], more: readonly PlatformFont[]): PlatformFont[] {
  const all = new Map(fonts.map((font) => [font.family, font]));
  for (const font of more)
    all.set(font.family, { ...font, glyphs: font.glyphs + (all.get(font.family)?.glyphs ?? 0) });
  return [...all.values()];
}
