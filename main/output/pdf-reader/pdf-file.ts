/**
 * Looks up objects in the bytes of a PDF without parsing the whole file, so the time to read one page does not depend on the length
 * of the file. Supports files with a classic cross-reference table (ISO 32000-1, 7.5.4), as written by Chromium and, without object
 * streams, by pdf-lib.
 */
import { inflateBounded } from './inflate.ts';
import { bufferOf } from '../../input/bytes.ts';
import { isReference, joinReference, readItem, type Cursor, type Dict, type PdfValue } from './pdf-syntax.ts';

export interface PdfFile {
  readonly catalogue: Dict;
  /** Returns the object of a reference, and any other value unchanged. @throws Error if the file has no such object */
  readonly resolve: (value: PdfValue | undefined) => PdfValue | undefined;
  /** Yields the entries of a dictionary that contains no names. A long one is not read in one step. */
  readonly entries: (value: PdfValue | undefined) => Iterable<readonly [string, PdfValue]>;
  /**
   * Returns the decoded bytes of a referenced stream, by default at most `maxDecodedBytes`. @throws StreamTooLarge; Error if it is no
   * stream, or if its filter is not supported
   */
  readonly stream: (value: PdfValue | undefined, maxBytes?: number) => Uint8Array;
}

/** Returns the dictionary that a value is or refers to; an empty one if there is none. */
export function dictOrEmpty(file: Pick<PdfFile, 'resolve'>, value: PdfValue | undefined): Dict {
  const resolved = file.resolve(value);
  return resolved instanceof Map ? resolved : new Map<string, PdfValue>();
}

/** Returns the elements of an array; none if the value is no array. */
export function listIn(value: PdfValue | undefined): readonly PdfValue[] {
  return Array.isArray(value) ? value : [];
}

interface XrefSection {
  /** The number of the first object. */
  readonly first: number;
  readonly count: number;
  /** Offset of the first entry. An entry has 20 bytes. */
  readonly offset: number;
}

/**
 * Returns whether the bytes are a PDF. Its header may follow other bytes, as viewers allow (ISO 32000-1, annex H, implementation
 * note 13).
 */
export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');
}

/** @throws Error if the file has no classic cross-reference table, has incremental updates, or is encrypted */
export function openPdf(bytes: Buffer): PdfFile {
  const tail = bytes.toString('latin1', Math.max(0, bytes.length - 64));
  const table = Number(
    /startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)?.[1] ?? throwMissing('startxref at its end'),
  );
  const { sections, end } = readTable(bytes, table);
  const trailer = readDict({ bytes, at: end });
  if (trailer.has('Prev') || trailer.has('Encrypt'))
    throw new Error('The PDF is encrypted or has incremental updates.');
  const read = (value: PdfValue | undefined): Cursor => bodyOf(value, { bytes, sections });
  const resolve = (value: PdfValue | undefined): PdfValue | undefined =>
    isReference(value) ? readValue(read(value)) : value;
  const stream: PdfFile['stream'] = (value, maxBytes) => readStream(read(value), resolve, maxBytes);
  const entries: PdfFile['entries'] = (value) =>
    isReference(value) ? entriesAt(read(value)) : dictOrEmpty({ resolve }, value);
  return { catalogue: dictIn(resolve(trailer.get('Root'))), resolve, entries, stream };
}

/** Returns the value as a dictionary. @throws Error if it is none */
export function dictIn(value: PdfValue | undefined): Dict {
  return value instanceof Map ? value : throwMissing('dictionary where one is required');
}

function readTable(bytes: Buffer, table: number): { sections: XrefSection[]; end: number } {
  const sections: XrefSection[] = [];
  const start = /^xref\s*?\r?\n/.exec(bytes.toString('latin1', table, table + 16))?.[0];
  let end = table + (start ?? throwMissing('plain cross-reference table')).length;
  for (;;) {
    const header = /^(\d+) (\d+)\s*?\r?\n/.exec(bytes.toString('latin1', end, end + 32));
    if (header === null) break;
    const first = Number(header[1]);
    const count = Number(header[2]);
    const offset = end + header[0].length;
    sections.push({ first, count, offset });
    end = offset + count * 20;
  }
  const trailer = /^\s*trailer/.exec(bytes.toString('latin1', end, end + 16))?.[0];
  return { sections, end: end + (trailer ?? throwMissing('trailer after its cross-reference table')).length };
}

/** Returns the position of the referenced object, after `n g obj`. @throws Error if the file has no such object */
function bodyOf(
  value: PdfValue | undefined,
  file: { bytes: Buffer; sections: readonly XrefSection[] },
): Cursor {
  if (!isReference(value)) return throwMissing('reference where one is required');
  const { object } = value;
  const section = file.sections.find(({ first, count }) => object >= first && object < first + count);
  const entry =
    section === undefined ? throwMissing(`object ${object}`) : section.offset + (object - section.first) * 20;
  const offset = /^(\d{10}) \d{5} n/.exec(file.bytes.toString('latin1', entry, entry + 20))?.[1];
  const at = Number(offset ?? throwMissing(`object ${object}`));
  const head = /^(\d+) \d+ obj/.exec(file.bytes.toString('latin1', at, at + 32));
  return head?.[1] === String(object)
    ? { bytes: file.bytes, at: at + head[0].length }
    : throwMissing(`object ${object}`);
}

function readStream(cursor: Cursor, resolve: PdfFile['resolve'], maxBytes?: number): Uint8Array {
  const dict = readDict(cursor);
  const word = readItem(cursor);
  if (word === undefined || !('word' in word) || word.word !== 'stream')
    throwMissing('stream where one is required');
  const start = cursor.at + (cursor.bytes[cursor.at] === 13 ? 2 : 1);
  const length = resolve(dict.get('Length'));
  const data = cursor.bytes.subarray(
    start,
    start + (typeof length === 'number' ? length : throwMissing('length')),
  );
  const filter = dict.get('Filter');
  if (filter === undefined) return data;
  const only = Array.isArray(filter) && filter.length === 1 ? filter[0] : filter;
  return only === 'FlateDecode' && !dict.has('DecodeParms')
    ? inflateBounded(data, maxBytes)
    : throwMissing('supported filter');
}

/** Yields the entries of the dictionary at the cursor. */
function* entriesAt(cursor: Cursor): Generator<readonly [string, PdfValue]> {
  cursor.at = bufferOf(cursor.bytes).indexOf('<<', cursor.at) + 2;
  let key: string | undefined;
  let values: PdfValue[] = [];
  for (let item = readItem(cursor); item !== undefined; item = readItem(cursor)) {
    if ('word' in item) {
      if (item.word !== 'R') break;
      joinReference(values);
    } else if (typeof item.value === 'string') {
      if (key !== undefined && values[0] !== undefined) yield [key, values[0]];
      key = item.value;
      values = [];
    } else values.push(item.value);
  }
  if (key !== undefined && values[0] !== undefined) yield [key, values[0]];
}

function readDict(cursor: Cursor): Dict {
  return dictIn(readValue(cursor));
}

function readValue(cursor: Cursor): PdfValue | undefined {
  const item = readItem(cursor);
  return item !== undefined && 'value' in item ? item.value : undefined;
}

function throwMissing(missingPart: string): never {
  throw new Error(`The PDF has no ${missingPart}.`);
}
