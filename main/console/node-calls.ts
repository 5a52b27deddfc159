/** The console calls about the nodes that share the database. Only operators may make them. */
import type { Store } from '../accounts/store/store.ts';
import { listNodes, setDraining, silentAfterMs } from '../accounts/nodes/node-records.ts';
import { Failure } from '../failure/failure.ts';
import type { ServiceLog } from '../log/service-log.ts';
import type { Handlers } from './calls.ts';
import type { NodeView } from './contract.ts';

export interface NodeCallDependencies {
  readonly store: Pick<Store, 'database' | 'isShared'>;
  readonly node: { readonly id: string };
  readonly log: Pick<ServiceLog, 'info'>;
}

export function nodeCalls({
  store: { database, isShared },
  node,
  log,
}: NodeCallDependencies): Pick<Handlers, 'nodes' | 'drainNode'> {
  return {
    async nodes() {
      if (!isShared) return [];
      const rows = await listNodes(database);
      return rows.map((row) => nodeView(row, node.id));
    },
    async drainNode({ name, isDraining }, caller) {
      if (!isShared)
        throw new Failure(
          'valueNotAllowed',
          'This service shares its accounts with no other node, so there is nothing to drain; set database to share them.',
        );
      if ((await setDraining(database, name, isDraining)) === 0)
        throw new Failure(
          'notFound',
          `There is no node '${name}' any more; the list of nodes has the names.`,
        );
      log.info({ by: caller.name, node: name }, isDraining ? 'a drain was requested' : 'a drain was undone');
      return null;
    },
  };
}

function nodeView(row: Awaited<ReturnType<typeof listNodes>>[number], ownId: string): NodeView {
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    windows: row.windows,
    running: row.running,
    started: row.started_at,
    isThis: row.id === ownId,
    isDraining: row.draining === 1,
    ...(row.silent_ms > silentAfterMs && { silentMs: row.silent_ms }),
    ...(row.problem !== null && { problem: row.problem }),
  };
}
