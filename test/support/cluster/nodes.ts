/** Nodes that share a PostgreSQL database, and what the database says about their jobs. */
import { join } from 'node:path';
import { openPostgres } from '../../../main/accounts/store/postgres/postgres-database.ts';
import type { Database, JobRow } from '../../../main/accounts/store/tables.ts';
import { emptyPostgresDatabase, locationOf } from '../postgres/databases.ts';
import { descendantsOf } from '../service/processes.ts';
import { isListening } from './load-balancer.ts';
import { waitUntil } from '../wait-until.ts';
import { startService, temporaryFolder, type Service } from '../service/service.ts';

export interface ClusterNode extends Service {
  readonly name: string;
  readonly port: number;
  /** Kills all processes of the node with SIGKILL, as a power failure does. Afterwards, its port refuses connections. */
  readonly kill: () => Promise<void>;
  /** Stops all processes of the node, as the suspension of a virtual machine does. Returns a function that lets them go on. */
  readonly suspend: () => () => void;
}

export interface RunningNodes extends AsyncDisposable {
  /** The address of the database. */
  readonly url: string;
  readonly database: Database;
  readonly nodes: readonly ClusterNode[];
  /** Returns the jobs of an account with this tag. */
  readonly jobsTagged: (tag: string) => Promise<readonly JobRow[]>;
  /** Returns the name of the node with this id. */
  readonly nameOf: (nodeId: string | null) => string | undefined;
}

/** The key file of all nodes of this test process, also of those on a restored database. */
export const keyFile = join(temporaryFolder(), 'encryption.key');

/** Starts a node under this name. Its processes end with the process of the test. */
export async function startNode(name: string, url: string, flags: readonly string[]): Promise<ClusterNode> {
  const own = ['--database', url, '--encryption-key-file', keyFile, '--node-name', name];
  const service = await startService({ flags: [...own, ...flags] });
  const port = Number(new URL(service.url).port);
  return {
    ...service,
    name,
    port,
    suspend: () => suspendNode(service),
    async kill() {
      const exited = new Promise((resolve) => service.process.once('exit', resolve));
      killNode(service);
      await exited;
      // A process that has just been killed still accepts connections.
      await waitUntil('the port refuses connections', async () => !(await isListening(port)));
    },
  };
}

/** Starts nodes with these names on a new database, one after the other, because the first one creates the tables. */
export async function startNodes(
  names: readonly string[],
  flags: readonly string[] = [],
): Promise<RunningNodes> {
  const created = await emptyPostgresDatabase();
  const nodes: ClusterNode[] = [];
  for (const name of names) nodes.push(await startNode(name, created.url, flags));
  const { database } = await openPostgres({ location: locationOf(created.url) });
  const rows = await database.selectFrom('nodes').select(['id', 'name']).execute();
  return {
    url: created.url,
    database,
    nodes,
    jobsTagged: (tag) => database.selectFrom('jobs').selectAll().where('tag', '=', tag).execute(),
    nameOf: (nodeId) => rows.find(({ id }) => id === nodeId)?.name,
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
      await database.destroy();
      await created[Symbol.asyncDispose]();
    },
  };
}

/** Ends all processes of a service with SIGKILL. */
export function killNode(service: Pick<Service, 'process'>): void {
  signalAll(service, 'SIGKILL');
}

/** Stops all processes of a service. Returns a function that lets them go on. */
export function suspendNode(service: Pick<Service, 'process'>): () => void {
  const pids = signalAll(service, 'SIGSTOP');
  return () => {
    for (const pid of pids) send(pid, 'SIGCONT');
  };
}

/** Sends a signal to all processes of a service, the launcher first, so that it restarts nothing. Returns their ids. */
function signalAll(
  { process: { pid = 0 } }: Pick<Service, 'process'>,
  signal: NodeJS.Signals,
): readonly number[] {
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
