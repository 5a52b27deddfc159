/** Parses PDF syntax (ISO 32000-1, 7.2 and 7.3) in the objects of a file and in content streams. */
import { Failure } from '../../failure/failure.ts';
import { bufferOf } from '../../input/bytes.ts';

/** A PDF name is a JavaScript string without the slash; a PDF string is its bytes. */
export type PdfValue = number | boolean | null | string | Uint8Array | PdfValue[] | Dict | Reference;
export type Dict = Map<string, PdfValue>;

interface Reference {
  readonly object: number;
  readonly generation: number;
}

/** A value, or a keyword such as an operator, `obj` or `stream`. */
type ValueOrKeyword = { readonly value: PdfValue } | { readonly word: string };

type Token = ValueOrKeyword | { readonly mark: '[' | ']' | '<<' | '>>' };
interface Composite {
  readonly close: ']' | '>>';
  readonly items: PdfValue[];
}

/** A position in the bytes; the read functions advance it. */
export interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
  /** How many further values and brackets may be read; undefined for any number. */
  valuesLeft?: number;
}

const keywordValues: Readonly<Record<string, PdfValue>> = { true: true, false: false, null: null };
const escapes: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 };
const characterCodes = {
  '(': 40,
  ')': 41,
  '<': 60,
  '>': 62,
  '[': 91,
  ']': 93,
  '/': 47,
  '%': 37,
  '\\': 92,
  '-': 45,
  '.': 46,
  '0': 48,
  '9': 57,
} as const;
const delimiters = new Set([...Buffer.from('()<>[]{}/%')]);
const spaces = new Set([0, 9, 10, 12, 13, 32]);
/** For each byte, 1 if it ends a name, a number or a keyword. */
const endsToken = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(spaces.has(byte) || delimiters.has(byte)),
);

/**
 * Returns the next value or keyword; undefined at the end. Skips invalid syntax. Nesting may have any depth.
 * @throws Failure tooComplex if no values are left
 */
export function readItem(cursor: Cursor): ValueOrKeyword | undefined {
  const open: Composite[] = [];
  for (let token = readToken(cursor); token !== undefined; token = readToken(cursor)) {
    if (cursor.valuesLeft !== undefined && (cursor.valuesLeft -= 1) < 0) throw tooManyValues();
    const inside = open.at(-1);
    if ('mark' in token) {
      if (token.mark === '[') open.push({ close: ']', items: [] });
      else if (token.mark === '<<') open.push({ close: '>>', items: [] });
      else if (inside?.close === token.mark) {
        open.pop();
        const value = inside.close === ']' ? inside.items : dictOf(inside.items);
        const outside = open.at(-1);
        if (outside === undefined) return { value };
        outside.items.push(value);
      }
    } else if (inside === undefined) return token;
    else if ('value' in token) inside.items.push(token.value);
    else if (token.word === 'R') joinReference(inside.items);
  }
  return undefined;
}

export function isReference(value: PdfValue | undefined): value is Reference {
  return typeof value === 'object' && value !== null && 'object' in value;
}

function isSpace(byte: number | undefined): boolean {
  return byte !== undefined && spaces.has(byte);
}

function dictOf(items: readonly PdfValue[]): Dict {
  const dict: Dict = new Map();
  for (let index = 0; index + 1 < items.length; index += 2) {
    const key = items[index];
    const value = items[index + 1];
    if (typeof key === 'string' && value !== undefined) dict.set(key, value);
  }
  return dict;
}

/** Called for the keyword `R`, as in `12 0 R`. Replaces the two numbers at the end of the list with a reference. */
export function joinReference(items: PdfValue[]): void {
  const [object, generation] = items.splice(-2);
  if (typeof object === 'number' && typeof generation === 'number') items.push({ object, generation });
}

