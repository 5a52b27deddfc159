/** The frame of a PNG file (RFC 2083): its header, its chunks. Eight bits a channel. */
import { crc32 } from 'node:zlib';

export interface PngFacts {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Its pixels have an opacity besides red, green and blue. */
  readonly alpha: boolean;
}

/** Chunks of data to a file. */
export function pngOf({ width, height, alpha }: PngFacts, data: readonly Uint8Array[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, alpha ? 6 : 2], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'),
    pngChunk('IHDR', header),
    ...data,
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export function pngChunk(name: 'IHDR' | 'IDAT' | 'IEND', data: Uint8Array): Buffer {
  const chunk = Buffer.allocUnsafe(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(name, 4, 'latin1');
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8);
  return chunk;
}
