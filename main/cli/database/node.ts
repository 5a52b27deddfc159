/** `platen node`: lists the nodes that share a PostgreSQL database, and drains them. */
import { listNodes, lostAfterMs, setDraining, silentAfterMs } from '../../accounts/nodes/node-records.ts';
import type { Database } from '../../accounts/store/tables.ts';
import { findAction, parseArguments } from '../arguments.ts';
import type { FlagKinds, ParsedArguments } from '../../fields/arguments.ts';
import { nearestName } from '../../fields/nearest.ts';
import { openCommandStore, storeFlags } from './open-store.ts';
import { alignColumns, UsageProblem } from '../terminal.ts';

/** Output of `platen node --help`. */
const nodeHelp = `usage: platen node list [--json]           list the nodes that share the database, with their state
       platen node drain NAME [--undo]      let a node accept no further jobs, or accept jobs again

A draining node finishes its running jobs, and its /ready answers 503, so that a load balancer sends it nothing more. It starts
without draining. 'list' shows when it has no running jobs.
flags of both commands: --data DIR, --database URL and --database-password-file FILE, as for serve.`;

type RunNodeAction = (database: Database) => Promise<void>;

interface NodeAction {
  readonly flags: FlagKinds;
  /** Reads the arguments and returns a function that runs the action. @throws UsageProblem */
  readonly read: (parsed: ParsedArguments) => RunNodeAction;
}

const nodeActions: Readonly<Record<string, NodeAction>> = {
  list: { flags: { json: 'switch' }, read: list },
  drain: { flags: { undo: 'switch' }, read: drain },
};

/**
 * Runs the command and resolves with the exit code.
 * @throws UsageProblem, SettingProblem, Error with a one-sentence message
 */
export async function node(parameters: readonly string[]): Promise<number> {
  if (parameters.includes('--help')) {
    process.stdout.write(`${nodeHelp}\n`);
    return 0;
  }
  const [name, ...others] = parameters;
  const action = findAction('node', nodeActions, name);
  const parsed = parseArguments(others, { ...action.flags, ...storeFlags });
  const run = action.read(parsed);
  const { store } = await openCommandStore(parsed);
  await using _store = store;
  if (!store.isShared)
    throw new UsageProblem(
      'node: there are no nodes, because the accounts are in the data folder; give the database that the nodes share with --database.',
    );
  await run(store.database);
  return 0;
}

function list({ positionals, flags }: ParsedArguments): RunNodeAction {
  if (positionals[0] !== undefined)
    throw new UsageProblem(`'${positionals[0]}' is an unexpected argument; usage: platen node list [--json]`);
  return async (database) => {
    const nodes = await listNodes(database);
    process.stdout.write(
      `${flags.has('json') ? JSON.stringify(nodes.map(nodeJson), null, 2) : nodeTable(nodes)}\n`,
    );
  };
}

function drain({ positionals, flags }: ParsedArguments): RunNodeAction {
  const [name, extra] = positionals;
  if (name === undefined || extra !== undefined)
    throw new UsageProblem('usage: platen node drain NAME [--undo]');
  const isDraining = !flags.has('undo');
  return async (database) => {
    if ((await setDraining(database, name, isDraining)) === 0) {
      const names = (await listNodes(database)).map((row) => row.name);
      const suggestion = nearestName(name, names);
      const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
      throw new Error(`there is no node '${name}'${hint} ('platen node list' lists the nodes)`);
    }
    process.stdout.write(
      isDraining
        ? `${name} accepts no further jobs within 5 seconds; 'platen node list' shows its running jobs\n`
        : `${name} accepts jobs again within 5 seconds\n`,
    );
  };
}

type ListedNode = Awaited<ReturnType<typeof listNodes>>[number];

function nodeTable(nodes: readonly ListedNode[]): string {
  const head = ['NAME', 'STATE', 'VERSION', 'WINDOWS', 'RUNNING', 'STARTED'];
  const rows = nodes.map((row) => [
    row.name,
    stateOf(row),
    row.version,
    String(row.windows),
    String(row.running),
    new Date(row.started_at).toISOString().slice(0, 16).replace('T', ' '),
  ]);
  return alignColumns([head, ...rows]).join('\n');
}

function nodeJson(row: ListedNode): object {
  return {
    id: row.id,
    name: row.name,
    state: stateOf(row),
    version: row.version,
    windows: row.windows,
    running: row.running,
    started_at: new Date(row.started_at).toISOString(),
    seen_at: new Date(row.seen_at).toISOString(),
  };
}

function stateOf({ draining, problem, silent_ms: silentMs }: ListedNode): string {
  if (silentMs > lostAfterMs) return 'lost';
  if (silentMs > silentAfterMs) return `silent for ${Math.round(silentMs / 1000)} s`;
  return draining === 1 ? 'draining' : (problem ?? 'ready');
}
