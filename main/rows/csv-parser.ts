/**
 * Splits CSV (RFC 4180) into records, part by part. Unlike the package csv-parse, it counts values beyond a limit without keeping
 * them, and creates no error for a record whose length differs: csv-parse blocked the main thread for 2 s with 20 kB of such records.
 */

export interface CsvRecord {
  /** The first values, at most CsvParserOptions.maxValues. */
  readonly values: readonly string[];
  /** The number of all values. */
  readonly count: number;
  /** The size of all values and the delimiters between them, in bytes of UTF-8. */
  readonly bytes: number;
  /** The line on which the record begins, from 1. */
  readonly line: number;
}

export interface CsvParserOptions {
  readonly delimiter: string;
  /** Maximum number of values that are kept of a record. */
  readonly maxValues: number;
  /** Maximum size of a record, in characters. */
  readonly maxLength: number;
}

type CsvProblem = 'quote not closed' | 'wrong quote' | 'record too large';

/** The text is not CSV, or a record is too large. */
export class CsvError extends Error {
  readonly problem: CsvProblem;
  /** The line on which the record begins, and the line of the problem, from 1. */
  readonly recordLine: number;
  readonly line: number;

  constructor(problem: CsvProblem, recordLine: number, line: number) {
    super(`${problem} at line ${line}`);
    this.problem = problem;
    this.recordLine = recordLine;
    this.line = line;
  }
}

export class CsvParser {
  readonly #options: CsvParserOptions;
  /** Matches what ends an unquoted value, and quotes. */
  readonly #special: RegExp;
  /** A quote or a carriage return at the end of a part: its meaning depends on the next character. */
  #rest = '';
  #line = 1;
  #recordLine = 1;
  #isQuoted = false;
  #value = '';
  #values: string[] = [];
  #count = 0;
  #bytes = 0;
  /** The number of characters of the current record. */
  #length = 0;
  /** Whether all values of the current record so far are empty or white space. */
  #isBlank = true;

  constructor(options: CsvParserOptions) {
    this.#options = options;
    // eslint-disable-next-line platen/linear-pattern -- One class of characters without a loop.
    this.#special = new RegExp(`[${options.delimiter}"\\r\\n]`, 'g');
  }

  /** Yields the records that end in the text. Records without text are skipped. @throws CsvError */
  *parse(text: string): Generator<CsvRecord> {
    yield* this.#parse(text, false);
  }

  /** Yields the last record if it has no line break. @throws CsvError */
  *end(): Generator<CsvRecord> {
    yield* this.#parse('', true);
    if (this.#isQuoted) throw this.#error('quote not closed');
    const record = this.#takeRecord();
    if (record !== undefined) yield record;
  }

  *#parse(part: string, isLast: boolean): Generator<CsvRecord> {
    const text = this.#rest + part;
    this.#rest = '';
    let at = 0;
    while (at < text.length) {
      const end = this.#valueEnd(text, at);
      const character = text.charAt(end);
      const next = text.charAt(end + 1);
      const isLineBreakPair = character === '\r' && next === '\n';
      this.#append(text.slice(at, end));
      if ((character === '"' || character === '\r') && next === '' && !isLast) {
        this.#rest = character;
        return;
      }
      at = end + 1;
      if (this.#isQuoted) {
        if (character === '"' && next === '"') {
          this.#append('"');
          at += 1;
        } else if (character === '"') {
          if (next !== '' && next !== this.#options.delimiter && next !== '\r' && next !== '\n')
            throw this.#error('wrong quote');
          this.#isQuoted = false;
        } else if (character !== '') {
          if (isLineBreakPair) at += 1;
          this.#append(isLineBreakPair ? '\r\n' : character);
          this.#line += 1;
        }
      } else if (character === '"') {
        if (this.#value !== '') throw this.#error('wrong quote');
        this.#isQuoted = true;
      } else if (character === this.#options.delimiter) {
        this.#endValue();
        this.#length += 1;
      } else if (character !== '') {
        if (isLineBreakPair) at += 1;
        const record = this.#takeRecord();
        if (record !== undefined) yield record;
        this.#line += 1;
        this.#recordLine = this.#line;
      }
    }
  }

  /** Returns the index of the next character with a meaning. In quotes, only quotes and line breaks have one. */
  #valueEnd(text: string, at: number): number {
    const special = this.#isQuoted ? quotedSpecial : this.#special;
    special.lastIndex = at;
    return special.exec(text)?.index ?? text.length;
  }

  #append(text: string): void {
    this.#value += text;
    this.#length += text.length;
    if (this.#length > this.#options.maxLength) throw this.#error('record too large');
  }

  #endValue(): void {
    this.#bytes += Buffer.byteLength(this.#value) + (this.#count === 0 ? 0 : 1);
    this.#count += 1;
    this.#isBlank &&= this.#value.trim() === '';
    if (this.#count <= this.#options.maxValues) this.#values.push(this.#value);
    this.#value = '';
  }

  /** Returns the record that has ended, or undefined if it has no text. */
  #takeRecord(): CsvRecord | undefined {
    this.#endValue();
    const record = { values: this.#values, count: this.#count, bytes: this.#bytes, line: this.#recordLine };
    const isBlank = this.#isBlank;
    this.#values = [];
    this.#count = 0;
    this.#bytes = 0;
    this.#length = 0;
    this.#isBlank = true;
    return isBlank ? undefined : record;
  }

  #error(problem: CsvProblem): CsvError {
    return new CsvError(problem, this.#recordLine, this.#line);
  }
}

const quotedSpecial = /["\r\n]/g;
