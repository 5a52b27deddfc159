/**
 * Lends connections to PostgreSQL, and watches whether the database can be reached. While it cannot, every call fails at once with
 * Failure unavailable; a call that is waiting when the database disappears fails within two seconds.
 */
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { messageOf } from '../../../failure/failure.ts';
import type { PostgresHost } from '../../../settings/postgres-location.ts';
import { databaseUnavailable } from '../unavailable.ts';
import { closeNow, connectToFirst, hostOf, type ConnectionOptions } from './connection.ts';

export interface PoolOptions extends ConnectionOptions {
  /** Maximum number of connections. */
  readonly maxConnections: number;
  /** Called when the database cannot be reached any more, with the reason, and when it can be reached again, with undefined. */
  readonly onAvailability?: (problem: string | undefined) => void;
}

/** Time after which a query, or a call that waits for a connection, makes the pool test whether the database answers. */
const suspicionMs = 800;

/** Time limit of that test: to connect and to run a query, unless another connection gets an answer meanwhile. */
const probeTimeoutMs = 900;

/** Interval between tests while the database cannot be reached. */
const probeIntervalMs = 500;

/** Time to wait for a connection while others use all of them. */
const acquireTimeoutMs = 10_000;

interface WaitingCaller {
  readonly resolve: (client: pg.Client) => void;
  readonly reject: (problem: unknown) => void;
}

export class ConnectionPool implements PostgresPool {
  readonly #options: PoolOptions;
  readonly #idle: pg.Client[] = [];
  readonly #open = new Set<pg.Client>();
  readonly #waiting = new Set<WaitingCaller>();
  /** The number of connections that are being opened. */
  #opening = 0;
  #isEnded = false;
  /** Why the database cannot be reached; undefined while it can. */
  #problem: string | undefined;
  #probe: Promise<void> | undefined;
  #probeTimer: NodeJS.Timeout | undefined;
  /** The number of queries that the database has answered. */
  #answers = 0;
  /** The host of the last connection, which is tried first. */
  #lastHost: PostgresHost | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Why the database cannot be reached; undefined while it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Lends a connection. @throws Failure unavailable if none can be opened, or none is free in time */
  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#acquire();
    return new LentConnection(client, {
      watch: () => this.#watch(),
      answered: () => {
        this.#answers += 1;
      },
      giveBack: (isBroken) => {
        this.#return(client, isBroken);
      },
    });
  }

  /** Closes all connections. A connection that is lent is closed too, and its query fails. */
  async end(): Promise<void> {
    this.#isEnded = true;
    clearTimeout(this.#probeTimer);
    this.#rejectWaiting(new Error('the service is stopping'));
    const closing = this.#idle.splice(0).map((client) => client.end().catch(() => {}));
    await Promise.race([Promise.all(closing), pause(1000)]);
    this.#closeAll();
  }

  async #acquire(): Promise<pg.Client> {
    if (this.#isEnded) throw databaseUnavailable(new Error('the service is stopping'));
    // Without a cause, because the service log has had the reason since the beginning of the outage.
    if (this.#problem !== undefined) throw databaseUnavailable();
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    using _watch = this.#watch();
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        reject(databaseUnavailable(new Error('no connection to the database is free')));
      }, acquireTimeoutMs);
      const waiting: WaitingCaller = {
        resolve(client) {
          clearTimeout(timer);
          resolve(client);
        },
        reject(problem) {
          clearTimeout(timer);
          reject(databaseUnavailable(problem));
        },
      };
      this.#waiting.add(waiting);
      if (this.#open.size + this.#opening < this.#options.maxConnections) void this.#openOne();
    });
  }

  /** Opens a connection for the caller that has waited longest. If none can be opened, tests the database. */
  async #openOne(): Promise<void> {
    this.#opening += 1;
    try {
      const client = await this.#connect();
      this.#open.add(client);
      const forget = () => {
        this.#forget(client);
      };
      client.once('end', forget).once('error', forget);
      this.#return(client, false);
    } catch {
      this.#testDatabase();
    } finally {
      this.#opening -= 1;
    }
  }

  /** Opens a connection if more callers wait than connections are being opened. */
  #openForWaiting(): void {
    if (!this.#isEnded && this.#waiting.size > this.#opening) void this.#openOne();
  }

  async #connect(): Promise<pg.Client> {
    const client = await connectToFirst(this.#hosts(), this.#options);
    this.#lastHost = hostOf(client);
    return client;
  }

  #hosts(): readonly PostgresHost[] {
    const { hosts } = this.#options.location;
    const last = hosts.find(
      ({ host, port }) => host === this.#lastHost?.host && port === this.#lastHost.port,
    );
    return last === undefined ? hosts : [last, ...hosts.filter((host) => host !== last)];
  }

  #return(client: pg.Client, isBroken: boolean): void {
    if (isBroken || this.#isEnded) {
      this.#forget(client);
      closeNow(client);
      if (isBroken) this.#testDatabase();
      this.#openForWaiting();
      return;
    }
    if (!this.#open.has(client)) return;
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#idle.push(client);
      return;
    }
    this.#waiting.delete(next);
    next.resolve(client);
  }

  #forget(client: pg.Client): void {
    this.#open.delete(client);
    const index = this.#idle.indexOf(client);
    if (index >= 0) this.#idle.splice(index, 1);
  }

  #rejectWaiting(problem: unknown): void {
    for (const { reject } of this.#waiting) reject(problem);
    this.#waiting.clear();
  }

  #closeAll(): void {
    for (const client of this.#open) closeNow(client);
    this.#open.clear();
    this.#idle.length = 0;
  }

  // Watching the database.

  /** Tests the database if the result is not disposed of soon. */
  #watch(): Disposable {
    const timer = setTimeout(() => {
      this.#testDatabase();
    }, suspicionMs);
    timer.unref();
    return {
      [Symbol.dispose]() {
        clearTimeout(timer);
      },
    };
  }

  /**
   * Connects and runs a query. If that fails, and no query was answered meanwhile, all connections are closed, and calls fail until a
   * later test succeeds. A busy server may answer queries and yet open new connections slowly, or no more of them.
   */
  #testDatabase(): void {
    if (this.#isEnded) return;
    this.#probe ??= this.#probeDatabase().finally(() => {
      this.#probe = undefined;
    });
  }

  async #probeDatabase(): Promise<void> {
    const answersBefore = this.#answers;
    try {
      const connecting = this.#connect();
      // A connection that comes too late.
      connecting.then(closeNow, () => {});
      await withinTime(connecting, probeTimeoutMs);
      this.#setProblem(undefined);
      this.#openForWaiting();
    } catch (problem) {
      if (this.#answers === answersBefore) {
        this.#setProblem(messageOf(problem));
        this.#rejectWaiting(problem);
        this.#closeAll();
      }
      if (this.#problem !== undefined || this.#waiting.size > 0) this.#testLater();
    }
  }

  #testLater(): void {
    clearTimeout(this.#probeTimer);
    if (this.#isEnded) return;
    this.#probeTimer = setTimeout(() => {
      this.#testDatabase();
    }, probeIntervalMs);
    this.#probeTimer.unref();
  }

  #setProblem(problem: string | undefined): void {
    const changed = (problem === undefined) !== (this.#problem === undefined);
    this.#problem = problem;
    if (changed) this.#options.onAvailability?.(problem);
  }
}

