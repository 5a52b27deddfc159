/** Pixels -> a PNG file (RFC 2083), for the small pictures that are drawn here. */
import { crc32, deflateSync } from 'node:zlib';

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
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'),
    chunk('IHDR', header(size)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Eight bits a channel, with opacity. */
function header(size: number): Buffer {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(size, 0);
  bytes.writeUInt32BE(size, 4);
  bytes.set([8, 6], 8);
  return bytes;
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  frame.set(body, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}
