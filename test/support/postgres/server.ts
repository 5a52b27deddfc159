/** A real PostgreSQL server for tests, in a temporary folder and as an ordinary user, because PostgreSQL refuses to run as root. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Why the tests on PostgreSQL are skipped; undefined where PostgreSQL is installed. */
export const postgresMissing =
  process.platform === 'linux' && serverPrograms() !== undefined
    ? false
    : 'PostgreSQL is not installed (Debian: apt-get install postgresql)';

export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  /** Returns the address of a database of the server. */
  readonly url: (database?: string) => string;
  /** Creates an empty database and returns its address. */
  readonly createDatabase: (name: string) => Promise<string>;
  /** Runs a statement in a database, and returns its rows. */
  readonly query: <Row extends object>(sql: string, database?: string) => Promise<Row[]>;
  /** Stops the server: `fast` ends its connections, `immediate` is like a crash. */
  readonly stop: (mode: 'fast' | 'immediate') => Promise<void>;
  /** Stops all processes of the server with SIGSTOP, or lets them continue. */
  readonly suspend: () => void;
  readonly resume: () => void;
  /** Starts the stopped server again, on the same port. */
  readonly start: () => Promise<void>;
}

interface PostgresServerOptions {
  /** Whether commits wait for the disk. Without it, tests are faster. */
  readonly fsync?: boolean;
  /** Further lines for postgresql.conf. */
  readonly settings?: readonly string[];
}

const user = 'platen';
const password = 'secret of the database';

/** Starts a server on a free port of 127.0.0.1. */
export async function startPostgres({
  fsync = false,
  settings = [],
}: PostgresServerOptions = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const port = await freePort();
  const data = join(folder, 'data');
  createCluster(folder, data);
  writeFileSync(
    join(data, 'postgresql.auto.conf'),
    [
      `port = ${port}`,
      "listen_addresses = '127.0.0.1'",
      `unix_socket_directories = '${folder}'`,
      `fsync = ${fsync ? 'on' : 'off'}`,
      'max_connections = 200',
      "shared_preload_libraries = 'pg_stat_statements'",
      'shared_buffers = 32MB',
      "timezone = 'UTC'",
      ...settings,
    ].join('\n'),
  );
  const server = new LocalServer(data, port);
  await server.start();
  return {
    port,
    url: (database = 'postgres') => server.url(database),
    async createDatabase(name) {
      await server.query(`CREATE DATABASE ${name}`);
      return server.url(name);
    },
    query: (sql, database) => server.query(sql, database),
    stop: (mode) => server.stop(mode),
    suspend() {
      server.signalAll('SIGSTOP');
    },
    resume() {
      server.signalAll('SIGCONT');
    },
    start: () => server.start(),
    async [Symbol.asyncDispose]() {
      server.signalAll('SIGCONT');
      await server.stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

class LocalServer {
  readonly #data: string;
  readonly #port: number;
  #process: ChildProcess | undefined;

  constructor(data: string, port: number) {
    this.#data = data;
    this.#port = port;
  }

  url(database: string): string {
    return `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${this.#port}/${database}`;
  }

  async start(): Promise<void> {
    const [command = '', ...prefix] = asOrdinaryUser();
    // In a separate session, like each service: Linux gives each session the same processor time ("autogroup" in man 7 sched).
    const options = { stdio: 'ignore', detached: true } as const;
    this.#process = spawn(command, [...prefix, program('postgres'), '-D', this.#data], options);
    this.#process.unref();
    for (let tries = 0; ; tries += 1) {
      try {
        await this.query('SELECT 1');
        return;
      } catch (problem) {
        if (tries > 600 || this.#process.exitCode !== null) throw problem;
        await pause(50);
      }
    }
  }

  query<Row extends object>(sql: string, database = 'postgres'): Promise<Row[]> {
    return runStatement<Row>(this.url(database), sql);
  }

  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    const child = this.#process;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.ref();
    // postgresql.org/docs/current/server-shutdown.html
    child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  }

  signalAll(signal: 'SIGSTOP' | 'SIGCONT'): void {
    const pid = this.#process?.pid;
    if (pid === undefined || this.#process?.exitCode !== null) return;
    const children = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }).stdout;
    for (const id of [pid, ...children.trim().split(/\s+/).filter(Boolean).map(Number)]) {
      try {
        process.kill(id, signal);
      } catch {
        // The process has ended.
      }
    }
  }
}

/** Another process may have taken the port of a server that is starting, and may never answer. */
const connectionTimeoutMillis = 10_000;

/** Runs a statement on a separate connection, and returns its rows. */
export async function runStatement<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

function createCluster(folder: string, data: string): void {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);
  if (process.getuid?.() === 0) {
    const id = ordinaryUserId();
    chownSync(folder, id, id);
    chownSync(passwordFile, id, id);
  }
  chmodSync(folder, 0o700);
  const [command = '', ...prefix] = asOrdinaryUser();
  const initdb = [program('initdb'), '-D', data, '-U', user, `--pwfile=${passwordFile}`, '--no-sync'];
  const result = spawnSync(
    command,
    [...prefix, ...initdb, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8'],
    { encoding: 'utf8' },
  );
  if (result.status !== 0) throw new Error(`initdb failed: ${result.stderr}`);
}

/** A command that runs a program as an ordinary user, and ends it together with this process. */
function asOrdinaryUser(): string[] {
  const end = ['--pdeathsig', 'KILL'];
  if (process.getuid?.() !== 0) return ['setpriv', ...end];
  const id = String(ordinaryUserId());
  return ['setpriv', '--reuid', id, '--regid', id, '--clear-groups', ...end];
}

/** The id of `nobody`. */
function ordinaryUserId(): number {
  return 65_534;
}

function program(name: string): string {
  return join(serverPrograms() ?? '', name);
}

/** Returns the folder with the programs of the newest installed server. */
function serverPrograms(): string | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const versions = readdirSync(root).filter((version) => existsSync(join(root, version, 'bin', 'postgres')));
  const newest = versions.sort((left, right) => Number(right) - Number(left))[0];
  return newest === undefined ? undefined : join(root, newest, 'bin');
}

/** Returns a port of 127.0.0.1 on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
