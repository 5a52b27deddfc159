/** A row of the data of a batch, and the limits of such data. */
import { Failure } from '../failure/failure.ts';

interface RowPlace {
  /** From 1, without the header of CSV. */
  readonly number: number;
  /** The line of the file on which the row begins, from 1. */
  readonly line: number;
}

/** `json`: an object. A row with a `problem` cannot be used; the other rows of the file can. */
export type Row = RowPlace & ({ readonly json: string } | { readonly problem: string });

export interface RowLimits {
  readonly maxRows: number;
  /** Maximum size of one row, in bytes of UTF-8. */
  readonly maxRowBytes: number;
  /** Maximum number of columns of CSV. */
  readonly maxColumns: number;
}

export const rowLimits: RowLimits = { maxRows: 10_000, maxRowBytes: 1_000_000, maxColumns: 1000 };

/** The whole file cannot be used. `what` is one or more sentences. */
export function rowsUnusable(what: string): Failure {
  return new Failure('dataInvalid', `The file rows cannot be used: ${what}`);
}

/** @throws Failure dataInvalid if the row is beyond one of the limits */
export function checkRow({ number, line }: RowPlace, bytes: number, limits: RowLimits): void {
  if (number > limits.maxRows)
    throw rowsUnusable(
      `it has more than ${limits.maxRows} rows (row ${number} is at line ${line}). Split the file into several batches.`,
    );
  if (bytes > limits.maxRowBytes)
    throw rowsUnusable(
      `row ${number} at line ${line} is larger than ${limits.maxRowBytes} bytes. Move large contents such as images out of the rows.`,
    );
}
