/** Adler-32, the checksum at the end of a PNG's data (RFC 1950). Node has it inside zlib only. */

const base = 65_521;
/** So many sums of bytes are less than 2^32. */
const most = 5552;

/** The checksum of nothing. */
export const adlerOfNothing = 1;

export function adler32(bytes: Uint8Array): number {
  let [low, high] = [1, 0];
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(at + most, bytes.length);
    for (; at < end; at += 1) {
      low += bytes[at] ?? 0;
      high += low;
    }
    low %= base;
    high %= base;
  }
  return high * 65_536 + low;
}

/** The checksum of two texts in a row, by theirs and the length of the second (adler32_combine in zlib). */
export function adlerOfBoth(first: number, second: number, length: number): number {
  const [low1, high1] = [first % 65_536, Math.floor(first / 65_536)];
  const [low2, high2] = [second % 65_536, Math.floor(second / 65_536)];
  const low = (low1 + low2 + base - 1) % base;
  const high = (high1 + high2 + (length % base) * (low1 + base - 1)) % base;
  return high * 65_536 + low;
}
