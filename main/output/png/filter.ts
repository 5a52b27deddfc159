/** Pixels as Chromium draws them -> the rows of a PNG, each filtered as suits it (RFC 2083, 6). */
import type { BandOrder } from './band.ts';

/** What a row is told as: itself, the difference from the pixel on the left, from the row above. */
const filters = { none: 0, left: 1, above: 2 } as const;

/** Photographs are smaller as differences; text and drawings, in which many pixels are like their neighbour, as they are. */
const alikeInDrawings = 1 / 4;

type Wanted = Pick<BandOrder, 'pixels' | 'width' | 'alpha'>;

export function filteredRows({ pixels, width, alpha }: Wanted): Uint8Array {
  const height = pixels.length / (width * 4);
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height);
  const channels = alpha ? 4 : 3;
  const stride = 1 + width * channels;
  const source = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.length);
  const rows = new Uint8Array(stride * height);
  for (let row = 0; row < height; row += 1) {
    const [from, to] = [row * width * 4, row * stride];
    const above = from - width * 4;
    // A row that is like the one above differs from it by nothing, which is there already.
    if (row > 0 && source.compare(source, above, from, from, from + width * 4) === 0) {
      rows[to] = filters.above;
      continue;
    }
    const line = rows.subarray(to + 1, to + stride);
    if (alpha) copyTranslucent(source.subarray(from, from + width * 4), line);
    else copyOpaque(source.subarray(from, from + width * 4), line);
    if (isDrawing(words.subarray(row * width, (row + 1) * width))) continue;
    rows[to] = filters.left;
    for (let at = line.length - 1; at >= channels; at -= 1)
      line[at] = (line[at] ?? 0) - (line[at - channels] ?? 0);
  }
  return rows;
}

function copyOpaque(pixels: Uint8Array, line: Uint8Array): void {
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) {
    line[to] = pixels[from + 2] ?? 0;
    line[to + 1] = pixels[from + 1] ?? 0;
    line[to + 2] = pixels[from] ?? 0;
  }
}

function copyTranslucent(pixels: Uint8Array, line: Uint8Array): void {
  for (let at = 0; at < pixels.length; at += 4) {
    const opacity = pixels[at + 3] ?? 0;
    const share = opacity === 0 ? 0 : 255 / opacity;
    line[at] = Math.round((pixels[at + 2] ?? 0) * share);
    line[at + 1] = Math.round((pixels[at + 1] ?? 0) * share);
    line[at + 2] = Math.round((pixels[at] ?? 0) * share);
    line[at + 3] = opacity;
  }
}

function isDrawing(pixels: Uint32Array): boolean {
  let alike = 0;
  const step = 3;
  for (let at = step; at < pixels.length; at += step) if (pixels[at] === pixels[at - 1]) alike += 1;
  return alike * step >= pixels.length * alikeInDrawings;
}
