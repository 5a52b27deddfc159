/** The end of a batch: when the job of its last row has ended, or when it is canceled. */
import { sql, type Updateable } from 'kysely';
import {
  failuresOfBatch,
  rangesOfBatch,
  totalsOfBatch,
  type BatchTotals,
} from '../../accounts/store/batch-records.ts';
import { currentTime, isPostgres } from '../../accounts/store/dialect.ts';
import type { Database, JobOutcome, Tables } from '../../accounts/store/tables.ts';
import type { StoredArchive } from '../stored-output.ts';
import { catalogue } from '../../failure/catalogue.ts';

/** What the row of an ended batch gets. */
export interface BatchEnding {
  readonly outcome: JobOutcome;
  readonly status: number | null;
  readonly reason: number | null;
  readonly message: string | null;
  /** Undefined if no row was converted. */
  readonly archive: StoredArchive | undefined;
}

/**
 * Returns how a batch ends now, or undefined if it does not: rows are left, it has ended, or its documents must be merged first. In
 * the last case the batch waits for BatchMerger.
 */
export async function endingOfBatch(transaction: Database, batch: string): Promise<BatchEnding | undefined> {
  const row = await openBatch(transaction, batch);
  if (row === undefined || (await hasOpenRows(transaction, batch, row.account_id))) return undefined;
  const totals = await totalsOfBatch(transaction, batch);
  if (totals === undefined) return undefined;
  if (totals.done === 0) return await endingWithoutDocuments(transaction, batch, totals);
  if (row.batch_merge === 1) {
    await transaction
      .updateTable('asynchronous_jobs')
      .set({ batch_state: 'merging' })
      .where('job_id', '=', batch)
      .execute();
    return undefined;
  }
  return {
    outcome: 'converted',
    status: 200,
    reason: 0,
    message: summaryOf(totals),
    archive: { kind: 'archive' },
  };
}

/** Locks the batch, so that of two rows that end at the same time, the second one finds none left. */
async function openBatch(transaction: Database, batch: string) {
  return await transaction
    .selectFrom('jobs')
    .innerJoin('asynchronous_jobs', 'asynchronous_jobs.job_id', 'jobs.id')
    .select(['jobs.account_id', 'batch_merge'])
    .where('jobs.id', '=', batch)
    .where('outcome', 'is', null)
    .$if(isPostgres(transaction), (query) => query.forUpdate('jobs'))
    .executeTakeFirst();
}

