/** Reads how far batches are, from the jobs that their rows are. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
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
const rowsAtOnce = 1000;

/** Returns the totals of a batch; undefined if it has no rows. */
export async function totalsOfBatch(database: Database, batch: string): Promise<BatchTotals | undefined> {
  let totals: BatchTotals | undefined;
  // Rows are numbered from 1 without gaps.
  for (let first = 1; ; first += rowsAtOnce) {
    const part = await totalsOfRows(database, batch, first);
    if (part.rows > 0) totals = totals === undefined ? part : sumOf(totals, part);
    if (part.rows < rowsAtOnce) return totals;
    await nextTurn();
  }
}

async function totalsOfRows(database: Database, batch: string, first: number): Promise<BatchTotals> {
  const { begun, charged, ...progress } = await database
    .selectFrom('asynchronous_jobs')
    .innerJoin('jobs', 'jobs.id', 'asynchronous_jobs.job_id')
    .where('batch_id', '=', batch)
    .where('row_number', '>=', first)
    .where('row_number', '<', first + rowsAtOnce)
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
  const rows = await database
    .selectFrom('asynchronous_jobs')
    .innerJoin('jobs', 'jobs.id', 'asynchronous_jobs.job_id')
    .where('batch_id', '=', batch)
    .where('outcome', 'is not', null)
    .where('outcome', 'not in', ['converted', 'canceled'])
    .orderBy('row_number')
    .limit(limit)
    .select(['row_number', 'jobs.id', 'status', 'reason', 'message'])
    .execute();
  return rows.map(({ row_number, id, ...failure }) => ({ row: row_number ?? 0, job: id, ...failure }));
}
