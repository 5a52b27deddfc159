/**
 * The connections of callers: what is under way on each, and how many there may be. When there are too many, those go first on
 * which no request is under way, the oldest first: so neither idle nor half-open ones keep a caller or a health check out.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface Connection {
  /** Requests whose answers are not out yet. */
  readonly open: Set<Exchange>;
  /** The newest request, answered or not: its body may still be coming. */
  readonly latest: Exchange | undefined;
  /** True once no further request of it is taken. */
  readonly closing: boolean;
}

export interface Connections {
  /** Of a connection that has been seen before. */
  readonly of: (socket: Duplex) => Connection;
  /** Notes a request; false when it came after the last one that its connection may have. */
  readonly begin: (exchange: Exchange) => boolean;
  /** No further request of it is taken. */
  readonly close: (socket: Duplex) => void;
  /** It is to get its last answer from whoever calls this; false when somebody has before. */
  readonly condemn: (socket: Duplex) => boolean;
}

interface Limits {
  readonly most: number;
  /** Told of connections that were closed for want of room, at most once a minute. */
  readonly onFull: () => void;
}

/** For callers who come while nobody can be sent away: all are being served, or greet each other (TLS). */
const reserve = 16;
const quiet = 60_000;

export function watchConnections(server: Server, { most, onFull }: Limits): Connections {
  const known = new WeakMap<Duplex, Held>();
  const waiting = new Set<Duplex>();
  const tellFull = atMostEvery(quiet, onFull);
  let count = 0;
  const arrive = (socket: Duplex) => {
    known.set(socket, { open: new Set(), latest: undefined, closing: false, condemned: false });
    waiting.add(socket);
    count += 1;
    socket.once('close', () => {
      count -= 1;
      waiting.delete(socket);
    });
    if (count <= most) return;
    tellFull();
    // The newcomer is the youngest of those who wait: he goes only when all others are being served.
    const [oldest] = waiting;
    oldest?.destroy();
  };
  server.maxConnections = most + reserve;
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', arrive);
  server.on('drop', tellFull);
  const of = (socket: Duplex): Held => known.get(socket) ?? stranger();
  return {
    of,
    begin: (exchange) => begin(of(exchange.request.socket), exchange, waiting),
    close(socket) {
      of(socket).closing = true;
    },
    condemn(socket) {
      const held = of(socket);
      const first = !held.condemned;
      held.closing = held.condemned = true;
      return first;
    },
  };
}

interface Held extends Connection {
  latest: Exchange | undefined;
  closing: boolean;
  condemned: boolean;
}

/** One whose greeting (TLS) is not over: it gets no answer. */
function stranger(): Held {
  return { open: new Set(), latest: undefined, closing: true, condemned: true };
}

function begin(held: Held, exchange: Exchange, waiting: Set<Duplex>): boolean {
  if (held.closing) return false;
  const { socket } = exchange.request;
  held.latest = exchange;
  held.open.add(exchange);
  waiting.delete(socket);
  exchange.response.once('close', () => {
    held.open.delete(exchange);
    if (held.open.size === 0 && !socket.destroyed) waiting.add(socket);
  });
  return true;
}

function atMostEvery(pause: number, tell: () => void): () => void {
  let last = -Infinity;
  return () => {
    if (performance.now() - last < pause) return;
    last = performance.now();
    tell();
  };
}
