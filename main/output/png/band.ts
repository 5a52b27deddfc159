/** A band of pixels -> its part of a PNG's data. Parts of one picture may be made at once, and follow one another as they are. */
import { constants, deflateRawSync } from 'node:zlib';
import { pngChunk } from '../../png.ts';
import { adler32 } from './adler.ts';
import { filteredRows } from './filter.ts';

export interface BandOrder {
  /** Blue, green, red and opacity, by which the colours are multiplied, a byte each; from the top down, without gaps. */
  readonly pixels: Uint8Array<ArrayBuffer>;
  /** Pixels of a row. */
  readonly width: number;
  /** The opacity is kept; else it is taken for full. */
  readonly alpha: boolean;
  /** Of zlib: 1 (soon done) to 9 (small). */
  readonly level: number;
}

export interface BandPart {
  /** A chunk of deflated data that ends on a whole byte and is not the last. */
  readonly chunk: Uint8Array;
  /** Adler-32 of what was deflated, and how many bytes that were. */
  readonly checksum: number;
  readonly length: number;
}

export function encodeBand(order: BandOrder): BandPart {
  const rows = filteredRows(order);
  const deflated = deflateRawSync(rows, {
    ...{ level: order.level, memLevel: 9, chunkSize: 262_144 },
    finishFlush: constants.Z_FULL_FLUSH,
  });
  return { chunk: pngChunk('IDAT', deflated), checksum: adler32(rows), length: rows.length };
}
