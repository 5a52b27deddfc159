/** Bands stitched to one picture, and the formats that sharp makes of it. Libvips reads as it writes: a row is never kept. */
import type { Sharp } from 'sharp';
import { loadSharp } from '../sharp.ts';
import type { EncodingOrder } from './order.ts';

export type SharpFormat = 'png' | 'jpg' | 'webp' | 'gif' | 'tiff' | 'avif';

/** The order's picture. */
export function stitched({ bands, width, height, alpha }: EncodingOrder): Sharp {
  const reading = { limitInputPixels: false, sequentialRead: true } as const;
  const [first] = bands;
  const one = bands.length === 1 && first !== undefined;
  const sharp = loadSharp();
  const picture = one ? sharp(first, reading) : sharp([...bands], { ...reading, join: { across: 1 } });
  // The last band is joined as if it were as high as the others.
  const whole = picture.extract({ left: 0, top: 0, width, height });
  return alpha ? whole : whole.removeAlpha();
}

export function withSharp(order: EncodingOrder, format: SharpFormat): Sharp {
  const picture = stitched(order);
  const { quality } = order;
  switch (format) {
    case 'png':
      // Levels above take twice the time for 3 %.
      return picture.png({ compressionLevel: 3 });
    case 'jpg':
      // Better tables would keep the whole picture in memory.
      return picture.jpeg({ quality, optimizeCoding: false });
    case 'webp':
      return picture.webp({ quality, effort: 2 });
    case 'gif':
      return picture.gif({ effort: 1 });
    case 'tiff':
      return picture.tiff({ compression: 'lzw', predictor: 'horizontal', ...pixelsPerMillimetre });
    case 'avif':
      return picture.avif({ quality, effort: 2 });
  }
}

/** A CSS inch is 96 pixels. */
const pixelsPerMillimetre = { xres: 96 / 25.4, yres: 96 / 25.4 } as const;
