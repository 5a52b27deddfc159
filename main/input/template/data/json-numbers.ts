/** Parses JSON like JSON.parse, but keeps how numbers are written. */
import { randomUUID } from 'node:crypto';
import { WrittenNumber } from '../values.ts';

/** Matches the start of a string, and whole numbers. */
const token = /"|-?\d[\d.eE+-]*/g;

/** @throws SyntaxError as JSON.parse does */
export function parseJson(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  // No text of the data can contain the mark.
  const mark = randomUUID();
  const marked = withMarkedNumbers(text, mark);
  return marked === undefined ? value : unmarked(JSON.parse(marked) as unknown, { mark, numbers: new Map() });
}

/** Returns the valid JSON with strings in place of the numbers that JavaScript would print in another way; undefined if there are none. */
function withMarkedNumbers(text: string, mark: string): string | undefined {
  const parts: string[] = [];
  let end = 0;
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [found] = match;
    if (found === '"') token.lastIndex = endOfString(text, match.index + 1);
    else if (String(Number(found)) !== found) {
      parts.push(text.slice(end, match.index), `"${mark}${found}"`);
      end = match.index + found.length;
    }
  }
  return parts.length === 0 ? undefined : parts.join('') + text.slice(end);
}

/** Returns the position after the quote that ends the string. `start`: the position after the quote that begins it. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

interface MarkedNumbers {
  readonly mark: string;
  /** Equal numbers are one object, so that they are equal keys. */
  readonly numbers: Map<string, WrittenNumber>;
}

function unmarked(value: unknown, marked: MarkedNumbers): unknown {
  if (typeof value === 'string')
    return value.startsWith(marked.mark)
      ? writtenNumber(value.slice(marked.mark.length), marked.numbers)
      : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const key of Object.keys(members))
    Object.defineProperty(members, key, { value: unmarked(members[key], marked), enumerable: true });
  return value;
}

/** Returns the number from the cache, or adds it. */
export function writtenNumber(text: string, cache: Map<string, WrittenNumber>): WrittenNumber {
  const number = cache.get(text) ?? new WrittenNumber(text);
  cache.set(text, number);
  return number;
}
