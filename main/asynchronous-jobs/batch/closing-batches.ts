/**
 * Ends batches in small transactions: removes one whose rows were not inserted completely, and cancels the rows of a canceled one. Each
 * step is written, so that the next start, or another node, continues after a crash.
 */
import { nextTurn } from '../../async/yielding.ts';
import type { Database } from '../../accounts/store/tables.ts';
import { retryWhileBusy } from '../../accounts/store/write-retries.ts';
import { lockAccountOf } from '../job-end.ts';
import { endRows, expireRows, rowsPerTransaction } from './batch-end.ts';

/** A submission takes minutes at most. */
const maxReceivingMs = 3_600_000;

/** Removes a batch that is not visible yet. Does nothing if it is visible. */
export async function removeUnreceivedBatch(database: Database, batch: string): Promise<void> {
  const { numUpdatedRows } = await retryWhileBusy(() =>
    database
      .updateTable('asynchronous_jobs')
      .set({ batch_state: 'closing' })
      .where('job_id', '=', batch)
      .where('batch_state', '=', 'receiving')
      .executeTakeFirst(),
  );
  if (numUpdatedRows > 0n) await closeBatch(database, batch);
}

/** Removes the batches whose submission has ended with its node, and completes what a crash interrupted. */
export async function closeLeftBatches(database: Database): Promise<void> {
  const left = await database
    .selectFrom('asynchronous_jobs')
    .innerJoin('jobs', 'jobs.id', 'asynchronous_jobs.job_id')
    .select('job_id')
    .where('batch_state', '=', 'receiving')
    .where((eb) =>
      eb.or([
        eb('node_id', 'not in', eb.selectFrom('nodes').select('nodes.id')),
        eb('received_at', '<', Date.now() - maxReceivingMs),
      ]),
    )
    .execute();
  for (const { job_id: batch } of left) await removeUnreceivedBatch(database, batch);
  const closing = await database
    .selectFrom('asynchronous_jobs')
    .select('job_id')
    .where('batch_state', '=', 'closing')
    .execute();
  for (const { job_id: batch } of closing) await closeBatch(database, batch);
}

/** Completes the removal of a batch that was not received, or the cancellation of its rows. */
export async function closeBatch(database: Database, batch: string): Promise<void> {
  const row = await database.selectFrom('jobs').select('outcome').where('id', '=', batch).executeTakeFirst();
  if (row === undefined) return;
  if (row.outcome === null) await removeRows(database, batch);
  else await cancelRows(database, batch);
}

async function cancelRows(database: Database, batch: string): Promise<void> {
  // Rows are numbered from 1 without gaps.
  for (let first = 1; ; first += rowsPerTransaction) {
    const rows = await database
      .selectFrom('asynchronous_jobs')
      .select('job_id')
      .where('batch_id', '=', batch)
      .where('row_number', '>=', first)
      .where('row_number', '<', first + rowsPerTransaction)
      .execute();
    if (rows.length === 0) break;
    const ids = rows.map(({ job_id }) => job_id);
    await retryWhileBusy(() =>
      database.transaction().execute(async (transaction) => {
        await lockAccountOf(transaction, batch);
        await endRows(transaction, ids, { outcome: 'canceled', message: 'The batch was canceled.' });
      }),
    );
    await nextTurn();
  }
  await retryWhileBusy(() =>
    database.transaction().execute(async (transaction) => {
      await lockAccountOf(transaction, batch);
      await expireRows(transaction, batch, 0);
      await transaction
        .updateTable('asynchronous_jobs')
        .set({ batch_state: null })
        .where('job_id', '=', batch)
        .execute();
    }),
  );
}

async function removeRows(database: Database, batch: string): Promise<void> {
  for (;;) {
    const rows = await database
      .selectFrom('asynchronous_jobs')
      .select('job_id')
      .where('batch_id', '=', batch)
      .limit(rowsPerTransaction)
      .execute();
    const ids = rows.length === 0 ? [batch] : rows.map(({ job_id }) => job_id);
    await retryWhileBusy(() => database.deleteFrom('jobs').where('id', 'in', ids).execute());
    if (rows.length === 0) return;
    await nextTurn();
  }
}
