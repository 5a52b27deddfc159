/**
 * A large picture taken in bands, one below the other. Chromium keeps the tiles of what it captures in memory and past
 * 115 million pixels leaves rows white. With one clip each, all
 * bands are laid out and scrolled alike: fixed and sticky elements are where a single capture has them.
 */
import type { Clip } from '../engine/clip.ts';
import type { WindowRun } from '../engine/engine.ts';
import type { TakePixels } from '../engine/grab-pixels.ts';
import type { Page } from '../engine/page.ts';
import type { PictureSize } from './picture-size.ts';

/** In pixels of the picture. */
export interface Band {
  readonly top: number;
  readonly height: number;
}

/** As many where the grids of page and picture meet more rarely. */
const mostBandPixels = 4_000_000;

/** Bands of so many pixels or less, all but the last equally high. */
export function bandsOf({ width, height, layoutWidth }: PictureSize, bandPixels: number): readonly Band[] {
  if (width * height <= bandPixels) return [{ top: 0, height }];
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

/** 8 MB of pixels, which hold up the thread that answers everybody for 10 ms. */
const grabbedPixels = 2_000_000;

/** Hands over the pixels of all bands. False: see grab-pixels.ts. */
export async function grabBands(
  page: Page,
  run: WindowRun,
  { size, take }: { readonly size: PictureSize; readonly take: TakePixels },
): Promise<boolean> {
  const clips = bandsOf(size, grabbedPixels).map((band) => clipOf(band, size));
  const grab = () =>
    page.window.grab(clips, (pixels, index) => {
      run.signal.throwIfAborted();
      return take(pixels, index);
    });
  return await (clips.length === 1 ? grab() : whileFrozen(page, run, grab));
}

/** While Chromium encodes a capture and hands it over, nothing else of the service moves: 10 ms for text, 100 ms for noise. */
const encodedPixels = 1_000_000;

interface Captures {
  readonly size: PictureSize;
  readonly take: (png: Buffer, index: number) => Promise<void>;
}

/** Where pixels are not to be had: hands over all bands as PNG, encoded by Chromium. */
export async function captureBands(page: Page, run: WindowRun, { size, take }: Captures): Promise<void> {
  await whileFrozen(page, run, async () => {
    for (const [index, band] of bandsOf(size, encodedPixels).entries()) {
      run.signal.throwIfAborted();
      const how = { format: 'png', fast: true, beyondViewport: true } as const;
      await take(await page.window.capture(clipOf(band, size), how), index);
    }
  });
}

/** The page stands still meanwhile. */
async function whileFrozen<T>({ window }: Page, run: WindowRun, work: () => Promise<T>): Promise<T> {
  const thaw = await window.cdp.freeze(!run.job.options.disable_javascript);
  try {
    return await work();
  } finally {
    // The next job's page must move.
    await thaw().catch(() => (window.broken ??= 'its page could not be set going again'));
  }
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other);
}
