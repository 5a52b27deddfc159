/** Draws the pages of an image: the frames of an animation, the pages of a TIFF; one page for any other image. */
import type { Metadata, Sharp } from 'sharp';
import { loadSharp } from '../output/image/sharp.ts';
import type { ComparableDocument } from './comparable-document.ts';
import type { PixelData } from './pixels.ts';

export interface ImagePages extends ComparableDocument {
  /** The name that sharp uses, such as `png`. */
  readonly format: string;
}

/** Opens an image. Returns undefined if sharp does not support the format, or if the image is damaged from the beginning on. */
export async function openImagePages(bytes: Uint8Array): Promise<ImagePages | undefined> {
  const metadata = await readMetadata(bytes);
  if (metadata === undefined) return undefined;
  const { format, pages = 1 } = metadata;
  return {
    format,
    pages,
    // In an image, every pixel counts.
    preferredScale: 1,
    sizeOf: (page) => openPage(bytes, page).metadata(),
    draw: (page, scale) => drawImage(bytes, page, scale),
    textOf: () => Promise.resolve({ words: [], fonts: [] }),
    close: () => {},
  };
}

async function readMetadata(bytes: Uint8Array): Promise<Metadata | undefined> {
  try {
    return await openPage(bytes, 1).metadata();
  } catch {
    return undefined;
  }
}

function openPage(bytes: Uint8Array, page: number): Sharp {
  return loadSharp()(bytes, { page: page - 1, limitInputPixels: false });
}

/** Keeps transparency, which `compare` takes into account. */
async function drawImage(bytes: Uint8Array, page: number, scale: number): Promise<PixelData> {
  const image = openPage(bytes, page);
  const { width, height } = await image.metadata();
  if (scale < 1)
    image.resize(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)), {
      fit: 'fill',
    });
  const { data, info } = await image
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8ClampedArray(data) };
}
