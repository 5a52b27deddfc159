/** Computes the size of a picture and checks it against the limits of Chromium and of the format. Pure geometry. */
import { Failure } from '../../failure/failure.ts';
import type { ImageFormat } from '../../job/image-formats.ts';

/** In pixels of the picture. */
export interface PictureSize {
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

/** Without screenshot_height, the picture shows the whole `contentHeight`, which is in CSS pixels. */
export function sizeOf(options: SizeOptions, layoutWidth: number, contentHeight: number): PictureSize {
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

interface Limit {
  /** Pixels of the longer side. */
  readonly side: number;
  /** Millions of pixels in all. */
  readonly millions: number;
}

/** JPEG, GIF and other formats store sizes in 16 bits (65,535). Measured: 130 million pixels take 12 to 20 s. */
const generalLimit: Limit = { side: 65_000, millions: 140 };

/** WebP stores sizes in 14 bits; GIF and AVIF take more than a second for a million pixels. */
const formatLimits: Partial<Record<ImageFormat, Limit>> = {
  webp: { side: 16_383, millions: generalLimit.millions },
  avif: { side: 16_384, millions: 20 },
  gif: { side: generalLimit.side, millions: 20 },
};

/** @throws Failure tooComplex */
export function checkSize({ width, height }: PictureSize, format: ImageFormat): void {
  const isWithin = ({ side, millions }: Limit) =>
    Math.max(width, height) <= side && width * height <= millions * 1e6;
  const limit = formatLimits[format] ?? generalLimit;
  if (isWithin(limit)) return;
  const kind = limit === generalLimit ? 'picture' : `${format} picture`;
  const other = isWithin(generalLimit) ? ', or choose another output_format such as png' : '';
  throw new Failure(
    'tooComplex',
    `The picture would be ${width} x ${height} pixels; a ${kind} can have at most ${limit.side} pixels a side and ${limit.millions} million in all. Choose a smaller screenshot_width or scale_factor, or cut the page with screenshot_height${other}.`,
  );
}
