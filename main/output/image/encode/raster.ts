/** Types and functions for uncompressed formats. Each row has a fixed offset in the file, so images are written band by band. */

/** A size in pixels. */
export interface RasterSize {
  readonly width: number;
  readonly height: number;
}

export interface Rows extends RasterSize {
  /** Index of the first row in the image, from the top. */
  readonly top: number;
  /** Red, green and blue, from the top down, without padding. */
  readonly pixels: Buffer;
}

export interface PixelBlock {
  /** Offset in the file. */
  readonly at: number;
  readonly bytes: Buffer;
}

export interface Raster {
  readonly header: Buffer;
  /** Returns the parts of the file for some rows. Must be called for all rows of the image, from the top down. */
  readonly blocksFor: (rows: Rows) => readonly PixelBlock[];
}

export type OpenRaster = (size: RasterSize) => Raster;

/** Converts pixels to the order blue, green, red, and pads each row to `stride` bytes. `upwards`: rows from the bottom up. */
export function toBgr(rows: Rows, stride: number, upwards = false): Buffer {
  const { width, height, pixels } = rows;
  const bytes = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row += 1) {
    let to = (upwards ? height - 1 - row : row) * stride;
    const end = (row + 1) * width * 3;
    for (let from = row * width * 3; from < end; from += 3, to += 3) {
      bytes[to] = pixels[from + 2] ?? 0;
      bytes[to + 1] = pixels[from + 1] ?? 0;
      bytes[to + 2] = pixels[from] ?? 0;
    }
  }
  return bytes;
}

/** Rounds a length up to the next multiple. */
export function padded(length: number, multiple: number): number {
  return Math.ceil(length / multiple) * multiple;
}
