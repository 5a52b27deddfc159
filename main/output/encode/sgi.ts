/** Silicon Graphics image, verbatim: the red of all rows, then the green, then the blue; rows from the bottom up. */
import type { Raster, RasterSize, Rows } from './raster.ts';

const headerBytes = 512;

export function openSgi({ width, height }: RasterSize): Raster {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16BE(474, 0);
  header.writeUInt8(1, 3);
  header.writeUInt16BE(3, 4);
  header.writeUInt16BE(width, 6);
  header.writeUInt16BE(height, 8);
  header.writeUInt16BE(3, 10);
  header.writeUInt32BE(255, 16);
  return {
    header,
    place: (rows) => {
      const below = (height - rows.top - rows.height) * width;
      return [0, 1, 2].map((channel) => ({
        at: headerBytes + channel * width * height + below,
        bytes: plane(rows, channel),
      }));
    },
  };
}

function plane({ width, height, pixels }: Rows, channel: number): Buffer {
  const bytes = Buffer.alloc(width * height);
  for (let row = 0; row < height; row += 1) {
    let from = row * width * 3 + channel;
    const end = (height - row) * width;
    for (let to = end - width; to < end; to += 1, from += 3) bytes[to] = pixels[from] ?? 0;
  }
  return bytes;
}
