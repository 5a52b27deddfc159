/**
 * Tracks client connections and their requests, and limits the number of connections. Above the limit, connections without a
 * request are closed first, the oldest first. Idle and half-open connections therefore never keep out a caller or a health check.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';

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

export interface Connections {
  readonly of: (socket: Duplex) => Connection;
  /** Registers a request. Returns false if the connection accepts no more requests. */
  readonly begin: (exchange: Exchange) => boolean;
  /** Accepts no further request on the connection. */
  readonly refuseFurtherRequests: (socket: Duplex) => void;
  /** Claims the right to send the last response on the connection. Returns false if it has been claimed before. */
  readonly claimLastResponse: (socket: Duplex) => boolean;
}

interface ConnectionLimits {
  readonly maxConnections: number;
  /** Called at most once a minute when connections are closed because of the limit. */
  readonly onFull: () => void;
  /** Returns whether the request is being processed, not only received. */
  readonly isServed: (exchange: Exchange) => boolean;
}

/** Connections accepted above the limit while others are being closed. */
const reserve = 16;
const onFullIntervalMs = 60_000;

export function watchConnections(server: Server, limits: ConnectionLimits): Connections {
  const trackedConnections = new WeakMap<Duplex, TrackedConnection>();
  const open: OpenConnections = { idle: new Set(), active: new Map() };
  const reportFull = atMostEvery(onFullIntervalMs, limits.onFull);
  const addIdle = (socket: Duplex) => {
    open.idle.add(socket);
    socket.once('close', () => {
      open.idle.delete(socket);
      open.active.delete(socket);
    });
    if (open.idle.size + open.active.size <= limits.maxConnections) return;
    reportFull();
    connectionToClose(open, limits).destroy();
  };
  const accept = (socket: Duplex) => {
    trackedConnections.set(socket, { ...unknownConnection(), closing: false, lastAnswerClaimed: false });
    addIdle(socket);
  };
  server.maxConnections = limits.maxConnections + reserve;
  if (server instanceof TlsServer)
    watchHandshakes(server, { addIdle, accept, remove: (raw) => open.idle.delete(raw) });
  else server.on('connection', accept);
  server.on('drop', reportFull);
  const of = (socket: Duplex) => trackedConnections.get(socket) ?? unknownConnection();
  return {
    of,
    begin: (exchange) => begin(of(exchange.request.socket), exchange, open),
    refuseFurtherRequests(socket) {
      of(socket).closing = true;
    },
    claimLastResponse(socket) {
      const connection = of(socket);
      const isFirst = !connection.lastAnswerClaimed;
      connection.closing = true;
      connection.lastAnswerClaimed = true;
      return isFirst;
    },
  };
}

interface ConnectionCallbacks {
  readonly addIdle: (socket: Duplex) => void;
  readonly accept: (socket: Duplex) => void;
  readonly remove: (socket: Duplex) => void;
}

/**
 * Counts a connection as idle during its TLS handshake; afterwards the TLS socket replaces the raw socket. Node reports both
 * sockets but not which belong together, so they are matched by the client's address and port.
 */
function watchHandshakes(server: Server, { addIdle, accept, remove }: ConnectionCallbacks): void {
  const handshakes = new Map<string, Socket>();
  server.on('connection', (raw: Socket) => {
    const client = clientOf(raw);
    handshakes.set(client, raw);
    raw.once('close', () => {
      if (handshakes.get(client) === raw) handshakes.delete(client);
    });
    addIdle(raw);
  });
  server.on('secureConnection', (secure: Socket) => {
    const raw = handshakes.get(clientOf(secure));
    if (raw !== undefined) remove(raw);
    accept(secure);
  });
}

function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

interface TrackedConnection extends Connection {
  readonly open: Set<Exchange>;
  latest: Exchange | undefined;
  closing: boolean;
  lastAnswerClaimed: boolean;
}

/** In both collections, the connection that has been in it longest comes first. */
interface OpenConnections {
  /** Connections without an open request. */
  readonly idle: Set<Duplex>;
  /** Connections with open requests, and the newest request of each. */
  readonly active: Map<Duplex, Exchange>;
}

/** Returns the state of a socket that is not tracked, because its TLS handshake is not complete. It gets no response. */
function unknownConnection(): TrackedConnection {
  return { open: new Set(), latest: undefined, closing: true, lastAnswerClaimed: true };
}

/**
 * Returns the connection to close: the oldest idle one, else one whose request is not being served, else the newest, which is idle
 * too.
 */
function connectionToClose({ idle, active }: OpenConnections, { isServed }: ConnectionLimits): Duplex {
  const [oldest, ...others] = idle;
  const unserved = [...active].find(([, exchange]) => !isServed(exchange))?.[0];
  const socketToClose = others.length > 0 ? oldest : (unserved ?? oldest);
  if (socketToClose === undefined) throw new Error('no connection is idle, not even the newest one');
  return socketToClose;
}

function begin(
  connection: TrackedConnection,
  exchange: Exchange,
  { idle, active }: OpenConnections,
): boolean {
  if (connection.closing) return false;
  const { socket } = exchange.request;
  connection.latest = exchange;
  connection.open.add(exchange);
  idle.delete(socket);
  active.set(socket, exchange);
  exchange.response.once('close', () => {
    connection.open.delete(exchange);
    if (connection.open.size > 0 || socket.destroyed) return;
    active.delete(socket);
    idle.add(socket);
  });
  return true;
}

function atMostEvery(intervalMs: number, callback: () => void): () => void {
  let lastMs = -Infinity;
  return () => {
    if (performance.now() - lastMs < intervalMs) return;
    lastMs = performance.now();
    callback();
  };
}
