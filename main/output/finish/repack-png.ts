/**
 * Makes a PNG smaller that was written in haste: every row as it is, and deflated as little as possible. Chromium's other way
 * takes its time on the thread that answers everybody (docs/decisions/0041-haste.md). The format: https://www.w3.org/TR/png-3/
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** The size of a row in bytes, with the number of its filter; and that of a pixel. */
interface Layout {
  readonly stride: number;
  readonly pixel: number;
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** Higher ones take twice the time for a tenth less. */
const level = 4;

const signatureLength = 8;
/** Of a chunk, beside its data: length, type and check sum. */
const chunkFrame = 12;

/**
 * The same pixels, and the same chunks beside them. A picture that does not become smaller is given back as it is, and so is one that
 * has other pixels than red, green and blue of 8 bits, or filters. @throws Error where the pixels are incomplete
 */
export function repackPng(bytes: Uint8Array): Uint8Array {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks = chunksOf(png);
  const first = chunks.findIndex(isPixels);
  const layout = layoutOf(chunks[0]);
  if (layout === undefined || first === -1) return bytes;
  const rows = inflateSync(Buffer.concat(chunks.filter(isPixels).map(({ data }) => data)));
  if (!isUnfiltered(rows, layout)) return bytes;
  const pixels = { type: 'IDAT', data: deflateSync(filtered(rows, layout), { level }) };
  const others = (from: number, to?: number) => chunks.slice(from, to).filter((chunk) => !isPixels(chunk));
  const whole = [...others(0, first), pixels, ...others(first)].map(chunkBytes);
  const packed = Buffer.concat([png.subarray(0, signatureLength), ...whole]);
  return packed.length < bytes.length ? packed : bytes;
}

function isPixels({ type }: Chunk): boolean {
  return type === 'IDAT';
}

function chunksOf(png: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = signatureLength; at + chunkFrame <= png.length;) {
    const length = png.readUInt32BE(at);
    const data = png.subarray(at + 8, at + 8 + length);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data });
    at += chunkFrame + length;
  }
  return chunks;
}

function chunkBytes({ type, data }: Chunk): Buffer {
  const [before, after] = [Buffer.alloc(8), Buffer.alloc(4)];
  before.writeUInt32BE(data.length);
  before.write(type, 4, 'latin1');
  after.writeUInt32BE(crc32(data, crc32(before.subarray(4))));
  return Buffer.concat([before, data, after]);
}

/** Bytes of a pixel by the number of the colour type: red, green and blue, and those with transparency. */
const pixelBytes: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

function layoutOf(header: Chunk | undefined): Layout | undefined {
  if (header?.type !== 'IHDR') return undefined;
  const [depth, colours = -1, , , interlaced] = header.data.subarray(8);
  const pixel = pixelBytes[colours];
  if (depth !== 8 || interlaced !== 0 || pixel === undefined) return undefined;
  return { stride: header.data.readUInt32BE() * pixel + 1, pixel };
}

function isUnfiltered(rows: Uint8Array, { stride }: Layout): boolean {
  for (let start = 0; start < rows.length; start += stride) if (rows[start] !== 0) return false;
  return true;
}

const filters = [0, 1, 2, 3] as const;
type Filter = (typeof filters)[number];

/** What a byte is likely to be, by that of the pixel to the left and that above. Only what it differs by is written. */
function guess(filter: Filter, left: number, above: number): number {
  return filter === 0 ? 0 : filter === 1 ? left : filter === 2 ? above : (left + above) >> 1;
}

function filtered(rows: Uint8Array, layout: Layout): Uint8Array {
  const { stride, pixel } = layout;
  // Above the first row there is nothing.
  const source = new Uint8Array(stride + rows.length);
  source.set(rows, stride);
  const result = new Uint8Array(rows.length);
  for (let row = stride; row < source.length; row += stride) {
    const filter = bestFilter(source, row, layout);
    const to = row - stride;
    result[to] = filter;
    for (let at = 1; at < stride; at += 1) {
      const left = at > pixel ? (source[row + at - pixel] ?? 0) : 0;
      result[to + at] = (source[row + at] ?? 0) - guess(filter, left, source[to + at] ?? 0);
    }
  }
  return result;
}

/** Bytes of which one is looked at: without a divisor in common with 3 or 4, so that all colours are. */
const sample = 7;

/** The filter whose differences are least in sum, as the format's own text advises (12.7). */
function bestFilter(source: Uint8Array, row: number, { stride, pixel }: Layout): Filter {
  let [least, best]: [number, Filter] = [Infinity, 0];
  for (const filter of filters) {
    let sum = 0;
    for (let at = pixel + 1; at < stride; at += sample) {
      const guessed = guess(filter, source[row + at - pixel] ?? 0, source[row + at - stride] ?? 0);
      sum += Math.abs((((source[row + at] ?? 0) - guessed) << 24) >> 24);
    }
    if (sum < least) [least, best] = [sum, filter];
  }
  return best;
}
