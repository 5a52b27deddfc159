/**
 * Captures a large image in bands, one below the other. In a single capture, Chromium keeps all tiles in memory and leaves rows
 * white beyond 115 million pixels. Each band is a clip of the same layout at the same scroll position, so fixed and sticky elements
 * have the same positions as in a single capture.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clip } from '../../engine/devtools/cdp.ts';
import type { WindowRun } from '../../engine/window-run.ts';
import type { Page } from '../../engine/page.ts';
import type { ImageFormat } from '../../job/image-formats.ts';
import { Failure } from '../../failure/failure.ts';

/** A band in pixels of the image. */
export interface Band {
  readonly top: number;
  readonly height: number;
}

/** The captured bands. Disposal deletes their files. */
interface CapturedBands extends AsyncDisposable {
  /** Paths of PNG files, from the top band to the bottom band. All but the last have the same height. */
  readonly bands: readonly string[];
  /** The folder of these files, to which the encoder also writes its output. */
  readonly folder: string;
}

/**
 * The usual largest number of pixels in a band. While Chromium encodes and transfers a capture, the service is blocked: at this
 * size for 10 ms (text) to 100 ms (noise).
 */
const bandPixels = 1_000_000;
/** The same number if the bands have little detail, like text. Each capture lays the page out twice, so fewer bands are faster. */
const largeBandPixels = 3_000_000;
/** A band has little detail if its PNG has at most this number of bytes for each pixel. Text has 0.1, a photograph 2. */
const maxBytesPerPixel = 0.25;
/** The largest number of pixels in a band that must be larger to begin on a whole pixel of both page and image. */
const maxBandPixels = 4_000_000;
/** Up to this number of pixels, one capture is faster than bands and the encoder: 10 ms for text, 0.15 s for noise. */
const maxSingleCapturePixels = 1_500_000;
/** The same limit for JPEG: 45 ms for text, 0.1 s for noise. */
const maxSingleJpegPixels = 4_000_000;

/** Returns the bands of an image from top to bottom; a single band for a small PNG or JPEG image. `pixels`: at most in a band. */
export function bandsOf(
  { width, height, layoutWidth }: ImageSize,
  format: ImageFormat,
  pixels = bandPixels,
): readonly Band[] {
  if (width * height <= (format === 'jpg' ? maxSingleJpegPixels : maxSingleCapturePixels))
    return [{ top: 0, height }];
  // If possible, each band begins on a whole pixel of both the page and the image.
  const step = width / greatestDivisor(width, layoutWidth);
  const maxRows = Math.max(1, Math.floor(pixels / width));
  const rows = maxRows >= step ? maxRows - (maxRows % step) : step * width <= maxBandPixels ? step : maxRows;
  const tops = Array.from({ length: Math.ceil(height / rows) }, (_, index) => index * rows);
  return tops.map((top) => ({ top, height: Math.min(rows, height - top) }));
}

/** Returns the area of the page that a band shows. */
export function clipOf({ top, height }: Band, { width, layoutWidth }: ImageSize): Clip {
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
  readonly size: ImageSize;
  readonly format: ImageFormat;
}

/** Returns whether the viewport contains the whole image. */
export function isInViewport({ window }: Page, { width, height, layoutWidth }: ImageSize): boolean {
  return (height * layoutWidth) / width <= (window.emulation.viewport?.height ?? 0);
}

