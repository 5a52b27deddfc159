/**
 * Tracks client connections and their requests, and shares the connections between callers. A connection belongs to the account whose
 * key it used last, before that to its address. At a limit, the caller with the most connections loses one, so that a caller who
 * holds many never keeps out another caller or a health check (docs/decisions/0067-connections.md).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';
import type { Account } from '../../accounts/account.ts';
import { Failure } from '../../failure/failure.ts';
import type { ServiceLog } from '../../log/service-log.ts';
import type { Settings } from '../../settings/table.ts';
import { clientAddress } from '../security/client-addresses.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface Connection {
  /** Requests whose response is not complete. */
  readonly open: ReadonlySet<Exchange>;
  /** The newest request, whether its response is complete or not. Its body may still be arriving. */
  readonly latest: Exchange | undefined;
}

interface ConnectionLimits {
  readonly maxConnections: number;
  /** Maximum number of connections of one account with running requests. Operators have no such limit. */
  readonly perAccount: number;
  /** Maximum number of connections of one address that serve no account. */
  readonly perAddress: number;
  /** Called at most once a minute when connections are closed because of a limit, with the caller that lost one. */
  readonly onFull: (caller: string) => void;
}

const onFullIntervalMs = 60_000;
/** Requests that one connection may send before their predecessors are answered. Each keeps its headers in memory. */
const maxPipelined = 32;

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #reportFull: (caller: string) => void;
  readonly #tracked = new Map<Duplex, TrackedConnection>();
  /** Connections that serve no account: idle ones, and ones whose request has no valid key. By account or address. */
  readonly #waiting = new Holders();
  /** Connections with a running request of an account. By account. */
  readonly #running = new Holders();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
    this.#reportFull = atMostEvery(onFullIntervalMs, limits.onFull);
  }

  watch(server: Server): void {
    // Node's own limit refuses the newest connection. It is only reached when many connections arrive in one turn.
    server.maxConnections = 2 * this.#limits.maxConnections;
    if (server instanceof TlsServer) this.#watchHandshakes(server);
    else
      server.on('connection', (socket: Socket) => {
        this.#accept(socket, { closing: false });
      });
  }

  /** Returns the state of a connection. A socket that is not tracked gets no response. */
  of(socket: Duplex): Connection {
    return this.#stateOf(socket);
  }

  /**
   * Serves a request as soon as the earlier ones of its connection are answered, unless the connection accepts no more. Node passes on
   * all pipelined requests of a chunk in one turn.
   */
  begin(exchange: Exchange, serve: () => void): void {
    const connection = this.#stateOf(exchange.request.socket);
    if (connection.closing) return;
    connection.latest = exchange;
    connection.open.add(exchange);
    exchange.response.once('close', () => {
      connection.open.delete(exchange);
      if (connection.socket.destroyed) return;
      this.#wait(connection);
      const next = connection.pipelined.shift();
      // In another turn, so that other connections get theirs.
      if (next !== undefined)
        setImmediate(() => {
          if (connection.socket.writable) next();
        });
    });
    if (connection.open.size === 1) {
      this.#wait(connection);
      serve();
    } else if (connection.pipelined.push(serve) > maxPipelined) this.#close(connection);
  }

  /**
   * Counts the connection of a request with a valid key for the account. At the limit of all running requests, the account with the
   * most loses one.
   * @throws Failure tooManyRequests if the account has as many as it may
   */
  admit(
    { socket }: Pick<IncomingMessage, 'socket'>,
    account: Pick<Account, 'id' | 'name' | 'operator'>,
  ): void {
    const connection = this.#stateOf(socket);
    // The caller has disconnected meanwhile, or the request has been counted.
    if (!this.#tracked.has(socket) || connection.isRunning) return;
    this.#waiting.remove(connection);
    connection.holder = `account ${account.name}`;
    this.#waiting.add(connection);
    if (!account.operator) this.#refuseAboveLimits(connection);
    this.#waiting.remove(connection);
    connection.isRunning = true;
    this.#running.add(connection);
  }

  /** Accepts no further request on the connection. */
  refuseFurtherRequests(socket: Duplex): void {
    this.#stateOf(socket).closing = true;
  }

  /** Claims the right to send the last response on the connection. Returns false if it has been claimed before. */
  claimLastResponse(socket: Duplex): boolean {
    const connection = this.#stateOf(socket);
    const isFirst = !connection.lastAnswerClaimed;
    connection.closing = true;
    connection.lastAnswerClaimed = true;
    return isFirst;
  }

  #stateOf(socket: Duplex): TrackedConnection {
    return this.#tracked.get(socket) ?? untracked(socket);
  }

  /** `closing`: whether the connection accepts no request yet. */
  #accept(socket: Socket, { closing }: { readonly closing: boolean }): void {
    const holder = `address ${clientAddress(socket.remoteAddress)}`;
    const connection = { ...untracked(socket), holder, closing, lastAnswerClaimed: closing };
    this.#tracked.set(socket, connection);
    this.#waiting.add(connection);
    socket.once('close', () => {
      this.#remove(connection);
    });
    const isOther = (other: TrackedConnection) => other !== connection;
    const isIdle = (other: TrackedConnection) => isOther(other) && !isServing(other);
    if (this.#waiting.countOf(holder) > this.#limits.perAddress)
      this.#close(this.#waiting.oldestOf(holder, isIdle));
    if (this.#tracked.size <= this.#limits.maxConnections) return;
    const oldest = this.#waiting.oldestOfLargest(isIdle) ?? this.#waiting.oldestOfLargest(isOther);
    this.#close(oldest ?? this.#runningToClose(1) ?? connection);
  }

  /** @throws Failure tooManyRequests */
  #refuseAboveLimits(connection: TrackedConnection): void {
    const { maxConnections, perAccount } = this.#limits;
    const own = this.#running.countOf(connection.holder);
    if (own >= perAccount) throw tooManyOfAccount(perAccount);
    if (this.#running.size < maxConnections - keptConnections(maxConnections)) return;
    const other = this.#runningToClose(own + 1);
    if (other === undefined) throw allInUse();
    this.#close(other);
  }

  /** Returns a connection of the account with the most running requests, if it has more than `minimum`. */
  #runningToClose(minimum: number): TrackedConnection | undefined {
    const largest = this.#running.largest();
    if (largest.length <= minimum) return undefined;
    return largest.find(isReceiving) ?? largest.find(({ socket }) => socket.writableLength > 0) ?? largest[0];
  }

  #close(connection: TrackedConnection | undefined): void {
    if (connection === undefined) return;
    this.#reportFull(connection.holder);
    connection.closing = true;
    this.#remove(connection);
    connection.socket.destroy();
  }

  #wait(connection: TrackedConnection): void {
    this.#running.remove(connection);
    this.#waiting.remove(connection);
    connection.isRunning = false;
    if (this.#tracked.has(connection.socket)) this.#waiting.add(connection);
  }

  #remove(connection: TrackedConnection): void {
    this.#tracked.delete(connection.socket);
    this.#waiting.remove(connection);
    this.#running.remove(connection);
  }

  /**
   * Counts a connection during its TLS handshake; afterwards the TLS socket replaces the raw socket. Node reports both sockets but not
   * which belong together, so they are matched by the client's address and port.
   */
  #watchHandshakes(server: TlsServer): void {
    const handshakes = new Map<string, Socket>();
    server.on('connection', (raw: Socket) => {
      const client = clientOf(raw);
      handshakes.set(client, raw);
      raw.once('close', () => {
        if (handshakes.get(client) === raw) handshakes.delete(client);
      });
      this.#accept(raw, { closing: true });
    });
    server.on('secureConnection', (secure) => {
      const raw = handshakes.get(clientOf(secure));
      if (raw !== undefined) this.#remove(this.#stateOf(raw));
      this.#accept(secure, { closing: false });
    });
  }
}

