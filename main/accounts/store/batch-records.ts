/** Reads how far batches are, from the jobs that their rows are. */
import { sql } from 'kysely';
import { nextTurn, promptTurn } from '../../async/yielding.ts';
import type { Database } from './tables.ts';

/** Numbers of rows. */
export interface BatchProgress {
  readonly rows: number;
  readonly done: number;
  readonly failed: number;
  readonly canceled: number;
}

export interface BatchTotals extends BatchProgress {
  /** Whether the job of any row has begun. */
  readonly hasBegun: boolean;
  /** The credits charged for all rows so far. */
  readonly charged: number;
}

/** A row that could not be converted. */
export interface RowFailure {
  /** The number of the row, from 1. */
  readonly row: number;
  /** The id of the row's job. */
  readonly job: string;
  readonly status: number | null;
  readonly reason: number | null;
  readonly message: string | null;
}

/** SQLite reads so many rows within some milliseconds, during which the main thread does nothing else. */
const rowsAtOnce = 500;

/** Numbers of rows, from the first to the last one. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** Yields the ranges in which the rows of a batch are read or changed, and lets the main thread do other work after each. */
export async function* rangesOfBatch(database: Database, batch: string): AsyncGenerator<RowRange> {
  const { count } = await database
    .selectFrom('asynchronous_jobs')
    .where('batch_id', '=', batch)
    .select((eb) => eb.fn.max('row_number').as('count'))
    .executeTakeFirstOrThrow();
  // Rows are numbered from 1 without gaps.
  for (let first = 1; first <= (count ?? 0); first += rowsAtOnce) {
    yield { first, last: first + rowsAtOnce - 1 };
    // SQLite has one connection, so all other queries wait for a transaction.
    await (database.isTransaction ? promptTurn() : nextTurn());
  }
}

/** Returns the totals of a batch; undefined if it has no rows. */
export async function totalsOfBatch(database: Database, batch: string): Promise<BatchTotals | undefined> {
  let totals: BatchTotals | undefined;
  for await (const range of rangesOfBatch(database, batch)) {
    const part = await totalsOfRows(database, batch, range);
    totals = totals === undefined ? part : sumOf(totals, part);
  }
  return totals;
}

async function totalsOfRows(
  database: Database,
  batch: string,
  { first, last }: RowRange,
): Promise<BatchTotals> {
  const { begun, charged, ...progress } = await database
    .selectFrom('asynchronous_jobs')
    .innerJoin('jobs', 'jobs.id', 'asynchronous_jobs.job_id')
    .where('batch_id', '=', batch)
    .where((eb) => eb.between('row_number', first, last))
    .select([countOf('1 = 1').as('rows'), sql<number | null>`sum(charged)`.as('charged')])
    .select([
      countOf(`outcome = 'converted'`).as('done'),
      countOf(`outcome = 'canceled'`).as('canceled'),
      countOf(`outcome IS NOT NULL AND outcome NOT IN ('converted', 'canceled')`).as('failed'),
      countOf('outcome IS NOT NULL OR started_at IS NOT NULL').as('begun'),
    ])
    .executeTakeFirstOrThrow();
  return { ...progress, hasBegun: begun > 0, charged: charged ?? 0 };
}

function sumOf(some: BatchTotals, others: BatchTotals): BatchTotals {
  return {
    rows: some.rows + others.rows,
    done: some.done + others.done,
    failed: some.failed + others.failed,
    canceled: some.canceled + others.canceled,
    hasBegun: some.hasBegun || others.hasBegun,
    charged: some.charged + others.charged,
  };
}

function countOf(condition: string) {
  return sql<number>`count(CASE WHEN ${sql.raw(condition)} THEN 1 END)`;
}

/** Returns the rows of a batch that failed, in order: at most `limit`. */
export async function failuresOfBatch(
  database: Database,
  batch: string,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<readonly RowFailure[]> {
  const failures: RowFailure[] = [];
  for await (const range of rangesOfBatch(database, batch)) {
    failures.push(...(await failuresOfRows(database, batch, { ...range, limit: limit - failures.length })));
    if (failures.length >= limit) break;
  }
  return failures;
}

async function failuresOfRows(
  database: Database,
  batch: string,
  { first, last, limit }: RowRange & { readonly limit: number },
): Promise<RowFailure[]> {
  const rows = await database
    .selectFrom('asynchronous_jobs')
    .innerJoin('jobs', 'jobs.id', 'asynchronous_jobs.job_id')
    .where('batch_id', '=', batch)
    .where((eb) => eb.between('row_number', first, last))
    .where('outcome', 'is not', null)
    .where('outcome', 'not in', ['converted', 'canceled'])
    .orderBy('row_number')
    .limit(limit)
    .select(['row_number', 'jobs.id', 'status', 'reason', 'message'])
    .execute();
  return rows.map(({ row_number, id, ...failure }) => ({ row: row_number ?? 0, job: id, ...failure }));
}
