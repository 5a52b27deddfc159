/** Reads the rows of CSV (RFC 4180). The first row names the fields; all values are texts. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { checkRow, rowsUnusable, type Row, type RowLimits } from './row.ts';

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** @throws Failure dataInvalid if the header or the quotes are wrong, or a row is beyond the limits */
export async function* csvRows(texts: AsyncIterable<string>, limits: RowLimits): AsyncGenerator<Row> {
  const { header, all } = await readHeader(texts);
  const reader = new CsvReader(limits);
  const parser = parse({
    info: true,
    on_record(record, { lines }) {
      reader.noteParsed(lines);
      return record;
    },
    delimiter: delimiterOf(header),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    // In characters. checkRow measures bytes, and names the row.
    max_record_size: limits.maxRowBytes + maxHeaderLength,
  });
  const feeding = pipeline(Readable.from(all), parser);
  feeding.catch(() => {});
  try {
    for await (const record of parser as AsyncIterable<CsvRecord>) {
      const row = reader.read(record);
      if (row !== undefined) yield row;
    }
  } catch (problem) {
    throw problem instanceof CsvError ? reader.describe(problem) : problem;
  } finally {
    parser.destroy();
  }
}

/** Turns the records of the parser into rows. */
class CsvReader {
  readonly #limits: RowLimits;
  #names: readonly string[] | undefined;
  #rows = 0;
  /** How many records the parser has read, which is ahead of this class, and the last line of the last one. */
  #parsedRecords = 0;
  #parsedLines = 0;

  constructor(limits: RowLimits) {
    this.#limits = limits;
  }

  noteParsed(lines: number): void {
    this.#parsedRecords += 1;
    this.#parsedLines = lines;
  }

  /** Returns the row, or undefined for the header. @throws Failure dataInvalid */
  read({ record, info }: CsvRecord): Row | undefined {
    if (this.#names === undefined) {
      this.#names = fieldNames(record);
      return undefined;
    }
    this.#rows += 1;
    const place = { number: this.#rows, line: info.lines - lineBreaksIn(record) };
    checkRow(place, Buffer.byteLength(record.join(',')), this.#limits);
    if (record.length !== this.#names.length) {
      const problem = `The row has ${valueCount(record.length)}, but the header has ${valueCount(this.#names.length)}.`;
      return { ...place, problem };
    }
    const values = this.#names.map((name, index) => [name, record[index] ?? ''] as const);
    return { ...place, json: JSON.stringify(Object.fromEntries(values)) };
  }

  /** Returns the failure for an error of the parser, with the row in which it found the error. */
  describe({ code, lines }: CsvError & { readonly lines?: number }) {
    const row = this.#parsedRecords === 0 ? 'the header' : `row ${this.#parsedRecords}`;
    const place = `${row}, which begins at line ${this.#parsedLines + 1},`;
    if (code === 'CSV_QUOTE_NOT_CLOSED')
      return rowsUnusable(`${place} has a value whose closing quote is missing.`);
    if (code === 'CSV_MAX_RECORD_SIZE')
      return rowsUnusable(
        `${place} is larger than ${this.#limits.maxRowBytes} bytes. Check its quotes, or move large contents out of the rows.`,
      );
    return rowsUnusable(
      `${place} has a wrong quote at line ${lines ?? this.#parsedLines + 1}. Enclose values with quotes in quotes, and double each quote inside.`,
    );
  }
}

function valueCount(count: number): string {
  return `${count} value${count === 1 ? '' : 's'}`;
}

/** @throws Failure dataInvalid for empty and repeated names */
function fieldNames(record: readonly string[]): readonly string[] {
  const names = record.map((name) => name.trim());
  const columns = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    if (name === '')
      throw rowsUnusable(
        `column ${index + 1} of the header has no name. Name each column in the first line.`,
      );
    const first = columns.get(name);
    columns.set(name, index);
    if (first !== undefined)
      throw rowsUnusable(
        `columns ${first + 1} and ${index + 1} of the header are both named '${name.slice(0, 100)}'. Give each column its own name.`,
      );
  }
  return names;
}

function lineBreaksIn(record: readonly string[]): number {
  return record.reduce((count, value) => count + (value.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
}

/** Excel uses semicolons where the comma is the decimal separator. */
function delimiterOf(header: string): string {
  const unquoted = header
    .split('"')
    .filter((_, index) => index % 2 === 0)
    .join('');
  return [',', ';', '\t'].find((delimiter) => unquoted.includes(delimiter)) ?? ',';
}

const maxHeaderLength = 100_000;

/** Reads the first line with text. A line break in quotes belongs to the header. `all` also yields the header. */
async function readHeader(texts: AsyncIterable<string>) {
  const iterator = texts[Symbol.asyncIterator]();
  const line = new FirstLine();
  let begin = '';
  while (!line.isComplete && begin.length <= maxHeaderLength) {
    const next = await iterator.next();
    if (next.done === true) break;
    begin += next.value;
    line.add(next.value);
  }
  async function* all(): AsyncGenerator<string> {
    if (begin !== '') yield begin;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  }
  return { header: begin.slice(0, Math.min(line.length, maxHeaderLength)), all: all() };
}

/** Finds the end of the first line with text, and reads each character once. */
class FirstLine {
  /** Length of the text up to the end of the line. */
  length = 0;
  isComplete = false;
  #isBlank = true;
  #isQuoted = false;

  add(text: string): void {
    for (const character of text) {
      const isLineBreak = character === '\n' || character === '\r';
      // A doubled quote ends the quotation and begins it again.
      if (character === '"') this.#isQuoted = !this.#isQuoted;
      this.isComplete ||= isLineBreak && !this.#isQuoted && !this.#isBlank;
      if (this.isComplete) return;
      this.#isBlank &&= character.trim() === '';
      this.length += character.length;
    }
  }
}
