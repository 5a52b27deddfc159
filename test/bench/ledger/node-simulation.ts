/**
 * `node --import tsx test/bench/ledger/node-simulation.ts [nodes]`: simulates nodes that share one PostgreSQL database: heartbeats, the
 * release of lost nodes, the search for queued jobs, and jobs at a rising rate. Prints, for each rate, the statements per second, the
 * time of a job's statements, and how many sessions waited for a lock. docs/cluster.md has the result.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openJobs, type Jobs } from '../../../main/accounts/jobs.ts';
import { ThisNode } from '../../../main/accounts/nodes/this-node.ts';
import { insertAccount } from '../../../main/accounts/store/account-records.ts';
import { connectToPostgres, openPostgres } from '../../../main/accounts/store/postgres/postgres-database.ts';
import type { Database } from '../../../main/accounts/store/tables.ts';
import { claimJob, hasOpenJobs, type ClaimOptions } from '../../../main/asynchronous-jobs/claim.ts';
import { recordJob } from '../../support/accounts/ledger.ts';
import { locationOf } from '../../support/postgres/databases.ts';
import { startPostgres, type PostgresServer } from '../../support/postgres/server.ts';

const nodeCount = Number(process.argv[2] ?? 100);
const accountCount = 50;
const measureMs = 10_000;
/** Jobs per second of all nodes together. */
const rates = [0, 100, 300, 600, 1000, 1500];

interface SimulatedNode {
  readonly database: Database;
  readonly node: ThisNode;
  readonly jobs: Jobs;
}

async function openNode(url: string, index: number): Promise<SimulatedNode> {
  const { database } = connectToPostgres({ location: locationOf(url), maxConnections: 3 });
  const report = (problem: unknown) => {
    console.error(problem);
  };
  const description = { name: `node ${index}`, version: '0.1.0', windows: 4 };
  const node = await ThisNode.register({ database, isShared: true, description, report });
  const store = { database, isShared: true, problem: () => undefined };
  return { database, node, jobs: await openJobs({ store, node, report }) };
}

/** Asks for queued jobs every second, as an idle queue runner does. */
async function poll({ database, node }: SimulatedNode, signal: AbortSignal): Promise<void> {
  await pause(1000 * Math.random());
  while (!signal.aborted) {
    if (await hasOpenJobs(database))
      await claimJob({
        database,
        node: node.id,
        keyring: undefined as unknown as ClaimOptions['keyring'],
        ends: undefined as unknown as ClaimOptions['ends'],
        suspects: false,
      });
    await pause(1000);
  }
}

async function runJob({ jobs }: SimulatedNode, account: number, times: number[]): Promise<void> {
  const began = performance.now();
  await recordJob(jobs, account);
  times.push(performance.now() - began);
}

/** Begins jobs at a rate until the time has passed. Returns the times of their statements in milliseconds. */
async function load(nodes: readonly SimulatedNode[], accounts: readonly number[], rate: number) {
  const times: number[] = [];
  const running = new Set<Promise<void>>();
  const end = performance.now() + measureMs;
  let begun = 0;
  const start = performance.now();
  while (performance.now() < end) {
    const due = ((performance.now() - start) / 1000) * rate;
    for (; begun < due && running.size < 2000; begun += 1) {
      const node = nodes[begun % nodes.length];
      if (node === undefined) throw new Error('no nodes');
      const job = runJob(node, accounts[begun % accounts.length] ?? 0, times);
      running.add(job);
      void job.finally(() => running.delete(job));
    }
    await pause(5);
  }
  await Promise.all(running);
  return { times, seconds: (performance.now() - start) / 1000 };
}

/** Samples the number of sessions that wait for a lock. */
async function sampleWaits(server: PostgresServer, signal: AbortSignal): Promise<number> {
  let most = 0;
  while (!signal.aborted) {
    const [row] = await server.query<{ waiting: number }>(
      "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
      'nodes',
    );
    most = Math.max(most, row?.waiting ?? 0);
    await pause(200);
  }
  return most;
}

async function statements(server: PostgresServer): Promise<number> {
  const [row] = await server.query<{ calls: number }>(
    'SELECT sum(calls)::int AS calls FROM pg_stat_statements WHERE toplevel',
    'nodes',
  );
  return row?.calls ?? 0;
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

async function main(): Promise<void> {
  await using server = await startPostgres({ fsync: true, settings: ['max_connections = 500'] });
  const url = await server.createDatabase('nodes');
  const { database } = await openPostgres({ location: locationOf(url) });
  await server.query('CREATE EXTENSION pg_stat_statements', 'nodes');
  const accounts: number[] = [];
  for (let index = 0; index < accountCount; index += 1)
    accounts.push((await insertAccount(database, { name: `account ${index}`, credits: 1e9 }, Date.now())).id);
  const nodes: SimulatedNode[] = [];
  for (let index = 0; index < nodeCount; index += 1) nodes.push(await openNode(url, index));
  const stop = new AbortController();
  const polls = nodes.map((node) => poll(node, stop.signal));
  console.log(
    `${nodeCount} nodes; jobs/s asked: jobs/s done, statements/s, ms median, ms 99 %, sessions waiting for a lock`,
  );
  for (const rate of rates) {
    const before = await statements(server);
    const sampling = new AbortController();
    const waits = sampleWaits(server, sampling.signal);
    const { times, seconds } = await load(nodes, accounts, rate);
    sampling.abort();
    const calls = (await statements(server)) - before;
    console.log(
      [
        `${rate}: ${(times.length / seconds).toFixed(0)}`,
        (calls / seconds).toFixed(0),
        quantile(times, 0.5).toFixed(1),
        quantile(times, 0.99).toFixed(1),
        await waits,
      ].join(', '),
    );
  }
  stop.abort();
  await Promise.all(polls);
  await Promise.all(nodes.map(({ node }) => node[Symbol.asyncDispose]()));
  await Promise.all(nodes.map((node) => node.database.destroy()));
  await database.destroy();
}

void main().then(() => process.exit(0));
