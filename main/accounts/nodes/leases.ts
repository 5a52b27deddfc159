/** Leases: work that only one node does at a time. A lease ends with its node, or when it is not renewed. */
import { currentTime } from '../store/dialect.ts';
import type { Database } from '../store/tables.ts';

/** How long a lease lasts without being renewed. Another node takes over within this time and one interval of asking. */
const leaseMs = 10_000;

/** Takes or renews a lease. Returns whether the node has it. */
export async function takeLease(database: Database, name: string, node: string): Promise<boolean> {
  const now = currentTime(database);
  const row = await database
    .insertInto('leases')
    .values(({ eb }) => ({ name, node_id: node, expires_at: eb(now, '+', leaseMs) }))
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet(({ eb }) => ({ node_id: node, expires_at: eb(now, '+', leaseMs) }))
        .where((eb) => eb.or([eb('leases.node_id', '=', node), eb('leases.expires_at', '<', now)])),
    )
    .returning('node_id')
    .executeTakeFirst();
  return row?.node_id === node;
}
