/** Reads the rows of JSON lines (one object on each line) and of a JSON array of objects. */
import { messageOf } from '../failure/failure.ts';
import { isNestedBeyond } from '../async/json-depth.ts';
import { checkRow, rowsUnusable, type Row, type RowLimits } from './row.ts';

/** A part of the file that should be an object. */
interface JsonPart {
  readonly text: string;
  /** The line on which the part begins, from 1. */
  readonly line: number;
}

/** Yields the objects of JSON lines. Empty lines are skipped. @throws Failure dataInvalid if a row is beyond the limits */
export function jsonLineRows(texts: AsyncIterable<string>, limits: RowLimits): AsyncGenerator<Row> {
  return jsonRows(lines(texts, limits), limits);
}

/** Yields the objects of a JSON array. @throws Failure dataInvalid if the array is malformed, or a row is beyond the limits */
export function jsonArrayRows(texts: AsyncIterable<string>, limits: RowLimits): AsyncGenerator<Row> {
  return jsonRows(arrayElements(texts, limits), limits);
}

async function* jsonRows(parts: AsyncIterable<JsonPart>, limits: RowLimits): AsyncGenerator<Row> {
  let number = 0;
  for await (const { text, line } of parts) {
    number += 1;
    const place = { number, line };
    checkRow(place, Buffer.byteLength(text), limits);
    const problem = problemOf(text);
    yield problem === undefined ? { ...place, json: text } : { ...place, problem };
  }
}

/** Returns why the text is not a JSON object, or undefined. */
function problemOf(text: string): string | undefined {
  if (isNestedBeyond(text, maxNesting))
    return `The row has arrays or objects nested more than ${maxNesting} times.`;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return undefined;
    return 'The row is not a JSON object, such as {"name": "Ann"}.';
  } catch (problem) {
    return `The row is not valid JSON: ${withoutSource(messageOf(problem))}`;
  }
}

const maxNesting = 100;

/** Removes the quoted source from a message of V8, because messages are kept in plain text. */
function withoutSource(message: string): string {
  const [cause = '', source] = message.split(/, (?:\.{3})?"/, 2);
  return source === undefined ? cause.slice(0, 200) : `${cause} is out of place`;
}

async function* lines(texts: AsyncIterable<string>, limits: RowLimits): AsyncGenerator<JsonPart> {
  let line = 0;
  let rest = '';
  const numbered = (text: string) => ({ text: text.trim(), line: (line += 1) });
  for await (const text of texts) {
    // Joins the rest with the first part only: a long line may have many parts.
    const [begin = '', ...others] = text.split('\n');
    rest += begin;
    for (const other of others) {
      const part = numbered(rest);
      rest = other;
      if (part.text !== '') yield part;
    }
    if (rest.length <= limits.maxRowBytes) continue;
    // Not trimmed, so that jsonRows refuses it for its length.
    yield { text: rest, line: line + 1 };
    return;
  }
  const last = numbered(rest);
  if (last.text !== '') yield last;
}

async function* arrayElements(texts: AsyncIterable<string>, limits: RowLimits): AsyncGenerator<JsonPart> {
  const scanner = new ArrayScanner(limits);
  for await (const text of texts) yield* scanner.scan(text);
  scanner.end();
}

/** Splits an array into its elements, part by part, without parsing them. */
class ArrayScanner {
  readonly #limits: RowLimits;
  /** The nesting of brackets; 0 outside the array, 1 between its elements. */
  #depth = 0;
  #hasBegun = false;
  #isInString = false;
  #isEscaped = false;
  #line = 1;
  #elements = 0;
  /** The text of the current element so far, and the line on which it begins. */
  #element = '';
  #elementLine = 0;

  constructor(limits: RowLimits) {
    this.#limits = limits;
  }

  /** Yields the elements that end in the text. @throws Failure dataInvalid */
  *scan(text: string): Generator<JsonPart> {
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charAt(at);
      if (character === '\n') this.#line += 1;
      const wasInside = this.#depth > 0;
      const isEnd = this.#isElementEnd(character);
      if (!wasInside) {
        start = at + 1;
        continue;
      }
      if (this.#elementLine === 0 && !isEnd && !/\s/.test(character)) this.#elementLine = this.#line;
      if (!isEnd) continue;
      this.#element += text.slice(start, at);
      start = at + 1;
      yield* this.#takeElement();
    }
    if (this.#depth > 0) this.#element += text.slice(start);
    if (this.#element.length > this.#limits.maxRowBytes)
      checkRow({ number: this.#elements + 1, line: this.#elementLine }, Infinity, this.#limits);
  }

  /** @throws Failure dataInvalid if the array has not ended */
  end(): void {
    if (!this.#hasBegun || this.#depth > 0)
      throw rowsUnusable(`its JSON array is not closed; element ${this.#elements + 1} is the last one.`);
  }

  /** Updates the state. Returns whether the character ends an element. @throws Failure dataInvalid */
  #isElementEnd(character: string): boolean {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === '\\') this.#isEscaped = true;
      else if (character === '"') this.#isInString = false;
      return false;
    }
    if (this.#depth === 0) {
      this.#checkOutside(character);
      return false;
    }
    if (character === '"') this.#isInString = true;
    if (character === '[' || character === '{') this.#depth += 1;
    if (character === ']' || character === '}') {
      this.#depth -= 1;
      return this.#depth === 0;
    }
    return character === ',' && this.#depth === 1;
  }

  #checkOutside(character: string): void {
    if (character === '[' && !this.#hasBegun) {
      this.#hasBegun = true;
      this.#depth = 1;
    } else if (!/\s/.test(character))
      throw rowsUnusable(`line ${this.#line} has text outside the JSON array.`);
  }

  *#takeElement(): Generator<JsonPart> {
    const text = this.#element.trim();
    const line = this.#elementLine;
    this.#element = '';
    this.#elementLine = 0;
    if (text === '' && this.#elements === 0 && this.#depth === 0) return;
    if (text === '')
      throw rowsUnusable(`element ${this.#elements + 1} of its JSON array is missing at line ${this.#line}.`);
    this.#elements += 1;
    yield { text, line };
  }
}