function readToken(cursor: Cursor): Token | undefined {
  skipSpace(cursor);
  const { bytes } = cursor;
  const byte = bytes[cursor.at];
  if (byte === undefined) return undefined;
  if (byte === characterCodes['(']) return { value: readString(cursor) };
  if (byte === characterCodes['/']) return { value: readName(cursor) };
  if (byte === characterCodes['<'] && bytes[cursor.at + 1] !== byte) return { value: readHex(cursor) };
  if (delimiters.has(byte)) return readMark(cursor, byte);
  const number = readPlainNumber(cursor);
  if (number !== undefined) return { value: number };
  const word = readRegular(cursor);
  const value = keywordValues[word];
  if (value !== undefined && Object.hasOwn(keywordValues, word)) return { value };
  const unusual = /^[+-]*[\d.]/.test(word) ? parseFloat(word.replace(/^[+-]*(?=[+-])/, '')) : NaN;
  return Number.isNaN(unusual) ? { word } : { value: unusual };
}

/** Up to this many digits, the value of a number is exact before its decimal point is placed. */
const maxExactDigits = 15;

/** Reads a number such as `-12.5`. Returns undefined, and does not move, if the next token is not one; numbers are most tokens. */
function readPlainNumber(cursor: Cursor): number | undefined {
  const { bytes } = cursor;
  const isNegative = bytes[cursor.at] === characterCodes['-'];
  let at = isNegative ? cursor.at + 1 : cursor.at;
  let value = 0;
  let digits = 0;
  let decimals = -1;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === characterCodes['.'] && decimals === -1) decimals = 0;
    else if (byte >= characterCodes['0'] && byte <= characterCodes['9']) {
      value = value * 10 + byte - characterCodes['0'];
      digits += 1;
      if (decimals !== -1) decimals += 1;
    } else if (endsToken[byte] === 1) break;
    else return undefined;
  }
  if (digits === 0 || digits > maxExactDigits) return undefined;
  cursor.at = at;
  const size = decimals > 0 ? value / 10 ** decimals : value;
  return isNegative ? -size : size;
}

/** Reads the brackets of an array or a dictionary. Any other delimiter becomes an unknown keyword. */
function readMark(cursor: Cursor, byte: number): Token {
  const double = cursor.bytes[cursor.at + 1] === byte;
  const mark = String.fromCharCode(byte);
  cursor.at += 1;
  if (mark === '[' || mark === ']') return { mark };
  if (!double || (mark !== '<' && mark !== '>')) return { word: mark };
  cursor.at += 1;
  return { mark: mark === '<' ? '<<' : '>>' };
}

function skipSpace(cursor: Cursor): void {
  const { bytes } = cursor;
  for (; cursor.at < bytes.length; cursor.at += 1) {
    if (bytes[cursor.at] === characterCodes['%'])
      while (cursor.at < bytes.length && bytes[cursor.at] !== 10 && bytes[cursor.at] !== 13) cursor.at += 1;
    else if (!isSpace(bytes[cursor.at])) return;
  }
}

function readRegular(cursor: Cursor): string {
  const { bytes, at: start } = cursor;
  while (cursor.at < bytes.length && endsToken[bytes[cursor.at] ?? 0] === 0) cursor.at += 1;
  const first = bytes[start] ?? 0;
  // Most words are operators of one or two letters.
  if (cursor.at - start === 1) return String.fromCharCode(first);
  if (cursor.at - start === 2) return String.fromCharCode(first, bytes[start + 1] ?? 0);
  return bufferOf(bytes).toString('latin1', start, Math.min(cursor.at, start + 1000));
}

