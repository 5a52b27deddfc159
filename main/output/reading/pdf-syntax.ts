/** The syntax of PDF (ISO 32000-1, 7.2 and 7.3): one reader of values for the objects of a file and for content streams. */

/** A name is a string without its slash; a string is its bytes. */
export type Value = number | boolean | null | string | Uint8Array | Value[] | Dict | Reference;
export type Dict = Map<string, Value>;

export interface Reference {
  readonly object: number;
  readonly generation: number;
}

/** A value, or a word that is none: an operator, `obj`, `stream`. */
export type Item = { readonly value: Value } | { readonly word: string };

type Token = Item | { readonly mark: '[' | ']' | '<<' | '>>' };
interface Composite {
  readonly close: ']' | '>>';
  readonly items: Value[];
}

/** A place in the bytes; what reads moves it on. */
export interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

const words: Readonly<Record<string, Value>> = { true: true, false: false, null: null };
const escapes: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 };
const brackets = {
  '(': 40,
  ')': 41,
  '<': 60,
  '>': 62,
  '[': 91,
  ']': 93,
  '/': 47,
  '%': 37,
  '\\': 92,
} as const;
const delimiters = new Set([...Buffer.from('()<>[]{}/%')]);
const spaces = new Set([0, 9, 10, 12, 13, 32]);

/** The next item, undefined at the end. Never throws: what makes no sense is passed over. Arrays and dictionaries may nest as deep as they like. */
export function readItem(cursor: Cursor): Item | undefined {
  const open: Composite[] = [];
  for (let token = readToken(cursor); token !== undefined; token = readToken(cursor)) {
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
    else if (token.word === 'R') foldReference(inside.items);
  }
  return undefined;
}

export function isReference(value: Value | undefined): value is Reference {
  return typeof value === 'object' && value !== null && 'object' in value;
}

export function isSpace(byte: number | undefined): boolean {
  return byte !== undefined && spaces.has(byte);
}

function dictOf(items: readonly Value[]): Dict {
  const dict: Dict = new Map();
  for (let index = 0; index + 1 < items.length; index += 2) {
    const [key, value] = [items[index], items[index + 1]];
    if (typeof key === 'string' && value !== undefined) dict.set(key, value);
  }
  return dict;
}

/** `12 0 R`: the two numbers have been read as such. */
function foldReference(items: Value[]): void {
  const [object, generation] = items.splice(-2);
  if (typeof object === 'number' && typeof generation === 'number') items.push({ object, generation });
}

function readToken(cursor: Cursor): Token | undefined {
  skipSpace(cursor);
  const { bytes } = cursor;
  const byte = bytes[cursor.at];
  if (byte === undefined) return undefined;
  if (byte === brackets['(']) return { value: readString(cursor) };
  if (byte === brackets['/']) return { value: readName(cursor) };
  if (byte === brackets['<'] && bytes[cursor.at + 1] !== byte) return { value: readHex(cursor) };
  if (delimiters.has(byte)) return readMark(cursor, byte);
  const word = readRegular(cursor);
  const value = words[word];
  if (value !== undefined && Object.hasOwn(words, word)) return { value };
  const number = /^[+-]*[\d.]/.test(word) ? parseFloat(word.replace(/^[+-]*(?=[+-])/, '')) : NaN;
  return Number.isNaN(number) ? { word } : { value: number };
}

/** A bracket that opens or closes; a stray one of another kind is a word nobody knows. */
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
    if (bytes[cursor.at] === brackets['%'])
      while (cursor.at < bytes.length && bytes[cursor.at] !== 10 && bytes[cursor.at] !== 13) cursor.at += 1;
    else if (!isSpace(bytes[cursor.at])) return;
  }
}

function readRegular(cursor: Cursor): string {
  const { bytes, at: start } = cursor;
  for (; cursor.at < bytes.length; cursor.at += 1) {
    const byte = bytes[cursor.at] ?? 0;
    if (spaces.has(byte) || delimiters.has(byte)) break;
  }
  return String.fromCharCode(...bytes.subarray(start, Math.min(cursor.at, start + 1000)));
}

function readName(cursor: Cursor): string {
  cursor.at += 1;
  const written = readRegular(cursor);
  return written.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

function readHex(cursor: Cursor): Uint8Array {
  const { bytes, at } = cursor;
  const found = bytes.indexOf(brackets['>'], at);
  const end = found === -1 ? bytes.length : found;
  cursor.at = end + 1;
  const digits = Buffer.from(bytes.subarray(at + 1, end))
    .toString('latin1')
    .replace(/[^\da-f]/gi, '');
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
}

/** Brackets in a string need no backslash while they pair (7.3.4.2). */
function readString(cursor: Cursor): Uint8Array {
  const { bytes } = cursor;
  const text: number[] = [];
  let depth = 1;
  for (cursor.at += 1; cursor.at < bytes.length; cursor.at += 1) {
    const byte = bytes[cursor.at] ?? 0;
    if (byte === brackets['\\']) text.push(...readEscape(cursor));
    else {
      if (byte === brackets['(']) depth += 1;
      if (byte === brackets[')']) depth -= 1;
      if (depth === 0) break;
      text.push(byte);
    }
  }
  cursor.at += 1;
  return Uint8Array.from(text);
}

/** Leaves the cursor on the last byte of the escape. */
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
