/** Pixels -> a PNG file, for the small pictures that are drawn here. */
import { deflateSync } from 'node:zlib';
import { pngChunk, pngOf } from '../png.ts';

/** Red, green, blue and opacity, 0 to 255. */
export type Pixel = readonly [red: number, green: number, blue: number, alpha: number];

/** A square of `size` pixels a side. */
export function encodePng(size: number, pixelAt: (column: number, row: number) => Pixel): Buffer {
  const stride = 1 + size * 4;
  const rows = Buffer.alloc(size * stride);
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column < size; column += 1)
      // The first byte of a row is its filter: none.
      rows.set(pixelAt(column, row), row * stride + 1 + column * 4);
  return pngOf({ width: size, height: size, alpha: true }, [pngChunk('IDAT', deflateSync(rows))]);
}