function readName(cursor: Cursor): string {
  cursor.at += 1;
  const written = readRegular(cursor);
  return written.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

function readHex(cursor: Cursor): Uint8Array {
  const { bytes, at } = cursor;
  const found = bytes.indexOf(characterCodes['>'], at);
  const end = found === -1 ? bytes.length : found;
  cursor.at = end + 1;
  const digits = Buffer.from(bytes.subarray(at + 1, end))
    .toString('latin1')
    .replace(/[^\da-f]/gi, '');
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
}

/** Reads a literal string, in which balanced parentheses need no backslash (7.3.4.2). */
function readString(cursor: Cursor): Uint8Array {
  const { bytes } = cursor;
  cursor.at += 1;
  // A list of numbers would take up to ten times the memory of a long string.
  const text = new Uint8Array(endOfString(bytes, cursor.at) - cursor.at);
  let length = 0;
  let depth = 1;
  for (; cursor.at < bytes.length; cursor.at += 1) {
    const byte = bytes[cursor.at] ?? 0;
    if (byte === characterCodes['\\'])
      for (const escaped of readEscape(cursor)) {
        text[length] = escaped;
        length += 1;
      }
    else {
      if (byte === characterCodes['(']) depth += 1;
      if (byte === characterCodes[')']) depth -= 1;
      if (depth === 0) break;
      text[length] = byte;
      length += 1;
    }
  }
  cursor.at += 1;
  return length === text.length ? text : text.subarray(0, length);
}

/** Returns the position of the parenthesis that closes a string, or `limit` if there is none before. `start`: after the opening one. */
export function endOfString(bytes: Uint8Array, start: number, limit = bytes.length): number {
  let depth = 1;
  for (let at = start; at < limit; at += 1) {
    const byte = bytes[at];
    if (byte === characterCodes['\\']) at += 1;
    else if (byte === characterCodes['(']) depth += 1;
    else if (byte === characterCodes[')'] && (depth -= 1) === 0) return at;
  }
  return limit;
}

/** Returns the bytes that an escape sequence stands for. Leaves the cursor on the last byte of the sequence. */
function readEscape(cursor: Cursor): number[] {
  const { bytes } = cursor;
  cursor.at += 1;
  const octal = /^[0-7]{1,3}/.exec(String.fromCharCode(...bytes.subarray(cursor.at, cursor.at + 3)))?.[0];
  if (octal !== undefined) {
    cursor.at += octal.length - 1;
    return [parseInt(octal, 8) & 255];
  }
  const byte = bytes[cursor.at];
  if (byte === 13 && bytes[cursor.at + 1] === 10) cursor.at += 1;
  if (byte === undefined || byte === 10 || byte === 13) return [];
  return [escapes[String.fromCharCode(byte)] ?? byte];
}

// Reads the operations of a content stream (ISO 32000-1, 7.8.2), and of a CMap, which has the same syntax.

export interface Operation {
  readonly operator: string;
  readonly operands: readonly PdfValue[];
  /** The bytes of the operation with its operands, and with the white space and comments before them. */
  readonly start: number;
  readonly end: number;
}

/** More than any real operation has. A value takes up to 150 bytes of memory, and only a byte of the content. */
const maxValues = 500_000;

function tooManyValues(): Failure {
  const message = `An operation in the content of a page has more than ${maxValues} values; simplify the page, and any watermark or background.`;
  return new Failure('tooComplex', message);
}

/** `EI` ends an image only if this many bytes after it look like operations. */
const lookAhead = 16;

/**
 * Yields the operations in order. An inline image is one operation, `BI`, whose operands are the dictionary with the keys as
 * written, and the encoded bytes of the image. @throws Failure tooComplex if an operation has too many values
 */
export function* operations(content: Uint8Array): Generator<Operation> {
  const cursor = { bytes: content, at: 0, valuesLeft: maxValues };
  let operands: PdfValue[] = [];
  let start = 0;
  for (let item = readItem(cursor); item !== undefined; item = readItem(cursor)) {
    if ('value' in item) operands.push(item.value);
    else {
      if (item.word === 'BI') operands = readInlineImage(cursor);
      yield { operator: item.word, operands, start, end: cursor.at };
      operands = [];
      cursor.valuesLeft = maxValues;
      start = cursor.at;
    }
  }
}

function readInlineImage(cursor: Cursor): PdfValue[] {
  const dict: Dict = new Map();
  let key: string | undefined;
  for (let item = readItem(cursor); item !== undefined; item = readItem(cursor)) {
    if (!('value' in item)) break;
    if (key !== undefined) dict.set(key, item.value);
    key = key === undefined && typeof item.value === 'string' ? item.value : undefined;
  }
  // One white-space character separates ID from the image (8.9.7).
  const start = cursor.at + 1;
  const end = endOfImage(cursor.bytes, start);
  cursor.at = end + 2;
  return [dict, cursor.bytes.subarray(start, isSpace(cursor.bytes[end - 1]) ? end - 1 : end)];
}

/**
 * Returns the position of the `EI` that ends an image, or the end of the bytes. The length of the image is unknown, and its bytes
 * may also contain these letters.
 */
function endOfImage(bytes: Uint8Array, start: number): number {
  const text = bufferOf(bytes);
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
