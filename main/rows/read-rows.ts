/**
 * Reads the data of a batch from a file: CSV, JSON lines or a JSON array. The file is read part by part, so that memory does not
 * depend on its size, and the event loop continues with other requests between parts and between rows.
 */
import { createReadStream } from 'node:fs';
import { yieldingToEventLoop } from '../async/yielding.ts';
import { csvRows } from './csv-rows.ts';
import { decodeText } from './decode-text.ts';
import { jsonArrayRows, jsonLineRows } from './json-rows.ts';
import { rowLimits, rowsUnusable, type Row, type RowLimits } from './row.ts';

export type { Row } from './row.ts';

/**
 * Yields the rows in order. The content decides which format the file has: `{` begins JSON lines, `[` an array, all else is CSV.
 * @throws Failure dataInvalid if the file has no rows, or cannot be used as a whole; the error of the file system
 */
export async function* readRows(path: string, limits: RowLimits = rowLimits): AsyncGenerator<Row> {
  const texts = yieldingToEventLoop(inSmallParts(decodeText(createReadStream(path))));
  let count = 0;
  for await (const row of yieldingToEventLoop(await rowsIn(texts, limits))) {
    count += 1;
    yield row;
  }
  if (count === 0) throw rowsUnusable('it has no rows. CSV needs a header and at least one row.');
}

async function rowsIn(texts: AsyncGenerator<string>, limits: RowLimits): Promise<AsyncIterable<Row>> {
  const blank: string[] = [];
  for (let next = await texts.next(); next.done !== true; next = await texts.next()) {
    const first = /\S/.exec(next.value)?.[0];
    blank.push(next.value);
    if (first === undefined && blank.length < maxBlankParts) continue;
    const all = joined(blank, texts);
    if (first === '[') return jsonArrayRows(all, limits);
    return first === '{' ? jsonLineRows(all, limits) : csvRows(all, limits);
  }
  throw rowsUnusable('it is empty.');
}

/** A file that begins with more white space than this is read as CSV. */
const maxBlankParts = 200;

/** Characters that are parsed without a return to the event loop, if they contain no row: less than a millisecond of work. */
const partLength = 4096;

async function* inSmallParts(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts)
    for (let at = 0; at < text.length; at += partLength) yield text.slice(at, at + partLength);
}

async function* joined(begin: readonly string[], rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield* begin;
  yield* rest;
}
