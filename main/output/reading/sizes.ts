/**
 * How much of a PDF its fonts, its images and all else take. Fonts and images are streams, which never lie inside another
 * object (ISO 32000-1, 7.5.7), and encryption leaves dictionaries as they are but for strings (7.6.1), so one pass over the
 * bytes that leaps over each stream finds them all, whether the file is classic, compressed, linearised or encrypted.
 */
import { isReference, readItem, type Dict, type Value } from './pdf-syntax.ts';

/** In bytes. */
export interface Sizes {
  readonly total: number;
  readonly fonts: number;
  readonly images: number;
  /** Page contents, structure, all else. */
  readonly rest: number;
  /** Fonts and images, the largest first. */
  readonly largest: readonly { readonly what: string; readonly bytes: number }[];
}

/** A stream object. */
interface Stream {
  readonly object: number;
  readonly dict: Dict;
  /** Where its data lies. */
  readonly start: number;
  readonly end: number;
}

interface Scan {
  readonly streams: Stream[];
  /** Names of fonts, by the object of their program. */
  readonly names: Map<number, string>;
}

const mostListed = 5;

/** Takes any bytes; of what is no PDF all is rest. Linear in time, and no copy of the file. */
export function sizesOf(file: Buffer): Sizes {
  const { streams, names } = scan(file);
  const fonts = streams.filter((stream) => isFont(stream, names));
  const images = streams.filter(({ dict }) => dict.get('Subtype') === 'Image');
  const [inFonts, inImages] = [bytesOf(fonts), bytesOf(images)];
  const named = [
    ...fonts.map((font) => ({ what: `font ${names.get(font.object) ?? ''}`.trim(), bytes: bytesOf([font]) })),
    ...images.map((image) => ({ what: `image ${sidesOf(image)}`, bytes: bytesOf([image]) })),
  ];
  return {
    ...{ total: file.length, fonts: inFonts, images: inImages, rest: file.length - inFonts - inImages },
    largest: named.sort((one, other) => other.bytes - one.bytes).slice(0, mostListed),
  };
}

function scan(file: Buffer): Scan {
  const found: Scan = { streams: [], names: new Map() };
  let from = 0;
  for (;;) {
    const keyword = file.indexOf('stream', from, 'latin1');
    nameFonts(file.subarray(from, keyword === -1 ? file.length : keyword), found.names);
    if (keyword === -1) return found;
    const stream = streamAt(file, from, keyword);
    if (stream !== undefined) found.streams.push(stream);
    from = stream?.end ?? keyword + 'stream'.length;
  }
}

/** The stream whose keyword that is; undefined when it is none, as in `endstream` and in strings. */
function streamAt(file: Buffer, from: number, keyword: number): Stream | undefined {
  const after = keyword + 'stream'.length;
  if (file[after] !== 10 && file[after] !== 13) return undefined;
  const head = file.subarray(from, after);
  const mark = head.lastIndexOf(' obj', undefined, 'latin1');
  const object = /(\d+) \d+$/.exec(head.toString('latin1', Math.max(0, mark - 24), Math.max(0, mark)))?.[1];
  if (object === undefined) return undefined;
  const cursor = { bytes: head, at: mark + ' obj'.length };
  const dict = valueIn(readItem(cursor));
  const next = readItem(cursor);
  const isStream = next !== undefined && 'word' in next && next.word === 'stream';
  if (!(dict instanceof Map) || !isStream || cursor.at !== head.length) return undefined;
  const start = after + (file[after] === 13 ? 2 : 1);
  return { object: Number(object), dict, start, end: endOf(file, start, dict.get('Length')) };
}

/** A length may be an object of its own (7.3.8.2); looking that up is dearer than looking for the end. */
function endOf(file: Buffer, start: number, length: Value | undefined): number {
  if (typeof length === 'number' && length >= 0 && start + length <= file.length) return start + length;
  const end = file.indexOf('endstream', start, 'latin1');
  return end === -1 ? file.length : end;
}

/** More than any document has; what a document says of itself must not take our time. */
const mostNames = 1000;
/** No font descriptor is longer. */
const longestDescriptor = 2000;

/** Keeps the names in the font descriptors (9.8) that lie between two streams; those inside a stream are not read. */
function nameFonts(gap: Buffer, names: Map<number, string>): void {
  for (let tries = 0, at = gap.indexOf('/FontDescriptor'); at >= 0 && tries < mostNames; tries += 1) {
    const near = gap.subarray(Math.max(0, at - longestDescriptor), at + longestDescriptor);
    const mark = near.lastIndexOf(' obj', Math.min(at, longestDescriptor), 'latin1');
    const descriptor = mark < 0 ? undefined : valueIn(readItem({ bytes: near, at: mark + ' obj'.length }));
    if (descriptor instanceof Map) nameFont(descriptor, names);
    at = gap.indexOf('/FontDescriptor', at + 1);
  }
}

function nameFont(descriptor: Dict, names: Map<number, string>): void {
  const name = descriptor.get('FontName');
  const program = ['FontFile', 'FontFile2', 'FontFile3'].map((key) => descriptor.get(key)).find(isReference);
  // Of a subset the name begins with six letters and a plus (9.6.4).
  if (isReference(program) && typeof name === 'string')
    names.set(program.object, name.replace(/^[A-Z]{6}\+/, '').slice(0, 100));
}

const fontPrograms: readonly unknown[] = ['Type1C', 'CIDFontType0C', 'OpenType'];

/** Only font programs have a Length1, or one of these types (9.9, table 126). */
function isFont({ object, dict }: Stream, names: ReadonlyMap<number, string>): boolean {
  return dict.has('Length1') || fontPrograms.includes(dict.get('Subtype')) || names.has(object);
}

function sidesOf({ dict }: Stream): string {
  const [width, height] = [dict.get('Width'), dict.get('Height')];
  return typeof width === 'number' && typeof height === 'number' ? `${width} x ${height}` : '';
}

function bytesOf(streams: readonly Stream[]): number {
  return streams.reduce((sum, { start, end }) => sum + end - start, 0);
}

function valueIn(item: ReturnType<typeof readItem>): Value | undefined {
  return item !== undefined && 'value' in item ? item.value : undefined;
}