/** Captures the image to files in the folder of the job. The scripts and animations of the page are stopped during the capture. */
export async function captureBands(
  page: Page,
  run: WindowRun,
  { size, format }: CaptureOptions,
): Promise<CapturedBands> {
  const folder = await mkdtemp(join(run.folder.path(), 'image-'));
  const image = { format: 'png', fast: true, isInViewport: isInViewport(page, size) } as const;
  const capture = async (band: Band): Promise<CapturedBand> => {
    run.signal.throwIfAborted();
    const bytes = await page.window.capture(clipOf(band, size), image);
    const file = join(folder, `${band.top}-${band.height}.png`);
    await writeFile(file, bytes);
    return { file, hasLittleDetail: bytes.length <= maxBytesPerPixel * size.width * band.height };
  };
  const bands = await whileFrozen(page, run, () => captureAll(size, format, capture));
  return { bands, folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

export interface CapturedBand {
  readonly file: string;
  readonly hasLittleDetail: boolean;
}

/**
 * Captures an image in large bands if its first small band and all large bands have little detail, otherwise in small bands. Returns
 * their files from top to bottom.
 */
export async function captureAll(
  size: ImageSize,
  format: ImageFormat,
  capture: (band: Band) => Promise<CapturedBand>,
): Promise<readonly string[]> {
  const [first, ...others] = bandsOf(size, format);
  if (first === undefined) return [];
  const captured = await capture(first);
  const largeBands = bandsOf(size, format, largeBandPixels);
  if (captured.hasLittleDetail && largeBands.length < others.length) {
    const files = await captureWhileSimple(largeBands, capture);
    if (files !== undefined) return files;
  }
  const files = [captured.file];
  for (const band of others) files.push((await capture(band)).file);
  return files;
}

/** Captures the bands. Returns undefined as soon as a band has much detail. */
async function captureWhileSimple(
  bands: readonly Band[],
  capture: (band: Band) => Promise<CapturedBand>,
): Promise<readonly string[] | undefined> {
  const files: string[] = [];
  for (const band of bands) {
    const { file, hasLittleDetail } = await capture(band);
    if (!hasLittleDetail) return undefined;
    files.push(file);
  }
  return files;
}

/** Runs `work` while the scripts and animations of the page are stopped. */
export async function whileFrozen<Result>(
  { window }: Page,
  run: WindowRun,
  work: () => Promise<Result>,
): Promise<Result> {
  const resume = await window.cdp.freeze(!run.job.options.disable_javascript);
  try {
    return await work();
  } finally {
    // The next job in this window needs running scripts and animations.
    await resume().catch(() => (window.brokenReason ??= 'its page could not be resumed'));
  }
}

function greatestDivisor(left: number, right: number): number {
  return right === 0 ? left : greatestDivisor(right, left % right);
}

// Computes the size of an image and checks it against the limits of Chromium and of the format. Pure geometry.

/** The size of an image in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
  /** Width of the layout in CSS pixels. */
  readonly layoutWidth: number;
}

interface SizeOptions {
  readonly screenshot_width: number;
  readonly screenshot_height?: number | undefined;
  readonly scale_factor: number;
}

/** Returns the size of an image. Without screenshot_height, the image shows the whole `contentHeight`, which is in CSS pixels. */
export function sizeOf(options: SizeOptions, layoutWidth: number, contentHeight: number): ImageSize {
  const { screenshot_width, screenshot_height, scale_factor } = options;
  const scaled = (pixels: number) => Math.max(1, Math.round((pixels * scale_factor) / 100));
  const width = scaled(screenshot_width);
  // Rounds off floating-point errors: 100 rows at a scale of 0.7 must be 70 rows, not 71.
  const fullHeight = Math.max(1, Math.ceil(Number(((contentHeight * width) / layoutWidth).toFixed(6))));
  return {
    width,
    height: screenshot_height === undefined ? fullHeight : scaled(screenshot_height),
    layoutWidth,
  };
}

interface ImageSizeLimit {
  /** Largest number of pixels on the longer side. */
  readonly side: number;
  /** Largest number of pixels in total, in millions. */
  readonly millions: number;
}

/** JPEG, GIF and other formats store sizes in 16 bits (65,535). Measured: 130 million pixels take 12 to 20 s. */
const generalLimit: ImageSizeLimit = { side: 65_000, millions: 140 };

/** WebP stores sizes in 14 bits; GIF and AVIF take more than a second for a million pixels. */
const formatLimits: Partial<Record<ImageFormat, ImageSizeLimit>> = {
  webp: { side: 16_383, millions: generalLimit.millions },
  avif: { side: 16_384, millions: 20 },
  gif: { side: generalLimit.side, millions: 20 },
};

/** Checks the size of an image. @throws Failure tooComplex if it exceeds a limit of its format */
export function checkSize({ width, height }: ImageSize, format: ImageFormat): void {
  const isWithin = ({ side, millions }: ImageSizeLimit) =>
    Math.max(width, height) <= side && width * height <= millions * 1e6;
  const limit = formatLimits[format] ?? generalLimit;
  if (isWithin(limit)) return;
  const kind = limit === generalLimit ? 'an image' : `${format === 'avif' ? 'an' : 'a'} ${format} image`;
  const advice = isWithin(generalLimit) ? ', or choose another output_format such as png' : '';
  throw new Failure(
    'tooComplex',
    `The image would be ${width} x ${height} pixels; ${kind} can have at most ${limit.side} pixels a side and ${limit.millions} million in all. Choose a smaller screenshot_width or scale_factor, or cut the page with screenshot_height${advice}.`,
  );
}
