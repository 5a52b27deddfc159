/** How large a picture becomes, and whether it and its format can be that large. Pure geometry. */
import { Failure } from '../failure/failure.ts';
import type { ImageFormat } from '../job/image-formats.ts';

/** In pixels of the picture. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
  /** CSS pixels that the width shows. */
  readonly layoutWidth: number;
}

interface Asked {
  readonly screenshot_width: number;
  readonly screenshot_height?: number | undefined;
  readonly scale_factor: number;
}

/** `tall` is the height of the content in CSS pixels, shown whole where no height was asked for. */
export function sizeOf(asked: Asked, layoutWidth: number, tall: number): PictureSize {
  const { screenshot_width, screenshot_height, scale_factor } = asked;
  const scaled = (pixels: number) => Math.max(1, Math.round((pixels * scale_factor) / 100));
  const width = scaled(screenshot_width);
  // A scale of 0.7 must not make 71 rows of 100, because the product is a billionth too much.
  const whole = Math.max(1, Math.ceil(Number(((tall * width) / layoutWidth).toFixed(6))));
  return { width, height: screenshot_height === undefined ? whole : scaled(screenshot_height), layoutWidth };
}

interface Limit {
  /** Pixels of the longer side. */
  readonly side: number;
  /** Millions of pixels in all. */
  readonly millions: number;
}

/** JPEG, GIF and what has sizes of 16 bits end at 65,535. Measured: 130 million take 12 to 20 s. */
const most: Limit = { side: 65_000, millions: 140 };

/** WebP has 14 bits for a side; GIF and AVIF take more than a second for a million pixels. */
const ofFormat: Partial<Record<ImageFormat, Limit>> = {
  webp: { side: 16_383, millions: most.millions },
  avif: { side: 16_384, millions: 20 },
  gif: { side: most.side, millions: 20 },
};

/** @throws Failure tooComplex */
export function checkSize({ width, height }: PictureSize, format: ImageFormat): void {
  const sound = ({ side, millions }: Limit) =>
    Math.max(width, height) <= side && width * height <= millions * 1e6;
  const limit = ofFormat[format] ?? most;
  if (sound(limit)) return;
  const kind = limit === most ? 'picture' : `${format} picture`;
  const other = sound(most) ? ', or choose another output_format such as png' : '';
  throw new Failure(
    'tooComplex',
    `The picture would be ${width} x ${height} pixels; a ${kind} can have at most ${limit.side} pixels a side and ${limit.millions} million in all. Choose a smaller screenshot_width or scale_factor, or cut the page with screenshot_height${other}.`,
  );
}
