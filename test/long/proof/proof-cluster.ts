/** Three nodes, PostgreSQL and HAProxy on loopback, and what can happen to them. */
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { setDraining } from '../../../main/accounts/nodes/node-records.ts';
import type { Database, Tables } from '../../../main/accounts/store/tables.ts';
import { isListening, startBalancer, type LoadBalancer } from '../../support/cluster/load-balancer.ts';
import { freePort, startPostgres, type PostgresServer } from '../../support/postgres/server.ts';
import { keyFile, killNode, suspendNode } from '../../support/cluster/nodes.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { accounts, poorCredits, type AccountName } from './jobs.ts';

const nodeCount = 3;

interface NodeSlot {
  readonly name: string;
  readonly port: number;
  service: Service;
}

export class ProofCluster implements AsyncDisposable {
  readonly database: Database;
  readonly balancer: LoadBalancer;
  readonly #postgres: PostgresServer;
  readonly #databaseUrl: string;
  readonly #slots: NodeSlot[];

  private constructor(parts: {
    readonly postgres: PostgresServer;
    readonly databaseUrl: string;
    readonly database: Database;
    readonly slots: NodeSlot[];
    readonly balancer: LoadBalancer;
  }) {
    this.#postgres = parts.postgres;
    this.#databaseUrl = parts.databaseUrl;
    this.database = parts.database;
    this.#slots = parts.slots;
    this.balancer = parts.balancer;
  }

  static async start(): Promise<ProofCluster> {
    // With fsync, because a restart must lose nothing.
    const postgres = await startPostgres({ fsync: true });
    const databaseUrl = await postgres.createDatabase('proof');
    const slots: NodeSlot[] = [];
    for (let index = 1; index <= nodeCount; index += 1) {
      const place = { name: `node-${index}`, port: await freePort() };
      slots.push({ ...place, service: await startOn(place, databaseUrl) });
    }
    const database = openDatabase(databaseUrl);
    await limitAccounts(database);
    const balancer = await startBalancer(
      'haproxy',
      slots.map(({ port }) => port),
    );
    return new ProofCluster({ postgres, databaseUrl, database, slots, balancer });
  }

  nameOf(index: number): string {
    return this.#slot(index).name;
  }

  /** Kills a node with SIGKILL and starts another one on its port after a pause. */
  async kill(index: number, pauseMs: number): Promise<void> {
    const slot = this.#slot(index);
    killNode(slot.service);
    await waitUntil('the killed node refuses connections', async () => !(await isListening(slot.port)));
    await pause(pauseMs);
    await this.#startAgain(slot);
  }

  /** Stops all processes of a node for a time, as the suspension of a virtual machine does. */
  async suspend(index: number, pauseMs: number): Promise<void> {
    const wakeUp = suspendNode(this.#slot(index).service);
    await pause(pauseMs);
    wakeUp();
  }

  /** Drains a node, stops it when it runs no jobs, and starts another one on its port. */
  async drain(index: number, pauseMs: number): Promise<void> {
    const slot = this.#slot(index);
    await setDraining(this.database, slot.name, true);
    await pause(pauseMs);
    await slot.service.stop();
    await this.#startAgain(slot);
  }

  /** Stops PostgreSQL, and starts it again after a pause. Resolves when all nodes have been ready again for some seconds. */
  async restartPostgres(mode: 'fast' | 'immediate', pauseMs: number): Promise<void> {
    await this.#postgres.stop(mode);
    await pause(pauseMs);
    await this.#postgres.start();
    await waitUntil('all nodes reach the database', async () => {
      const answers = await Promise.all(
        this.#slots.map(async ({ service }) => await (await fetch(`${service.url}/ready`)).text()),
      );
      return answers.every((text) => !text.includes('database'));
    });
    // Nodes write the ends of jobs that ended meanwhile. A node that is killed before loses them, with the charges.
    await pause(10_000);
  }

  /** Returns the lines of the service logs of the running nodes with level error or worse. */
  errors(): readonly string[] {
    return this.#slots.flatMap(({ name, service }) =>
      service
        .log()
        .split('\n')
        .filter((line) => /"level":[56]0/.test(line))
        .map((line) => `${name}: ${line}`),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.balancer[Symbol.asyncDispose]();
    await Promise.all(this.#slots.map(({ service }) => service[Symbol.asyncDispose]()));
    await this.database.destroy();
    await this.#postgres[Symbol.asyncDispose]();
  }

  #slot(index: number): NodeSlot {
    const slot = this.#slots[index % nodeCount];
    if (slot === undefined) throw new Error(`there is no node ${index}`);
    return slot;
  }

  async #startAgain(slot: NodeSlot): Promise<void> {
    await slot.service[Symbol.asyncDispose]();
    slot.service = await startOn(slot, this.#databaseUrl);
  }
}

async function startOn({ name, port }: Pick<NodeSlot, 'name' | 'port'>, databaseUrl: string) {
  const granted: Readonly<Partial<Record<AccountName, string>>> = {
    rich: ':1000000',
    poor: `:${poorCredits}`,
  };
  const entries = accounts.map((account) => `${account}:key${granted[account] ?? ''}`);
  const access = ['--network-allow', '127.0.0.1', '--accounts', entries.join()];
  const key = ['--encryption-key-file', keyFile];
  const shared = ['--database', databaseUrl, ...key, '--node-name', name];
  return await startService({ flags: ['--port', String(port), ...shared, ...access, '--workers', '2'] });
}

/** Opens the database without the pool of the service, which is part of what the proof checks. */
function openDatabase(url: string): Database {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  types.setTypeParser(pg.types.builtins.NUMERIC, Number);
  const pool = new pg.Pool({ connectionString: url, max: 2, types });
  // A restart of PostgreSQL ends idle connections. The next query opens another one.
  pool.on('error', () => {});
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

async function limitAccounts(database: Database): Promise<void> {
  await database.updateTable('accounts').set({ jobs_at_once: 2 }).where('name', '=', 'narrow').execute();
  await database.updateTable('accounts').set({ jobs_per_minute: 60 }).where('name', '=', 'slow').execute();
}
