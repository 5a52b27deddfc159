/** Sun raster: RT_STANDARD, 24 bits a pixel, blue first, rows from the top down in multiples of 2 bytes. */
import { blueFirst, padded, type Raster, type RasterSize } from './raster.ts';

const magic = 0x59_a6_6a_95;
const headerBytes = 32;
const standard = 1;

export function openSunRaster({ width, height }: RasterSize): Raster {
  const stride = padded(width * 3, 2);
  const header = Buffer.alloc(headerBytes);
  const facts = [magic, width, height, 24, stride * height, standard, 0, 0];
  for (const [index, fact] of facts.entries()) header.writeUInt32BE(fact, index * 4);
  return {
    header,
    place: (rows) => [{ at: headerBytes + rows.top * stride, bytes: blueFirst(rows, stride) }],
  };
}
