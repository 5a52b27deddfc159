/**
 * Recompresses a PNG that Chromium wrote in its fast mode, without row filters and with little compression. Chromium's slower mode
 * would block the main thread (docs/decisions/0041-png-compression.md). For the format, see https://www.w3.org/TR/png-3/.
 */
import { crc32 } from 'node:zlib';
import { deflateSync, inflateSync } from '../../async/thread-zlib.ts';
import { bufferOf } from '../../input/bytes.ts';

interface PngLayout {
  /** Bytes of a row, including the filter byte. */
  readonly stride: number;
  /** Bytes of a pixel. */
  readonly pixel: number;
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** The zlib compression level. Higher levels take twice the time and save 10 %. */
const level = 4;

const signatureLength = 8;
/** Bytes of a chunk in addition to its data: length, type and checksum. */
const chunkOverhead = 12;

/**
 * Returns the PNG recompressed, with the same pixels and the same other chunks. Returns the input unchanged if the result is not
 * smaller, if the rows have filters, or if the pixels are not 8-bit RGB or RGBA. @throws Error if the pixels cannot be unpacked
 */
export function repackPng(bytes: Uint8Array): Uint8Array {
  const png = bufferOf(bytes);
  const chunks = chunksOf(png);
  const first = chunks.findIndex(isPixels);
  const layout = layoutOf(chunks[0]);
  if (layout === undefined || first === -1) return bytes;
  const rows = inflateSync(Buffer.concat(chunks.filter(isPixels).map(({ data }) => data)));
  if (!isUnfiltered(rows, layout)) return bytes;
  const pixels = { type: 'IDAT', data: deflateSync(filtered(rows, layout), { level }) };
  const others = (from: number, to?: number) => chunks.slice(from, to).filter((chunk) => !isPixels(chunk));
  const allChunks = [...others(0, first), pixels, ...others(first)].map(chunkBytes);
  const packed = Buffer.concat([png.subarray(0, signatureLength), ...allChunks]);
  return packed.length < bytes.length ? packed : bytes;
}

function isPixels({ type }: Chunk): boolean {
  return type === 'IDAT';
}

function chunksOf(png: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = signatureLength; at + chunkOverhead <= png.length;) {
    const length = png.readUInt32BE(at);
    const data = png.subarray(at + 8, at + 8 + length);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data });
    at += chunkOverhead + length;
  }
  return chunks;
}

function chunkBytes({ type, data }: Chunk): Buffer {
  const before = Buffer.alloc(8);
  const after = Buffer.alloc(4);
  before.writeUInt32BE(data.length);
  before.write(type, 4, 'latin1');
  after.writeUInt32BE(crc32(data, crc32(before.subarray(4))));
  return Buffer.concat([before, data, after]);
}

/** Bytes of a pixel by PNG colour type: 2 is RGB, and 6 is RGBA. */
const pixelBytes: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

function layoutOf(header: Chunk | undefined): PngLayout | undefined {
  if (header?.type !== 'IHDR') return undefined;
  const [depth, colours = -1, , , interlaced] = header.data.subarray(8);
  const pixel = pixelBytes[colours];
  if (depth !== 8 || interlaced !== 0 || pixel === undefined) return undefined;
  return { stride: header.data.readUInt32BE() * pixel + 1, pixel };
}

function isUnfiltered(rows: Uint8Array, { stride }: PngLayout): boolean {
  for (let start = 0; start < rows.length; start += stride) if (rows[start] !== 0) return false;
  return true;
}

const filters = [0, 1, 2, 3] as const;
type Filter = (typeof filters)[number];

/**
 * Returns the value that a filter predicts for a byte from the pixels to the left and above. The PNG stores only the difference.
 */
function predict(filter: Filter, left: number, above: number): number {
  return filter === 0 ? 0 : filter === 1 ? left : filter === 2 ? above : (left + above) >> 1;
}

function filtered(rows: Uint8Array, layout: PngLayout): Uint8Array {
  const { stride, pixel } = layout;
  // Adds a row of zeros at the top, because the first row has no row above.
  const source = new Uint8Array(stride + rows.length);
  source.set(rows, stride);
  const result = new Uint8Array(rows.length);
  for (let row = stride; row < source.length; row += stride) {
    const filter = bestFilter(source, row, layout);
    const to = row - stride;
    result[to] = filter;
    for (let at = 1; at < stride; at += 1) {
      const left = at > pixel ? (source[row + at - pixel] ?? 0) : 0;
      result[to + at] = (source[row + at] ?? 0) - predict(filter, left, source[to + at] ?? 0);
    }
  }
  return result;
}

/** The distance between two sampled bytes. It is coprime to 3 and 4, so that all channels are sampled. */
const sampleStep = 7;

/** Returns the filter with the smallest sum of differences, as the PNG specification recommends (12.7). */
function bestFilter(source: Uint8Array, row: number, { stride, pixel }: PngLayout): Filter {
  let leastSum = Infinity;
  let best: Filter = 0;
  for (const filter of filters) {
    let sum = 0;
    for (let at = pixel + 1; at < stride; at += sampleStep) {
      const predicted = predict(filter, source[row + at - pixel] ?? 0, source[row + at - stride] ?? 0);
      sum += Math.abs((((source[row + at] ?? 0) - predicted) << 24) >> 24);
    }
    if (sum < leastSum) [leastSum, best] = [sum, filter];
  }
  return best;
}
