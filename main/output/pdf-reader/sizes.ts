/**
 * Measures how many bytes of a PDF are fonts, images and the rest. Fonts and images are streams, which are never inside another
 * object (ISO 32000-1, 7.5.7), and encryption changes only the strings in dictionaries (7.6.1). So one pass over the bytes that
 * skips the data of each stream finds all of them, in classic, compressed, linearised and encrypted files.
 */
import { isReference, readItem, type Dict, type PdfValue } from './pdf-syntax.ts';

/** Sizes in bytes. */
export interface PdfSizes {
  readonly total: number;
  readonly fonts: number;
  readonly images: number;
  /** Page contents, structure and everything else. */
  readonly rest: number;
  /** Fonts and images, the largest first. */
  readonly largest: readonly { readonly what: string; readonly bytes: number }[];
  /** Bytes of the images that are not JPEG files. */
  readonly unpacked: number;
  /** The largest of these images. */
  readonly unpackedImages: readonly {
    readonly width: number;
    readonly height: number;
    readonly bytes: number;
  }[];
}

/** A stream object of the PDF. */
interface PdfStream {
  /** Object number. */
  readonly object: number;
  readonly dict: Dict;
  /** Offset of the first byte of data. */
  readonly start: number;
  /** Offset after the last byte of data. */
  readonly end: number;
}

interface SizeScan {
  readonly streams: PdfStream[];
  /** Font names by the object number of the font program. */
  readonly names: Map<number, string>;
  /** The number of font descriptors that have been read. */
  descriptors: number;
}

const maxListed = 5;

// A watermark may contain any bytes, so the scan of a file has limits. No real document reaches them.
const maxKeywords = 1_000_000;
const maxDescriptors = 1000;
/** The largest size of a font descriptor in bytes. */
const maxDescriptorBytes = 2000;

/**
 * Returns how many bytes of a PDF are fonts, images and other objects. If the bytes are no PDF, all of them count as `rest`. Takes
 * linear time and does not copy the file.
 */
export function sizesOf(file: Buffer): PdfSizes {
  const { streams, names } = scan(file);
  const fonts = streams.filter((stream) => isFont(stream, names));
  const images = streams.filter(({ dict }) => dict.get('Subtype') === 'Image');
  const unpacked = images.filter(({ dict }) => dict.get('Filter') !== 'DCTDecode');
  const fontBytes = bytesOf(fonts);
  const imageBytes = bytesOf(images);
  const named = [
    ...fonts.map((font) => ({ what: `font ${names.get(font.object) ?? ''}`.trim(), bytes: bytesOf([font]) })),
    ...images.map((image) => ({ what: `image ${sidesOf(image)}`, bytes: bytesOf([image]) })),
  ];
  return {
    total: file.length,
    fonts: fontBytes,
    images: imageBytes,
    rest: file.length - fontBytes - imageBytes,
    largest: largestOf(named),
    unpacked: bytesOf(unpacked),
    unpackedImages: largestOf(
      unpacked.map((image) => ({
        width: numberOf(image, 'Width'),
        height: numberOf(image, 'Height'),
        bytes: bytesOf([image]),
      })),
    ),
  };
}

function largestOf<T extends { readonly bytes: number }>(parts: readonly T[]): T[] {
  return parts.toSorted((left, right) => right.bytes - left.bytes).slice(0, maxListed);
}

function scan(file: Buffer): SizeScan {
  const found: SizeScan = { streams: [], names: new Map(), descriptors: 0 };
  /** The end of the last stream. */
  let gap = 0;
  /** The end of the last keyword or stream. */
  let from = 0;
  for (let keywords = 0; keywords < maxKeywords; keywords += 1) {
    const keyword = file.indexOf('stream', from, 'latin1');
    if (keyword === -1) break;
    const stream = streamAt(file, from, keyword);
    from = stream?.end ?? keyword + 'stream'.length;
    if (stream === undefined) continue;
    nameFonts(file.subarray(gap, keyword), found);
    found.streams.push(stream);
    gap = stream.end;
  }
  nameFonts(file.subarray(gap), found);
  return found;
}

