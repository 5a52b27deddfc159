/** A Page captured from top to bottom. */
import type { WindowRun } from '../engine/engine.ts';
import { inPage } from '../engine/in-page.ts';
import type { Page } from '../engine/page.ts';
import { Failure } from '../failure/failure.ts';
import type { Output } from './output.ts';

/** Chromium keeps the tiles of a whole picture in memory; past about 115 million pixels it leaves rows white. */
const mostPixels = 80_000_000;
/** JPEG ends at 65,535. */
const longestSide = 65_000;
const jpegQuality = 90;

/** @throws Failure tooComplex when the picture would be too large to be right. */
export async function produceImage(page: Page, run: WindowRun, format: 'png' | 'jpg'): Promise<Output> {
  const { screenshot_width, scale_factor } = run.job.options;
  const width = Math.max(1, Math.round((screenshot_width * scale_factor) / 100));
  const scale = width / page.layoutWidth;
  const contentHeight = Math.max(1, await inPage(page.window.contents, heightOfContent));
  const height = Math.ceil(contentHeight * scale);
  if (Math.max(width, height) > longestSide || width * height > mostPixels) throw tooLarge(width, height);
  run.log.note(`Laid out ${page.layoutWidth} x ${contentHeight} px, captured at ${width} x ${height} px.`);
  const clip = { x: 0, y: 0, width: page.layoutWidth, height: contentHeight, scale };
  const picture =
    format === 'png' ? ({ format: 'png' } as const) : ({ format: 'jpeg', quality: jpegQuality } as const);
  const bytes = await run.log.time('capture', () => page.window.capture(clip, picture).catch(tooComplex));
  return { bytes, contentType: format === 'png' ? 'image/png' : 'image/jpeg' };
}

function tooComplex(cause: unknown): never {
  throw new Failure('tooComplex', 'The page is too complex to be captured; make the picture smaller.', {
    cause,
  });
}

function tooLarge(width: number, height: number): Failure {
  const sentence = `The picture would be ${width} x ${height} pixels; at most ${longestSide} pixels a side and ${mostPixels / 1e6} million in all can be made. Choose a smaller screenshot_width or scale_factor.`;
  return new Failure('tooComplex', sentence);
}

/**
 * Of a page lower than its window, scrollHeight is the window's height; then the lowest edge of anything counts. In quirks
 * mode html and body are as tall as the window whatever is in them, so there their content counts.
 */
function heightOfContent(): number {
  const root = document.documentElement;
  const overflow = Math.max(document.scrollingElement?.scrollHeight ?? 0, root.scrollHeight);
  if (overflow > window.innerHeight) return overflow;
  const quirks = document.compatMode === 'BackCompat';
  const marginOf = (element: Element | null) =>
    element ? Number.parseFloat(getComputedStyle(element).marginBottom) : 0;
  const body = document.body as HTMLElement | null;
  const content = document.createRange();
  content.selectNodeContents(body ?? root);
  const margins = Math.max(marginOf(body), marginOf(body?.lastElementChild ?? null));
  let lowest = quirks
    ? content.getBoundingClientRect().bottom + margins
    : root.getBoundingClientRect().bottom;
  for (const element of document.querySelectorAll('body *')) {
    const { bottom, width, height } = element.getBoundingClientRect();
    if (width > 0 && height > 0) lowest = Math.max(lowest, bottom);
  }
  return Math.min(Math.ceil(lowest + window.scrollY), window.innerHeight);
}
