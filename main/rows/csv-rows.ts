/** Reads the rows of CSV (RFC 4180). The first row names the fields; all values are texts. */
import { delimiterOf } from '../input/template/data/csv-delimiter.ts';
import { CsvError, CsvParser, type CsvRecord } from './csv-parser.ts';
import { checkRow, rowsUnusable, type Row, type RowLimits } from './row.ts';

/** @throws Failure dataInvalid if the header or the quotes are wrong, or a row is beyond the limits */
export async function* csvRows(texts: AsyncIterable<string>, limits: RowLimits): AsyncGenerator<Row> {
  const { header, all } = await readHeader(texts);
  const parser = new CsvParser({
    delimiter: delimiterOf(header),
    maxValues: limits.maxColumns,
    // In characters. checkRow measures bytes, and names the row.
    maxLength: limits.maxRowBytes + maxHeaderLength,
  });
  const reader = new CsvReader(limits);
  try {
    for await (const text of all) yield* reader.rowsOf(parser.parse(text));
    yield* reader.rowsOf(parser.end());
  } catch (problem) {
    throw problem instanceof CsvError ? reader.describe(problem) : problem;
  }
}

/** Turns the records of the parser into rows. */
class CsvReader {
  readonly #limits: RowLimits;
  #names: readonly string[] | undefined;
  #rows = 0;

  constructor(limits: RowLimits) {
    this.#limits = limits;
  }

  /** Yields the rows of the records. The first record of the file is the header. @throws Failure dataInvalid */
  *rowsOf(records: Iterable<CsvRecord>): Generator<Row> {
    for (const record of records) {
      if (this.#names === undefined) this.#names = fieldNames(record, this.#limits);
      else yield this.#read(record, this.#names);
    }
  }

  #read({ values, count, bytes, line }: CsvRecord, names: readonly string[]): Row {
    this.#rows += 1;
    const place = { number: this.#rows, line };
    checkRow(place, bytes, this.#limits);
    if (count !== names.length) {
      const problem = `The row has ${valueCount(count)}, but the header has ${valueCount(names.length)}.`;
      return { ...place, problem };
    }
    const fields = names.map((name, index) => [name, values[index] ?? ''] as const);
    return { ...place, json: JSON.stringify(Object.fromEntries(fields)) };
  }

  /** Returns the failure for an error of the parser, with the row in which it found the error. */
  describe({ problem, recordLine, line }: CsvError) {
    const row = this.#names === undefined ? 'the header' : `row ${this.#rows + 1}`;
    const place = `${row}, which begins at line ${recordLine},`;
    switch (problem) {
      case 'quote not closed':
        return rowsUnusable(`${place} has a value whose closing quote is missing.`);
      case 'record too large':
        return rowsUnusable(
          `${place} is larger than ${this.#limits.maxRowBytes} bytes. Check its quotes, or move large contents out of the rows.`,
        );
      case 'wrong quote':
        return rowsUnusable(
          `${place} has a wrong quote at line ${line}. Enclose values with quotes in quotes, and double each quote inside.`,
        );
    }
  }
}

function valueCount(count: number): string {
  return `${count} value${count === 1 ? '' : 's'}`;
}

/** @throws Failure dataInvalid for empty and repeated names, and too many of them */
function fieldNames({ values, count }: CsvRecord, { maxColumns }: RowLimits): readonly string[] {
  if (count > maxColumns)
    throw rowsUnusable(
      `it has ${count} columns, but at most ${maxColumns} are allowed. Remove the columns that the template does not use.`,
    );
  const names = values.map((name) => name.trim());
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
