/** The operations of a content stream (ISO 32000-1, 7.8.2), one after the other; also of a CMap, which is written the same way. */
import { isSpace, readItem, type Cursor, type Dict, type Value } from './pdf-syntax.ts';

export interface Operation {
  readonly operator: string;
  readonly operands: readonly Value[];
}

/** How far after `EI` the bytes must look like operations for it to be the end of the image. */
const lookAhead = 16;

/**
 * An inline image is one operation, `BI`, its operands the dictionary with its keys as they are written and the bytes of the
 * image as they are encoded. Never throws, whatever the bytes.
 */
export function* operations(content: Uint8Array): Generator<Operation> {
  const cursor: Cursor = { bytes: content, at: 0 };
  let operands: Value[] = [];
  for (let item = readItem(cursor); item !== undefined; item = readItem(cursor)) {
    if ('value' in item) operands.push(item.value);
    else {
      yield { operator: item.word, operands: item.word === 'BI' ? readInlineImage(cursor) : operands };
      operands = [];
    }
  }
}

function readInlineImage(cursor: Cursor): Value[] {
  const dict: Dict = new Map();
  let key: string | undefined;
  for (let item = readItem(cursor); item !== undefined; item = readItem(cursor)) {
    if (!('value' in item)) break;
    if (key !== undefined) dict.set(key, item.value);
    key = key === undefined && typeof item.value === 'string' ? item.value : undefined;
  }
  // One white-space character stands between ID and the image (8.9.7).
  const start = cursor.at + 1;
  const end = endOfImage(cursor.bytes, start);
  cursor.at = end + 2;
  return [dict, cursor.bytes.subarray(start, isSpace(cursor.bytes[end - 1]) ? end - 1 : end)];
}

/** Where `EI` stands. An image does not say how long it is, so the letters may be part of it. */
function endOfImage(bytes: Uint8Array, start: number): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = text.indexOf('EI', start); at !== -1; at = text.indexOf('EI', at + 1)) {
    const after = bytes.subarray(at + 2, at + 2 + lookAhead);
    const ends = after.length === 0 || isSpace(after[0]);
    if (ends && (at === start || isSpace(bytes[at - 1])) && after.every(isText)) return at;
  }
  return bytes.length;
}

function isText(byte: number): boolean {
  return isSpace(byte) ? byte !== 0 : byte > 32 && byte < 127;
}
