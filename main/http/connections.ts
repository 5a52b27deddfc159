/**
 * The connections of callers: what is under way on each, and how many there may be. When there are too many, those go first on
 * which no request is under way, the oldest first: so neither idle nor half-open ones keep a caller or a health check out.
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
  /** Requests whose answers are not out yet. */
  readonly open: ReadonlySet<Exchange>;
  /** The newest request, answered or not: its body may still be coming. */
  readonly latest: Exchange | undefined;
}

export interface Connections {
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
  /** Whether somebody is served, and not only listened to. */
  readonly isServed: (exchange: Exchange) => boolean;
}

/** For those who come while others are being closed to make room. */
const reserve = 16;
const quiet = 60_000;

export function watchConnections(server: Server, limits: Limits): Connections {
  const known = new WeakMap<Duplex, Held>();
  const crowd: Crowd = { waiting: new Set(), asking: new Map() };
  const tellFull = atMostEvery(quiet, limits.onFull);
  const arrive = (socket: Duplex) => {
    crowd.waiting.add(socket);
    socket.once('close', () => {
      crowd.waiting.delete(socket);
      crowd.asking.delete(socket);
    });
    if (crowd.waiting.size + crowd.asking.size <= limits.most) return;
    tellFull();
    leastMissed(crowd, limits).destroy();
  };
  const meet = (socket: Duplex) => {
    known.set(socket, { ...stranger(), closing: false, condemned: false });
    arrive(socket);
  };
  server.maxConnections = limits.most + reserve;
  if (server instanceof TlsServer)
    watchGreetings(server, { arrive, meet, leave: (raw) => crowd.waiting.delete(raw) });
  else server.on('connection', meet);
  server.on('drop', tellFull);
  const of = (socket: Duplex) => known.get(socket) ?? stranger();
  return {
    of,
    begin: (exchange) => begin(of(exchange.request.socket), exchange, crowd),
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

interface Door {
  readonly arrive: (socket: Duplex) => void;
  readonly meet: (socket: Duplex) => void;
  readonly leave: (socket: Duplex) => void;
}

/**
 * Who has not greeted (TLS) takes a place, too, and waits in it; when he has, his place is the secure connection's. Node tells of
 * both, but not which belong together: that is their caller's address and port.
 */
function watchGreetings(server: Server, { arrive, meet, leave }: Door): void {
  const greeting = new Map<string, Socket>();
  server.on('connection', (raw: Socket) => {
    const caller = callerOf(raw);
    greeting.set(caller, raw);
    raw.once('close', () => {
      if (greeting.get(caller) === raw) greeting.delete(caller);
    });
    arrive(raw);
  });
  server.on('secureConnection', (secure: Socket) => {
    const raw = greeting.get(callerOf(secure));
    if (raw !== undefined) leave(raw);
    meet(secure);
  });
}

function callerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

interface Held extends Connection {
  readonly open: Set<Exchange>;
  latest: Exchange | undefined;
  closing: boolean;
  condemned: boolean;
}

interface Crowd {
  /** Nothing is asked on them. The longest first, as everywhere here. */
  readonly waiting: Set<Duplex>;
  /** With the newest request of each. */
  readonly asking: Map<Duplex, Exchange>;
}

/** One whose greeting (TLS) is not over: it gets no answer. */
function stranger(): Held {
  return { open: new Set(), latest: undefined, closing: true, condemned: true };
}

/** The newcomer waits, too: he goes only when all others are served. */
function leastMissed({ waiting, asking }: Crowd, { isServed }: Limits): Duplex {
  const [oldest, ...others] = waiting;
  const unserved = [...asking].find(([, exchange]) => !isServed(exchange))?.[0];
  const victim = others.length > 0 ? oldest : (unserved ?? oldest);
  if (victim === undefined) throw new Error('nobody waits, not even the newcomer');
  return victim;
}

function begin(held: Held, exchange: Exchange, { waiting, asking }: Crowd): boolean {
  if (held.closing) return false;
  const { socket } = exchange.request;
  held.latest = exchange;
  held.open.add(exchange);
  waiting.delete(socket);
  asking.set(socket, exchange);
  exchange.response.once('close', () => {
    held.open.delete(exchange);
    if (held.open.size > 0 || socket.destroyed) return;
    asking.delete(socket);
    waiting.add(socket);
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
