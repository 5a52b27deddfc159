/** CSV: the first row names the columns; each further row is an object of texts. */
import { CsvError, parse } from 'csv-parse/sync';
import { quoted } from '../problem.ts';
import { dictionary } from '../values.ts';
import { DataProblem } from './data-problem.ts';
import type { DataOptions } from './options.ts';

export function readCsv(text: string, { csvDelimiter }: DataOptions): unknown[] {
  const [names = [], ...rows] = records(text, csvDelimiter);
  const columns = names.map((name) => name.trim());
  // Rows are made here, without prototypes: a column may be called __proto__.
  return rows.map((row) => dictionary(columns.map((name, index) => [name, row[index] ?? ''])));
}

function records(text: string, delimiter: string): string[][] {
  try {
    return parse(text, { delimiter, skip_empty_lines: true, bom: true, relax_column_count_less: false });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const lines = (error as { lines?: number }).lines ?? 1;
    const column = (error as { column?: unknown }).column;
    const place = typeof column === 'number' ? `line ${lines}, column ${column + 1}` : `line ${lines}`;
    const line = text.split('\n', lines)[lines - 1] ?? '';
    throw new DataProblem(
      `The data is not valid CSV at ${place} (columns are values here): ${error.message.replace(/\.$/, '')}, near ${quoted(line)}.`,
    );
  }
}
