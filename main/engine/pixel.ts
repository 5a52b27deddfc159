/** Looks into a picture that Chromium has encoded. */
import { nativeImage } from 'electron';

export type Colour = readonly [red: number, green: number, blue: number];

/** Of a PNG's pixel, 0 to 255 each. @throws Error when it is no picture, or has no such pixel */
export function pixelAt(picture: Buffer, x: number, y: number): Colour {
  return pixelsOf(picture)(x, y);
}

/** The same for many pixels of a picture, which is decoded once. @throws Error when there is no such pixel */
export function pixelsOf(picture: Buffer): (x: number, y: number) => Colour {
  const image = nativeImage.createFromBuffer(picture);
  return (x, y) => {
    const pixel = image.crop({ x, y, width: 1, height: 1 });
    // Blue comes first on every platform.
    const [blue, green, red] = pixel.toBitmap();
    if (red === undefined || green === undefined || blue === undefined)
      throw new Error('its picture has no such pixel');
    return [red, green, blue];
  };
}
