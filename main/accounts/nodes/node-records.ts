/** The rows of the nodes: heartbeats, and what other nodes and operators see of a node. */
import { currentTime } from '../store/dialect.ts';
import type { Database, NodeRow } from '../store/tables.ts';

/** A node without a heartbeat for this time is lost, and gives up its jobs and leases. */
export const lostAfterMs = 20_000;

/** A node without a heartbeat for this time is shown as silent. In this time, a node sends two heartbeats. */
export const silentAfterMs = lostAfterMs / 2;

/** The facts that a node records when it starts. */
export interface NodeDescription {
  /** Random. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** The number of windows. */
  readonly windows: number;
}

/** The facts that a node records with each heartbeat. */
export interface NodeState {
  /** The number of running jobs. */
  readonly running: number;
  /** Why the node accepts no jobs; undefined if it does. */
  readonly problem: string | undefined;
}

export async function insertNode(database: Database, node: NodeDescription): Promise<void> {
  const now = currentTime(database);
  await database
    .insertInto('nodes')
    .values({ ...node, running: 0, draining: 0, started_at: now, seen_at: now })
    .execute();
}

/** Records a heartbeat. Returns whether an operator drains the node; undefined if the node has been given up as lost. */
export async function recordHeartbeat(
  database: Database,
  id: string,
  { running, problem }: NodeState,
): Promise<{ readonly isDraining: boolean } | undefined> {
  const row = await database
    .updateTable('nodes')
    .set({ running, problem: problem ?? null, seen_at: currentTime(database) })
    .where('id', '=', id)
    .returning('draining')
    .executeTakeFirst();
  return row && { isDraining: row.draining === 1 };
}

/** Returns all nodes, sorted by name, with the milliseconds since the last heartbeat of each. */
export async function listNodes(database: Database): Promise<(NodeRow & { readonly silent_ms: number })[]> {
  const rows = await database
    .selectFrom('nodes')
    .selectAll()
    .select(currentTime(database).as('now'))
    .orderBy('name')
    .orderBy('started_at')
    .execute();
  return rows.map(({ now, ...row }) => ({ ...row, silent_ms: Math.max(0, now - row.seen_at) }));
}

/** Asks the nodes with this name to accept no further jobs, or to accept jobs again. Returns the number of nodes. */
export async function setDraining(database: Database, name: string, isDraining: boolean): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable('nodes')
    .set({ draining: isDraining ? 1 : 0 })
    .where('name', '=', name)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
