/** The Netpbm formats in their binary forms: P6 (colours), P5 (greys), P4 (black and white). */
import type { Raster, RasterSize, Rows } from './raster.ts';

export function openPpm({ width, height }: RasterSize): Raster {
  const header = Buffer.from(`P6\n${width} ${height}\n255\n`, 'latin1');
  return {
    header,
    place: ({ top, pixels }) => [{ at: header.length + top * width * 3, bytes: pixels }],
  };
}

export function openPgm({ width, height }: RasterSize): Raster {
  const header = Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1');
  return {
    header,
    place: (rows) => [{ at: header.length + rows.top * width, bytes: Buffer.from(greysOf(rows)) }],
  };
}

/** Greys become patterns of dots (Floyd and Steinberg, 1976). A one is black; rows end on whole bytes. */
export function openPbm({ width, height }: RasterSize): Raster {
  const header = Buffer.from(`P4\n${width} ${height}\n`, 'latin1');
  const stride = Math.ceil(width / 8);
  // What the row above was too dark or too light by, for each pixel of the next, with one to spare at either end.
  let carried = new Float32Array(width + 2);
  return {
    header,
    place: (rows) => {
      const greys = greysOf(rows);
      const bytes = Buffer.alloc(stride * rows.height);
      for (let row = 0; row < rows.height; row += 1) {
        const line = greys.subarray(row * width, (row + 1) * width);
        carried = dither(line, carried, bytes.subarray(row * stride));
      }
      return [{ at: header.length + rows.top * stride, bytes }];
    },
  };
}

/** Sets the bits of the dark pixels; returns what is carried to the next row. */
function dither(line: Uint8Array, carried: Float32Array, bits: Buffer): Float32Array<ArrayBuffer> {
  const next = new Float32Array(carried.length);
  let ahead = 0;
  for (const [x, grey] of line.entries()) {
    const wanted = grey + ahead + (carried[x + 1] ?? 0);
    const dark = wanted < 128;
    if (dark) bits[x >> 3] = (bits[x >> 3] ?? 0) | (128 >> (x & 7));
    const error = dark ? wanted : wanted - 255;
    ahead = (error * 7) / 16;
    next[x] = (next[x] ?? 0) + (error * 3) / 16;
    next[x + 1] = (next[x + 1] ?? 0) + (error * 5) / 16;
    next[x + 2] = error / 16;
  }
  return next;
}

/** Luma of ITU-R BT.709. */
function greysOf({ pixels }: Rows): Uint8Array {
  const greys = new Uint8Array(pixels.length / 3);
  for (let at = 0; at < greys.length; at += 1) {
    const [red, green, blue] = [pixels[at * 3] ?? 0, pixels[at * 3 + 1] ?? 0, pixels[at * 3 + 2] ?? 0];
    greys[at] = Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  }
  return greys;
}
