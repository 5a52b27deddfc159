/** Services that share a PostgreSQL database. */
import { openPostgres } from '../../../main/accounts/store/postgres/postgres-database.ts';
import type { Database } from '../../../main/accounts/store/tables.ts';
import { locationOf } from '../postgres/databases.ts';
import { startPostgres, type PostgresServer } from '../postgres/server.ts';
import { descendantsOf } from './processes.ts';
import { startService, type Service, type StartOptions } from './service.ts';

export interface Cluster extends AsyncDisposable {
  readonly postgres: PostgresServer;
  /** The address of the shared database. */
  readonly url: string;
  readonly database: Database;
  readonly startNode: (name: string, options?: StartOptions) => Promise<Service>;
}

/** Starts a PostgreSQL server with an empty database. Nodes start with the accounts ann (100 credits), bob and cyd, with the key `key`. */
export async function startCluster(): Promise<Cluster> {
  const postgres = await startPostgres();
  const url = await postgres.createDatabase('platen');
  const { database } = await openPostgres({ location: locationOf(url) });
  return {
    postgres,
    url,
    database,
    startNode: (name, { flags = [], ...options } = {}) =>
      startService({
        ...options,
        flags: [
          ...['--database', url, '--node-name', name, '--accounts', 'ann:key:100,bob:key,cyd:key:5'],
          ...flags,
        ],
      }),
    async [Symbol.asyncDispose]() {
      await database.destroy();
      await postgres[Symbol.asyncDispose]();
    },
  };
}

/** Ends all processes of a service with SIGKILL, as a power failure does. */
export function killNode({ process: { pid = 0 } }: Service): void {
  signalAll(pid, 'SIGKILL');
}

/** Stops all processes of a service, as the suspension of a virtual machine does. */
export function suspendNode({ process: { pid = 0 } }: Service): () => void {
  const pids = signalAll(pid, 'SIGSTOP');
  return () => {
    for (const id of pids) send(id, 'SIGCONT');
  };
}

function signalAll(pid: number, signal: NodeJS.Signals): readonly number[] {
  // The launcher first, so that it does not restart the service.
  const pids = [pid, ...descendantsOf(pid)];
  for (const id of pids) send(id, signal);
  return pids;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended.
  }
}
