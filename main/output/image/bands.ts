/**
 * Captures a large picture in bands, one below the other. In a single capture, Chromium keeps all tiles in memory and leaves
 * rows white beyond 115 million pixels. Each band is a clip of the same layout and scroll position, so fixed and sticky
 * elements are where a single capture has them.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clip } from '../../engine/devtools/cdp.ts';
import type { WindowRun } from '../../engine/window-run.ts';
import type { Page } from '../../engine/page.ts';
import type { ImageFormat } from '../../job/image-formats.ts';
import type { PictureSize } from './picture-size.ts';

/** In pixels of the picture. */
interface Band {
  readonly top: number;
  readonly height: number;
}

/** PNG files of the bands from top to bottom. All but the last have the same height. */
interface CapturedBands extends AsyncDisposable {
  readonly bands: readonly string[];
  /** The folder of the bands, where the encoder also writes its output. Deleted on disposal. */
  readonly folder: string;
}

/** Chromium blocks the service while it encodes and transfers a capture: at this size 10 ms for text, 100 ms for noise. */
const bandPixels = 1_000_000;
/** The limit if bands that begin on a whole pixel of both page and picture need to be larger. */
const maxBandPixels = 4_000_000;
/** Up to this size, one capture is faster than bands and the encoder: 10 ms for text, 0.15 s for noise. */
const maxSingleCapturePixels = 1_500_000;
/** The same for JPEG: 45 ms for text, 0.1 s for noise. */
const maxSingleJpegPixels = 4_000_000;

export function bandsOf({ width, height, layoutWidth }: PictureSize, format: ImageFormat): readonly Band[] {
  if (width * height <= (format === 'jpg' ? maxSingleJpegPixels : maxSingleCapturePixels))
    return [{ top: 0, height }];
  // If possible, each band begins on a whole pixel of both the page and the picture.
  const step = width / greatestDivisor(width, layoutWidth);
  const maxRows = Math.max(1, Math.floor(bandPixels / width));
  const rows = maxRows >= step ? maxRows - (maxRows % step) : step * width <= maxBandPixels ? step : maxRows;
  const tops = Array.from({ length: Math.ceil(height / rows) }, (_, index) => index * rows);
  return tops.map((top) => ({ top, height: Math.min(rows, height - top) }));
}

/** Returns the area of the page that a band shows. */
export function clipOf({ top, height }: Band, { width, layoutWidth }: PictureSize): Clip {
  // Multiplies before dividing, because 5712 / 0.7 is not a whole number in floating point.
  const cssPixels = (pixels: number) => (pixels * layoutWidth) / width;
  return {
    x: 0,
    y: cssPixels(top),
    width: layoutWidth,
    height: cssPixels(height),
    scale: width / layoutWidth,
  };
}

interface CaptureOptions {
  readonly size: PictureSize;
  readonly format: ImageFormat;
}

/** Returns whether the viewport contains the whole picture. */
export function isInViewport({ window }: Page, { width, height, layoutWidth }: PictureSize): boolean {
  return (height * layoutWidth) / width <= (window.emulated.viewport?.height ?? 0);
}

/** Captures the picture into files in the folder of the job. The page is frozen during the capture. */
export async function captureBands(
  page: Page,
  run: WindowRun,
  { size, format }: CaptureOptions,
): Promise<CapturedBands> {
  const folder = await mkdtemp(join(run.folder, 'picture-'));
  const planned = bandsOf(size, format);
  const bands = planned.map(({ top }) => join(folder, `${top}.png`));
  const picture = { format: 'png', fast: true, isInViewport: isInViewport(page, size) } as const;
  await whileFrozen(page, run, async () => {
    for (const [index, band] of planned.entries()) {
      run.signal.throwIfAborted();
      const bytes = await page.window.capture(clipOf(band, size), picture);
      await writeFile(bands[index] ?? '', bytes);
    }
  });
  return { bands, folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/** Runs `work` while the scripts and animations of the page are stopped. */
export async function whileFrozen<Result>(
  { window }: Page,
  run: WindowRun,
  work: () => Promise<Result>,
): Promise<Result> {
  const thaw = await window.cdp.freeze(!run.job.options.disable_javascript);
  try {
    return await work();
  } finally {
    // The next job in this window needs running scripts and animations.
    await thaw().catch(() => (window.broken ??= 'its page could not be resumed'));
  }
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other);
}
