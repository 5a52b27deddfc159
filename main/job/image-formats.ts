/** The image formats of output_format, with their content types, and how colours with alpha apply to them. */

export const imageContentTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  tiff: 'image/tiff',
  bmp: 'image/bmp',
  avif: 'image/avif',
  ico: 'image/vnd.microsoft.icon',
  ppm: 'image/x-portable-pixmap',
  pgm: 'image/x-portable-graymap',
  pbm: 'image/x-portable-bitmap',
  pnm: 'image/x-portable-anymap',
  tga: 'image/x-tga',
  sgi: 'image/sgi',
  ras: 'image/x-sun-raster',
  sun: 'image/x-sun-raster',
} as const;

export type ImageFormat = keyof typeof imageContentTypes;

export const imageFormats = Object.keys(imageContentTypes) as readonly ImageFormat[];

const formatsWithAlpha: readonly string[] = ['png', 'webp', 'gif', 'tiff', 'avif', 'ico'];

/** Red, green and blue from 0 to 255, alpha from 0 to 1. */
export interface Rgba {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly a: number;
}

/** Returns true for a colour (RRGGBB or RRGGBBAA) that is not opaque. */
export function isTranslucent(colour: string | undefined): boolean {
  return colour?.length === 8 && !colour.endsWith('ff');
}

/** Returns the colour for an image format. For formats without transparency, blends the colour with white. */
export function backgroundColour(colour: string, format: string): Rgba {
  const [r = 0, g = 0, b = 0, alpha = 255] =
    colour.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? [];
  const a = alpha / 255;
  if (formatsWithAlpha.includes(format)) return { r, g, b, a };
  const onWhite = (channel: number) => Math.round(channel * a + 255 * (1 - a));
  return { r: onWhite(r), g: onWhite(g), b: onWhite(b), a: 1 };
}
