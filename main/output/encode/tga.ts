/** Truevision TGA 2.0: type 2 (true colour), 24 bits a pixel, rows from the top down. */
import { blueFirst, type Raster, type RasterSize } from './raster.ts';

const headerBytes = 18;
const topLeft = 0x20;

export function openTga({ width, height }: RasterSize): Raster {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt8(2, 2);
  header.writeUInt16LE(width, 12);
  header.writeUInt16LE(height, 14);
  header.writeUInt8(24, 16);
  header.writeUInt8(topLeft, 17);
  // By its end a reader tells the format, which begins with no magic number.
  const footer = Buffer.concat([Buffer.alloc(8), Buffer.from('TRUEVISION-XFILE.\0', 'latin1')]);
  const stride = width * 3;
  return {
    header,
    place: (rows) => [
      { at: headerBytes + rows.top * stride, bytes: blueFirst(rows, stride) },
      ...(rows.top + rows.height === height ? [{ at: headerBytes + height * stride, bytes: footer }] : []),
    ],
  };
}
