/** Reads pixels of an image that Chromium has encoded. */
import { nativeImage } from 'electron';

export type Colour = readonly [red: number, green: number, blue: number];

/** Returns red, green and blue of one pixel, 0 to 255 each. @throws Error if the image is invalid or too small */
export function pixelAt(image: Buffer, x: number, y: number): Colour {
  return pixelsOf(image)(x, y);
}

/**
 * Decodes an image once and returns a function that reads its pixels. That function throws if the image is invalid or too small.
 */
export function pixelsOf(encoded: Buffer): (x: number, y: number) => Colour {
  const image = nativeImage.createFromBuffer(encoded);
  return (x, y) => {
    const pixel = image.crop({ x, y, width: 1, height: 1 });
    // The byte order is BGRA on every platform.
    const [blue, green, red] = pixel.toBitmap();
    if (red === undefined || green === undefined || blue === undefined)
      throw new Error(`the image has no pixel at ${x}, ${y}`);
    return [red, green, blue];
  };
}
