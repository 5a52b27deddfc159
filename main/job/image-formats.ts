/** The image formats of output_format, with their content types, and how colours with alpha apply to them. */
import type { Kind } from '../fields/kinds.ts';

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

/** Returns the colour as a format can show it: formats without transparency blend it with white. */
export function backgroundColour(colour: string, format: string): Rgba {
  const [r = 0, g = 0, b = 0, alpha = 255] =
    colour.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? [];
  const a = alpha / 255;
  if (formatsWithAlpha.includes(format)) return { r, g, b, a };
  const onWhite = (channel: number) => Math.round(channel * a + 255 * (1 - a));
  return { r: onWhite(r), g: onWhite(g), b: onWhite(b), a: 1 };
}

// The kinds of output_name and tag.

const maxNameLength = 180;
const maxTagLength = 32;

/** A file name that is safe on every system: no folders, no invisible characters, at most 180 characters. */
export const fileName: Kind<string> = {
  allowed: `a file name; it is cut to ${maxNameLength} characters`,
  schema: { type: 'string', minLength: 1, examples: ['invoice.pdf'] },
  read(text) {
    const name = text.trim().replace(unsafe, '_');
    return /^\.*$/.test(name) ? undefined : cutBeforeExtension(name);
  },
};

/** Path separators, control characters, line ends, and direction marks, which make fdp.exe look like exe.pdf (UTS #39). */
const unsafe = /[/\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Counts code points, so that no surrogate pair is cut in two. */
function cutBeforeExtension(name: string): string {
  const extension = /(?<=.)\.[^.]{1,20}$/u.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length);
  return `${firstCharacters(stem, maxNameLength - Array.from(extension).length)}${extension}`;
}

function firstCharacters(text: string, count: number): string {
  return Array.from(text).slice(0, count).join('');
}

/** A label of the job in the logs, on one line. */
export const tag: Kind<string> = {
  allowed: `a text; it is cut to ${maxTagLength} characters`,
  schema: { type: 'string', minLength: 1, examples: ['invoices'] },
  read(text) {
    const word = firstCharacters(text.trim().replace(/\p{Cc}/gu, ' '), maxTagLength);
    return word === '' ? undefined : word;
  },
};
