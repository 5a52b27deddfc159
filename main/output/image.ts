/** A Page captured from top to bottom. */
import type { WindowRun } from '../engine/engine.ts';
import { contentHeight } from '../engine/content-box.ts';
import type { Page } from '../engine/page.ts';
import { Failure } from '../failure/failure.ts';
import type { ImageFormat } from '../job/image-formats.ts';
import type { Output } from './output.ts';

/** Chromium keeps the tiles of a whole picture in memory; past about 115 million pixels it leaves rows white. */
const mostPixels = 80_000_000;
/** JPEG ends at 65,535. */
const longestSide = 65_000;
const jpegQuality = 90;

/** @throws Failure tooComplex when the picture would be too large to be right. */
export async function produceImage(page: Page, run: WindowRun, format: ImageFormat): Promise<Output> {
  const { screenshot_width, scale_factor } = run.job.options;
  const width = Math.max(1, Math.round((screenshot_width * scale_factor) / 100));
  const scale = width / page.layoutWidth;
  const tall = await contentHeight(page.window.contents);
  const height = Math.ceil(tall * scale);
  if (Math.max(width, height) > longestSide || width * height > mostPixels) throw tooLarge(width, height);
  run.log.note(`Laid out ${page.layoutWidth} x ${tall} px, captured at ${width} x ${height} px.`);
  const clip = { x: 0, y: 0, width: page.layoutWidth, height: tall, scale };
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