function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

interface TrackedConnection extends Connection {
  readonly socket: Duplex;
  readonly open: Set<Exchange>;
  latest: Exchange | undefined;
  /** Serve the requests that wait for the answer to an earlier one. */
  readonly pipelined: (() => void)[];
  /** The account or the address for which the connection counts. */
  holder: string;
  /** Whether it serves a request with a valid key. */
  isRunning: boolean;
  closing: boolean;
  lastAnswerClaimed: boolean;
}

function untracked(socket: Duplex): TrackedConnection {
  return {
    socket,
    open: new Set(),
    latest: undefined,
    pipelined: [],
    holder: '',
    isRunning: false,
    closing: true,
    lastAnswerClaimed: true,
  };
}

/** Returns whether the service is working on a request that has arrived completely, such as a health check. */
function isServing({ open }: TrackedConnection): boolean {
  for (const { request } of open) if (request.complete) return true;
  return false;
}

function isReceiving({ latest }: TrackedConnection): boolean {
  return latest?.request.complete === false;
}

/** Connections by the caller that holds them. Those of a caller are in the order in which they were added. */
class Holders {
  readonly #held = new Map<string, Set<TrackedConnection>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(connection: TrackedConnection): void {
    const held = this.#held.get(connection.holder) ?? new Set();
    this.#held.set(connection.holder, held.add(connection));
    this.#size += 1;
  }

  /** Must be called before the holder of a connection changes. */
  remove(connection: TrackedConnection): void {
    const held = this.#held.get(connection.holder);
    if (held?.delete(connection) !== true) return;
    this.#size -= 1;
    if (held.size === 0) this.#held.delete(connection.holder);
  }

  countOf(holder: string): number {
    return this.#held.get(holder)?.size ?? 0;
  }

  /** Returns the connections of the caller that has the most. */
  largest(): readonly TrackedConnection[] {
    let largest: ReadonlySet<TrackedConnection> = new Set();
    for (const held of this.#held.values()) if (held.size > largest.size) largest = held;
    return [...largest];
  }

  oldestOf(holder: string, matches: Matches): TrackedConnection | undefined {
    for (const connection of this.#held.get(holder) ?? []) if (matches(connection)) return connection;
    return undefined;
  }

  /** Returns the oldest connection that matches, of the caller that has the most connections. */
  oldestOfLargest(matches: Matches): TrackedConnection | undefined {
    let oldest: TrackedConnection | undefined;
    let count = 0;
    for (const [holder, held] of this.#held) {
      if (held.size <= count) continue;
      const found = this.oldestOf(holder, matches);
      if (found === undefined) continue;
      oldest = found;
      count = held.size;
    }
    return oldest;
  }
}

type Matches = (connection: TrackedConnection) => boolean;

/**
 * Returns how many connections are kept free of running requests, for new connections, `/health`, `/ready` and operators: a tenth, at
 * least 4, at most half.
 */
function keptConnections(maxConnections: number): number {
  return Math.min(Math.floor(maxConnections / 2), Math.max(4, Math.ceil(maxConnections / 10)));
}

function tooManyOfAccount(limit: number): Failure {
  const message = `This account has ${limit} requests running, as many as it may at the same time (connections-per-account). Try again in a moment.`;
  return new Failure('tooManyRequests', message, { retryAfter: 2 });
}

function allInUse(): Failure {
  const message = 'Other requests use all connections of the service. Try again in a moment.';
  return new Failure('unavailable', message, { retryAfter: 2 });
}

function atMostEvery<T>(intervalMs: number, callback: (value: T) => void): (value: T) => void {
  let lastMs = -Infinity;
  return (value) => {
    if (performance.now() - lastMs < intervalMs) return;
    lastMs = performance.now();
    callback(value);
  };
}

interface ConnectionSettings {
  readonly settings: Pick<Settings, 'connections' | 'connections-per-account' | 'connections-per-address'>;
  /** Maximum number of connections: the setting `connections`, or fewer if file descriptors are scarce (listen.ts). */
  readonly maxConnections: number;
  readonly log: ServiceLog;
}

/** Returns the connections of a server with the limits of the settings. */
export function openConnections({ settings, maxConnections, log }: ConnectionSettings): Connections {
  if (maxConnections < settings.connections) log.warn({ connections: maxConnections }, fewDescriptors);
  const atMost = (setting: number | undefined, share: number) =>
    Math.max(1, Math.min(setting ?? Math.floor(maxConnections * share), maxConnections));
  return new Connections({
    maxConnections,
    perAccount: atMost(settings['connections-per-account'], 0.5),
    perAddress: atMost(settings['connections-per-address'], 0.75),
    onFull(caller) {
      log.warn({ connections: maxConnections, caller }, full);
    },
  });
}

const fewDescriptors =
  'the open file limit of this process is too low for the setting connections, so fewer connections are accepted; raise it (ulimit -n, LimitNOFILE)';

const full =
  'all connections are in use, so the caller with the most loses one; raise the setting connections or connections-per-address';
