/**
 * A large picture captured in bands, one below the other. Chromium keeps the tiles of what it captures in memory and past
 * 115 million pixels leaves rows white. With one clip each, all
 * bands are laid out and scrolled alike: fixed and sticky elements are where a single capture has them.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clip } from '../engine/cdp.ts';
import type { WindowRun } from '../engine/engine.ts';
import type { Page } from '../engine/page.ts';
import type { ImageFormat } from '../job/image-formats.ts';
import type { PictureSize } from './picture-size.ts';

/** In pixels of the picture. */
export interface Band {
  readonly top: number;
  readonly height: number;
}

/** Files that hold the bands as PNG, from the top down; all but the last are equally high. */
export interface CapturedBands extends AsyncDisposable {
  readonly bands: readonly string[];
  /** Where they lie, and what is made of them may lie; gone with them. */
  readonly folder: string;
}

/** While Chromium encodes a capture and hands it over, nothing else of the service moves: 10 ms for text, 100 ms for noise. */
const bandPixels = 1_000_000;
/** As many where the grids of page and picture meet more rarely. */
const mostBandPixels = 4_000_000;
/** Up to here one capture, which Chromium encodes in haste, is quicker than several and the encoder: 10 ms for text, 0.15 s for noise. */
const wholePixels = 1_500_000;
/** As a JPEG: 45 ms and 0.1 s. */
const wholeJpegPixels = 4_000_000;

export function bandsOf({ width, height, layoutWidth }: PictureSize, format: ImageFormat): readonly Band[] {
  if (width * height <= (format === 'jpg' ? wholeJpegPixels : wholePixels)) return [{ top: 0, height }];
  // Where there are such rows, a band begins on a whole pixel of the page as well as of the picture.
  const step = width / greatestDivisor(width, layoutWidth);
  const most = Math.max(1, Math.floor(bandPixels / width));
  const each = most >= step ? most - (most % step) : step * width <= mostBandPixels ? step : most;
  const tops = Array.from({ length: Math.ceil(height / each) }, (_, index) => index * each);
  return tops.map((top) => ({ top, height: Math.min(each, height - top) }));
}

/** What of the page lies in a band. */
export function clipOf({ top, height }: Band, { width, layoutWidth }: PictureSize): Clip {
  // Multiplied first: 5712 / 0.7 is no whole number.
  const shown = (pixels: number) => (pixels * layoutWidth) / width;
  return { x: 0, y: shown(top), width: layoutWidth, height: shown(height), scale: width / layoutWidth };
}

interface Captured {
  readonly size: PictureSize;
  readonly format: ImageFormat;
}

/** Captures the picture into files of the job's folder. The page stands still meanwhile. */
export async function captureBands(
  page: Page,
  run: WindowRun,
  { size, format }: Captured,
): Promise<CapturedBands> {
  const folder = await mkdtemp(join(run.folder, 'picture-'));
  const planned = bandsOf(size, format);
  const bands = planned.map(({ top }) => join(folder, `${top}.png`));
  const capture = async () => {
    for (const [index, band] of planned.entries()) {
      run.signal.throwIfAborted();
      const bytes = await page.window.capture(clipOf(band, size), { format: 'png', fast: true });
      await writeFile(bands[index] ?? '', bytes);
    }
  };
  await (planned.length === 1 ? capture() : whileFrozen(page, run, capture));
  return { bands, folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

async function whileFrozen({ window }: Page, run: WindowRun, work: () => Promise<void>): Promise<void> {
  const thaw = await window.cdp.freeze(!run.job.options.disable_javascript);
  try {
    await work();
  } finally {
    // The next job's page must move.
    await thaw().catch(() => (window.broken ??= 'its page could not be set going again'));
  }
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other);
}
