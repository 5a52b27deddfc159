/** A picture, opened to be shown pixel by pixel. */
import { signal } from '@preact/signals';
import type { Size } from '../layout.ts';
import { newId, type Sheets } from '../sheets.ts';

/** @throws PictureProblem when the browser cannot decode it */
export async function openPicture(blob: Blob): Promise<Sheets> {
  const url = URL.createObjectURL(blob);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    URL.revokeObjectURL(url);
    throw new PictureProblem();
  }
  const size = sizeOf(image);
  return {
    id: newId(),
    kind: 'picture',
    // 100 % is one pixel of the picture on one of the screen.
    sizes: signal([{ width: size.width / devicePixelRatio, height: size.height / devicePixelRatio }]),
    measured: Promise.resolve(),
    draw: (_page, canvas) => {
      const context = canvas.getContext('2d', { willReadFrequently: true });
      context?.drawImage(image, 0, 0, canvas.width, canvas.height);
      return Promise.resolve();
    },
    picture: { url, size },
    close: () => {
      URL.revokeObjectURL(url);
    },
  };
}

/** Of a format no browser shows, such as TIFF, or broken. */
export class PictureProblem extends Error {
  constructor() {
    super('The picture cannot be decoded.');
    this.name = 'PictureProblem';
  }
}

/** A drawing without a size of its own is as large as the browser takes it for. */
function sizeOf({ naturalWidth, naturalHeight }: HTMLImageElement): Size {
  return { width: Math.max(1, naturalWidth), height: Math.max(1, naturalHeight) };
}