interface LendingPool {
  /** Watches the database during a query. */
  readonly watch: () => Disposable;
  /** Called when the server has answered a query, also with an error. */
  readonly answered: () => void;
  readonly giveBack: (isBroken: boolean) => void;
}

/** A connection while it is lent. */
class LentConnection implements PostgresPoolClient {
  readonly #client: pg.Client;
  readonly #pool: LendingPool;
  #isBroken = false;

  constructor(client: pg.Client, pool: LendingPool) {
    this.#client = client;
    this.#pool = pool;
  }

  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query(cursor: never): never;
  async query<R>(text: string, parameters: readonly unknown[] = []): Promise<PostgresQueryResult<R>> {
    using _watch = this.#pool.watch();
    try {
      const result = await this.#client.query(text, parameters.map(withoutNul));
      this.#pool.answered();
      return {
        command: result.command as 'SELECT',
        rowCount: result.rowCount ?? 0,
        rows: result.rows as R[],
      };
    } catch (problem) {
      if (isStatementError(problem)) {
        this.#pool.answered();
        throw problem;
      }
      this.#isBroken = true;
      throw databaseUnavailable(problem);
    }
  }

  release(): void {
    this.#pool.giveBack(this.#isBroken);
  }
}

/**
 * Returns whether the server refused only the statement, so that the connection can be used further. Other errors end it: a broken
 * network, an answer that did not come in time, a server that shuts down (class 57P), is full (53), or became a standby (25006).
 */
function isStatementError(problem: unknown): boolean {
  if (!(problem instanceof pg.DatabaseError)) return false;
  const { code = '' } = problem;
  return !/^(08|57P|53)/.test(code) && code !== '25006';
}

/** Replaces NUL, which PostgreSQL does not store in text, with a visible character, as for SQLite. */
function withoutNul(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\u2400') : value;
}

/** @throws Error if the promise takes longer, not counting time in which this process itself was busy */
async function withinTime(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  let isSettled = false;
  const settled = promise.finally(() => {
    isSettled = true;
  });
  settled.catch(() => {});
  const timeout = async () => {
    await pause(milliseconds);
    // After a pause of the process, timers fire before the data that has arrived meanwhile is read.
    await pause(100);
    if (!isSettled) throw new Error(`the database did not answer within ${milliseconds} ms`);
  };
  await Promise.race([settled, timeout()]);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
