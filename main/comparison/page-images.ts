/** The images of two differing pages: both pages, and an overlay that marks the differing pixels. */
import { loadSharp } from '../output/image/sharp.ts';
import type { PixelData } from './pixels.ts';

/** The images of a page as PNG files. A page that only one document has has no overlay. */
export interface PageImages {
  /** Counts from 1. */
  readonly page: number;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
  /** The later page, faded, with the differing pixels in red. */
  readonly overlay: Buffer | undefined;
}

export interface PageDrawings {
  readonly page: number;
  readonly before: PixelData | undefined;
  readonly after: PixelData | undefined;
  /** Differing pixels are opaque; see `compare` in pixels.ts. */
  readonly mask: PixelData | undefined;
}

const red = [214, 0, 28] as const;
/** How much of the page's colours remains in the overlay. */
const fadedTo = 0.35;

export async function encodePageImages({ page, before, after, mask }: PageDrawings): Promise<PageImages> {
  return {
    page,
    before: before && (await encodePng(before)),
    after: after && (await encodePng(after)),
    overlay: after && mask && (await encodePng(overlayOf(after, mask))),
  };
}

function overlayOf(drawing: PixelData, mask: PixelData): PixelData {
  const data = new Uint8ClampedArray(mask.data.length).fill(255);
  for (let y = 0; y < mask.height; y += 1)
    for (let x = 0; x < mask.width; x += 1) {
      const to = (y * mask.width + x) * 4;
      const isInside = x < drawing.width && y < drawing.height;
      const from = isInside ? (y * drawing.width + x) * 4 : -1;
      const share = fadedTo * ((drawing.data[from + 3] ?? 0) / 255);
      const marked = (mask.data[to + 3] ?? 0) / 255;
      for (let channel = 0; channel < 3; channel += 1) {
        const faded = isInside ? 255 - (255 - (drawing.data[from + channel] ?? 255)) * share : 255;
        data[to + channel] = faded + ((red[channel] ?? 0) - faded) * marked;
      }
    }
  return { width: mask.width, height: mask.height, data };
}

function encodePng({ width, height, data }: PixelData): Promise<Buffer> {
  return loadSharp()(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}
