/** Reads how far batches are, from the jobs that their rows are. */
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

/** Returns the totals of the batches, by the ids of their jobs. */
export async function totalsOfBatches(
  database: Database,
  batches: readonly string[],
): Promise<ReadonlyMap<string, BatchTotals>> {
  if (batches.length === 0) return new Map();
  const rows = await database
    .selectFrom('asynchronous_jobs')
    .innerJoin('jobs', 'jobs.id', 'asynchronous_jobs.job_id')
    .where('batch_id', 'in', batches)
    .groupBy('batch_id')
    .select(['batch_id', countOf('1 = 1').as('rows'), sql<number>`sum(charged)`.as('charged')])
    .select([
      countOf(`outcome = 'converted'`).as('done'),
      countOf(`outcome = 'canceled'`).as('canceled'),
      countOf(`outcome IS NOT NULL AND outcome NOT IN ('converted', 'canceled')`).as('failed'),
      countOf('outcome IS NOT NULL OR started_at IS NOT NULL').as('begun'),
    ])
    .execute();
  return new Map(
    rows.map(({ batch_id, begun, charged, ...progress }) => [
      batch_id ?? '',
      {
        rows: progress.rows,
        done: progress.done,
        failed: progress.failed,
        canceled: progress.canceled,
        hasBegun: begun > 0,
        charged,
      },
    ]),
  );
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
