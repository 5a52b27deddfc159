/** Writes about jobs that run on a node, and about what their accounts have spent, on both kinds of databases. */
import type { Database, JobRow } from '../store/tables.ts';
import type { RunningJob } from './ledger.ts';

/** Returns the update of a job that still runs on its node. */
export function updateRunningJob(database: Database, { id, node }: RunningJob) {
  return database
    .updateTable('jobs')
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .where('node_id', '=', node);
}

/** Adds the charged credits to what the account has spent. */
export async function spend(
  database: Database,
  { account_id, charged }: Pick<JobRow, 'account_id' | 'charged'>,
): Promise<void> {
  await database
    .updateTable('accounts')
    .set(({ eb }) => ({ spent: eb('spent', '+', charged) }))
    .where('id', '=', account_id)
    .execute();
}
