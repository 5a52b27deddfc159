/** Gives back what a node held that was lost or has ended: its running jobs, the credits they reserve, and its leases. */
import { sql } from 'kysely';
import { currentTime } from '../store/dialect.ts';
import type { Database } from '../store/tables.ts';
import { lostAfterMs } from './node-records.ts';

const interruptedMessage = 'The service ended before the job did.';

/** Deletes the nodes that have been silent for too long and gives back what they held. Returns their names. */
export async function releaseLostNodes(database: Database, ownId: string): Promise<string[]> {
  const lost = await database
    .selectFrom('nodes')
    .select(['id', 'name'])
    .where('id', '!=', ownId)
    .where('seen_at', '<', lostBefore(database))
    .execute();
  const released: string[] = [];
  for (const { id, name } of lost)
    if (await releaseNode(database, id, { ifSilent: true })) released.push(name);
  return released;
}

/** A node whose last heartbeat was earlier is lost. */
function lostBefore(database: Database) {
  return sql<number>`${currentTime(database)} - ${lostAfterMs}`;
}

/**
 * Deletes a node that ends and gives back what it held. With `ifSilent`, a lost node, only if it is still silent. Returns whether the
 * node was deleted.
 * What the node writes later about its jobs has no effect, because the jobs have ended or no longer name it.
 */
export async function releaseNode(
  database: Database,
  id: string,
  { ifSilent = false } = {},
): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    let deletion = transaction.deleteFrom('nodes').where('id', '=', id);
    if (ifSilent) deletion = deletion.where('seen_at', '<', lostBefore(transaction));
    const { numDeletedRows } = await deletion.executeTakeFirst();
    if (numDeletedRows === 0n && ifSilent) return false;
    await transaction.deleteFrom('leases').where('node_id', '=', id).execute();
    await releaseJobs(transaction, { node: id, isLost: ifSilent });
    return numDeletedRows > 0n;
  });
}

/** Gives back the running jobs whose node does not exist: it was lost. */
export async function releaseJobsOfMissingNodes(database: Database): Promise<void> {
  await database.transaction().execute((transaction) => releaseJobs(transaction, { isLost: true }));
}

/**
 * Gives back the running jobs of one node, or those whose node does not exist. Synchronous jobs have ended; asynchronous jobs wait
 * again, as suspects if their node was lost.
 */
export async function releaseJobs(
  transaction: Database,
  { node, isLost }: { readonly node?: string; readonly isLost: boolean },
): Promise<void> {
  const asynchronous = transaction
    .selectFrom('asynchronous_jobs')
    .select('job_id')
    .where('request', 'is not', null);
  const nodes = transaction.selectFrom('nodes').select('nodes.id');
  const running = transaction
    .updateTable('jobs')
    .where('outcome', 'is', null)
    .where('started_at', 'is not', null)
    .where((eb) =>
      node === undefined
        ? eb.or([eb('node_id', 'is', null), eb('node_id', 'not in', nodes)])
        : eb('node_id', '=', node),
    );
  const waiting = await running
    .set({ started_at: null, node_id: null, reserved: 0 })
    .where('id', 'in', asynchronous)
    .returning('id')
    .execute();
  if (isLost)
    await countNodeLoss(
      transaction,
      waiting.map(({ id }) => id),
    );
  await running
    .set({ outcome: 'interrupted', reserved: 0, message: interruptedMessage })
    .where('id', 'not in', asynchronous)
    .execute();
}

async function countNodeLoss(transaction: Database, jobs: readonly string[]): Promise<void> {
  if (jobs.length === 0) return;
  await transaction
    .updateTable('asynchronous_jobs')
    .set(({ eb }) => ({ node_losses: eb('node_losses', '+', 1) }))
    .where('job_id', 'in', jobs)
    .execute();
}