/**
 * Returns the stream whose data the keyword `stream` at offset `keyword` introduces. Returns undefined if it introduces none, as in
 * `endstream` or in a string. The object must begin at or after offset `from`.
 */
function streamAt(file: Buffer, from: number, keyword: number): PdfStream | undefined {
  const after = keyword + 'stream'.length;
  if (file[after] !== 10 && file[after] !== 13) return undefined;
  const head = file.subarray(from, after);
  const mark = head.lastIndexOf(' obj', undefined, 'latin1');
  const object = /(?<!\d)(\d+) \d+$/.exec(
    head.toString('latin1', Math.max(0, mark - 24), Math.max(0, mark)),
  )?.[1];
  if (object === undefined) return undefined;
  const cursor = { bytes: head, at: mark + ' obj'.length };
  const dict = valueIn(readItem(cursor));
  const next = readItem(cursor);
  const isStream = next !== undefined && 'word' in next && next.word === 'stream';
  if (!(dict instanceof Map) || !isStream || cursor.at !== head.length) return undefined;
  const start = after + (file[after] === 13 ? 2 : 1);
  return { object: Number(object), dict, start, end: endOf(file, start, dict.get('Length')) };
}

/**
 * Returns the offset of the end of a stream's data. If the length is an indirect object (7.3.8.2), searches for `endstream`,
 * because looking up the object would take longer.
 */
function endOf(file: Buffer, start: number, length: PdfValue | undefined): number {
  if (typeof length === 'number' && length >= 0 && start + length <= file.length) return start + length;
  const end = file.indexOf('endstream', start, 'latin1');
  return end === -1 ? file.length : end;
}

/** Collects font names from the descriptors (9.8) between two streams. Descriptors inside object streams are not read. */
function nameFonts(gap: Buffer, found: SizeScan): void {
  for (let at = gap.indexOf('/FontDescriptor'); at >= 0; at = gap.indexOf('/FontDescriptor', at + 1)) {
    if (found.descriptors >= maxDescriptors) return;
    found.descriptors += 1;
    const near = gap.subarray(Math.max(0, at - maxDescriptorBytes), at + maxDescriptorBytes);
    const mark = near.lastIndexOf(' obj', Math.min(at, maxDescriptorBytes), 'latin1');
    const descriptor = mark < 0 ? undefined : valueIn(readItem({ bytes: near, at: mark + ' obj'.length }));
    if (descriptor instanceof Map) nameFont(descriptor, found.names);
  }
}

function nameFont(descriptor: Dict, names: Map<number, string>): void {
  const name = descriptor.get('FontName');
  const program = ['FontFile', 'FontFile2', 'FontFile3'].map((key) => descriptor.get(key)).find(isReference);
  // The name of a subset begins with six letters and a plus sign (9.6.4).
  if (isReference(program) && typeof name === 'string')
    names.set(program.object, name.replace(/^[A-Z]{6}\+/, '').slice(0, 100));
}

const fontPrograms: readonly unknown[] = ['Type1C', 'CIDFontType0C', 'OpenType'];

/** Returns whether a stream is a font program. Only font programs have a Length1 or one of these subtypes (9.9, table 126). */
function isFont({ object, dict }: PdfStream, names: ReadonlyMap<number, string>): boolean {
  return dict.has('Length1') || fontPrograms.includes(dict.get('Subtype')) || names.has(object);
}

function sidesOf({ dict }: PdfStream): string {
  const width = dict.get('Width');
  const height = dict.get('Height');
  return typeof width === 'number' && typeof height === 'number' ? `${width} x ${height}` : '';
}

function numberOf({ dict }: PdfStream, key: string): number {
  const value = dict.get(key);
  return typeof value === 'number' ? value : 0;
}

function bytesOf(streams: readonly PdfStream[]): number {
  return streams.reduce((sum, { start, end }) => sum + end - start, 0);
}

function valueIn(item: ReturnType<typeof readItem>): PdfValue | undefined {
  return item !== undefined && 'value' in item ? item.value : undefined;
}
