/** Windows bitmap: BITMAPFILEHEADER and BITMAPINFOHEADER, 24 bits a pixel, rows from the bottom up in multiples of 4 bytes. */
import { blueFirst, padded, type Raster, type RasterSize } from './raster.ts';

const headers = 54;
/** 96 pixels an inch. */
const pixelsPerMetre = 3780;

export function openBmp({ width, height }: RasterSize): Raster {
  const stride = padded(width * 3, 4);
  const header = Buffer.alloc(headers);
  header.write('BM', 'latin1');
  header.writeUInt32LE(headers + stride * height, 2);
  header.writeUInt32LE(headers, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  header.writeUInt32LE(stride * height, 34);
  header.writeInt32LE(pixelsPerMetre, 38);
  header.writeInt32LE(pixelsPerMetre, 42);
  return {
    header,
    place: (rows) => {
      const below = height - rows.top - rows.height;
      return [{ at: headers + below * stride, bytes: blueFirst(rows, stride, true) }];
    },
  };
}
