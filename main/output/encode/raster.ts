/** An uncompressed format: every row has its place in the file, so a picture can be written band by band. */

/** Pixels. */
export interface RasterSize {
  readonly width: number;
  readonly height: number;
}

export interface Rows extends RasterSize {
  /** The first row's number in the picture, from the top. */
  readonly top: number;
  /** Red, green, blue; from the top down, without gaps. */
  readonly pixels: Buffer;
}

export interface Piece {
  /** Bytes from the beginning of the file. */
  readonly at: number;
  readonly bytes: Buffer;
}

export interface Raster {
  readonly header: Buffer;
  /** To be called with all rows of the picture, from the top down. */
  readonly place: (rows: Rows) => readonly Piece[];
}

export type OpenRaster = (size: RasterSize) => Raster;

/** Rows turned to blue, green, red, each filled up to `stride` bytes; the lowest first when `upwards`. */
export function blueFirst(rows: Rows, stride: number, upwards = false): Buffer {
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

/** The next multiple. */
export function padded(length: number, multiple: number): number {
  return Math.ceil(length / multiple) * multiple;
}
