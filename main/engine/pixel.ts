/** Looks into a picture that Chromium has encoded. */
import { nativeImage } from 'electron';

/** Red, green and blue of a PNG's pixel. @throws Error when it is no picture, or has no such pixel */
export function pixelAt(picture: Buffer, x: number, y: number): readonly [number, number, number] {
  const pixel = nativeImage.createFromBuffer(picture).crop({ x, y, width: 1, height: 1 });
  // Blue comes first on every platform.
  const [blue, green, red] = pixel.toBitmap();
  if (red === undefined || green === undefined || blue === undefined)
    throw new Error('its picture has no such pixel');
  return [red, green, blue];
}
