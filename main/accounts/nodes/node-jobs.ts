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
 * Deletes a node and gives back what it held. With `ifSilent`, only if it is still silent. Returns whether the node was deleted.
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
    await releaseJobs(transaction, id);
    return numDeletedRows > 0n;
  });
}

/**
 * Gives back the running jobs of one node, or those whose node does not exist. Synchronous jobs have ended; asynchronous jobs wait
 * again.
 */
export async function releaseJobs(database: Database, node?: string): Promise<void> {
  const asynchronous = database
    .selectFrom('asynchronous_jobs')
    .select('job_id')
    .where('request', 'is not', null);
  const nodes = database.selectFrom('nodes').select('nodes.id');
  const running = database
    .updateTable('jobs')
    .where('outcome', 'is', null)
    .where('started_at', 'is not', null)
    .where((eb) =>
      node === undefined
        ? eb.or([eb('node_id', 'is', null), eb('node_id', 'not in', nodes)])
        : eb('node_id', '=', node),
    );
  await running
    .set({ started_at: null, node_id: null, reserved: 0 })
    .where('id', 'in', asynchronous)
    .execute();
  await running
    .set({ outcome: 'interrupted', reserved: 0, message: interruptedMessage })
    .where('id', 'not in', asynchronous)
    .execute();
}
