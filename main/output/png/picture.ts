/** A PNG of the parts that its bands have become. */
import { pngChunk, pngOf, type PngFacts } from '../../png.ts';
import { adlerOfBoth, adlerOfNothing } from './adler.ts';
import type { BandPart } from './band.ts';

/** What deflated data begins with (RFC 1950): a window of 32 KiB, a level like any other. */
const zlibHeader = Uint8Array.of(0x78, 0x9c);
/** A last block of deflated data that holds nothing (RFC 1951, 3.2.6). */
const lastBlock = [0x03, 0x00];

/** `parts` from the top down, and all of the picture. */
export function pictureOf(facts: PngFacts, parts: readonly BandPart[]): Buffer {
  const checksum = parts.reduce((sum, part) => adlerOfBoth(sum, part.checksum, part.length), adlerOfNothing);
  const end = Buffer.from([...lastBlock, 0, 0, 0, 0]);
  end.writeUInt32BE(checksum, lastBlock.length);
  const chunks = parts.map(({ chunk }) => chunk);
  return pngOf(facts, [pngChunk('IDAT', zlibHeader), ...chunks, pngChunk('IDAT', end)]);
}
