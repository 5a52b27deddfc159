/** Finds the pixels in which two drawings differ, for the console and for the report of two installations. */
import pixelmatch from 'pixelmatch';

export interface PixelData {
  readonly width: number;
  readonly height: number;
  /** Four bytes for each pixel: red, green, blue, alpha. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

interface PixelDifference {
  /** The number of differing pixels, and (`total`) of all pixels. A pixel that only one drawing has counts as differing. */
  readonly differing: number;
  readonly total: number;
  /**
   * An image as large as both drawings. Differing pixels are opaque; the area of only one drawing is semi-transparent. Undefined if
   * nothing differs.
   */
  readonly mask: PixelData | undefined;
}

/** Compares two drawings, aligned at the upper left corner. */
export function compare(a: PixelData, b: PixelData): PixelDifference {
  const width = Math.max(a.width, b.width);
  const height = Math.max(a.height, b.height);
  const shared = { width: Math.min(a.width, b.width), height: Math.min(a.height, b.height) };
  const dataA = cropped(a, shared);
  const dataB = cropped(b, shared);
  const output = new Uint8ClampedArray(shared.width * shared.height * 4);
  // Both drawings come from the same renderer, so a difference in antialiasing is a real difference.
  const found = pixelmatch(dataA, dataB, output, shared.width, shared.height, {
    threshold: 0.06,
    includeAA: true,
    diffMask: true,
  });
  const outside = width * height - shared.width * shared.height;
  const differing = found + outside;
  if (differing === 0) return { differing, total: width * height, mask: undefined };
  return { differing, total: width * height, mask: extended({ ...shared, data: output }, { width, height }) };
}

function cropped(pixels: PixelData, { width, height }: Omit<PixelData, 'data'>): Uint8ClampedArray {
  if (pixels.width === width && pixels.height === height) return pixels.data;
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    const from = y * pixels.width * 4;
    data.set(pixels.data.subarray(from, from + width * 4), y * width * 4);
  }
  return data;
}

/** Extends the mask to the size of the larger drawing. The added area is semi-transparent. */
function extended(mask: PixelData, { width, height }: Omit<PixelData, 'data'>): PixelData {
  if (mask.width === width && mask.height === height) return mask;
  const data = new Uint8ClampedArray(width * height * 4);
  for (let alpha = 3; alpha < data.length; alpha += 4) data[alpha] = 70;
  for (let y = 0; y < mask.height; y += 1) {
    const row = mask.data.subarray(y * mask.width * 4, (y + 1) * mask.width * 4);
    data.set(row, y * width * 4);
  }
  return { width, height, data };
}