/** An index contains the jobs with a request, so this does not read the rows that have ended. */
async function hasOpenRows(transaction: Database, batch: string, account: number): Promise<boolean> {
  const row = await transaction
    .selectFrom('asynchronous_jobs')
    .select('job_id')
    .where('account_id', '=', account)
    .where('batch_id', '=', batch)
    .where('request', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns a sentence about the rows without a document; null if there are none. */
export function summaryOf({ rows, failed, canceled }: BatchTotals): string | null {
  const parts = [
    ...(failed > 0 ? [`${failed} of ${rows} rows failed`] : []),
    ...(canceled > 0 ? [`${canceled} of ${rows} rows were canceled`] : []),
  ];
  return parts.length === 0 ? null : `${parts.join(', and ')}.`;
}

async function endingWithoutDocuments(
  transaction: Database,
  batch: string,
  { rows, failed }: BatchTotals,
): Promise<BatchEnding> {
  const [first] = await failuresOfBatch(transaction, batch, 1);
  if (failed === 0 || first === undefined)
    return {
      outcome: 'canceled',
      status: null,
      reason: null,
      message: 'All rows of the batch were canceled.',
      archive: undefined,
    };
  const why = first.message ?? 'The conversion failed because of an error in the service.';
  return {
    outcome: 'failed',
    status: first.status ?? catalogue.internal.status,
    reason: first.reason ?? catalogue.internal.reason,
    message: `None of the ${rows} rows was converted. Row ${first.row}: ${why.replace(/^Row \d+ at line/, 'at line')}`,
    archive: undefined,
  };
}

/** Makes the outputs of the rows, which are kept as long as the batch runs, expire after this time from now. */
export async function expireRows(transaction: Database, batch: string, keepMs: number): Promise<void> {
  for await (const { first, last } of rangesOfBatch(transaction, batch)) {
    await transaction
      .updateTable('asynchronous_jobs')
      .set(({ eb }) => ({ expires_at: eb(currentTime(transaction), '+', keepMs) }))
      .where('batch_id', '=', batch)
      .where((eb) => eb.between('row_number', first, last))
      .where('output_headers', 'is not', null)
      .where('output_deleted', '=', 0)
      .execute();
  }
}

interface SizeOfRows {
  readonly output_bytes: number | null;
  /** Null for images, which have no pages. */
  readonly pages: number | null;
  readonly total_pages: number | null;
}

/** Sums up the outputs of the rows: size in bytes and pages. */
export async function sizeOfRows(transaction: Database, batch: string): Promise<SizeOfRows> {
  let sum: SizeOfRows = { output_bytes: null, pages: null, total_pages: null };
  for await (const { first, last } of rangesOfBatch(transaction, batch)) {
    const part = await transaction
      .selectFrom('asynchronous_jobs')
      .innerJoin('jobs', 'jobs.id', 'asynchronous_jobs.job_id')
      .where('batch_id', '=', batch)
      .where((eb) => eb.between('row_number', first, last))
      .where('outcome', '=', 'converted')
      .select([
        sumOf('output_bytes').as('output_bytes'),
        sumOf('pages').as('pages'),
        sumOf('total_pages').as('total_pages'),
      ])
      .executeTakeFirstOrThrow();
    sum = {
      output_bytes: added(sum.output_bytes, part.output_bytes),
      pages: added(sum.pages, part.pages),
      total_pages: added(sum.total_pages, part.total_pages),
    };
  }
  return sum;
}

function sumOf(column: string) {
  return sql<number | null>`sum(${sql.ref(column)})`;
}

function added(some: number | null, others: number | null): number | null {
  return some === null ? others : some + (others ?? 0);
}

/** The most rows that one transaction changes, so that the main thread does other work between two of them. A row may have 1 MB. */
export const rowsPerTransaction = 50;

/** Ends those of the rows that have not ended, and deletes the requests of all of them. Call this with the account locked. */
export async function endRows(
  transaction: Database,
  rows: readonly string[],
  ending: Pick<Updateable<Tables['jobs']>, 'outcome' | 'status' | 'reason' | 'message'>,
): Promise<void> {
  await transaction
    .updateTable('jobs')
    .set({ ...ending, reserved: 0, ended_at: Date.now() })
    .where('id', 'in', rows)
    .where('outcome', 'is', null)
    .execute();
  await transaction
    .updateTable('asynchronous_jobs')
    .set({ request: null })
    .where('job_id', 'in', rows)
    .execute();
}

/**
 * Fails some rows that have not begun, because the job of a row was found to end or hang its process. Returns whether it ended any:
 * not for a job that is no row.
 */
export async function failWaitingRows(transaction: Database, guilty: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('asynchronous_jobs')
    .select(['account_id', 'batch_id', 'row_number'])
    .where('job_id', '=', guilty)
    .executeTakeFirst();
  if (row === undefined || row.batch_id === null) return false;
  const waiting = await transaction
    .selectFrom('asynchronous_jobs')
    .innerJoin('jobs', 'jobs.id', 'asynchronous_jobs.job_id')
    .select('job_id')
    .where('asynchronous_jobs.account_id', '=', row.account_id)
    .where('batch_id', '=', row.batch_id)
    .where('request', 'is not', null)
    .where('node_losses', '=', 0)
    .where('outcome', 'is', null)
    .where('started_at', 'is', null)
    .limit(rowsPerTransaction)
    .execute();
  const ids = waiting.map(({ job_id }) => job_id);
  if (ids.length === 0) return false;
  const { status, reason } = catalogue.internal;
  const message = `Not converted: row ${row.row_number} ended or stopped the process that converted it, so the batch was stopped. Submit the other rows again without it.`;
  await endRows(transaction, ids, { outcome: 'failed', status, reason, message });
  return true;
}
