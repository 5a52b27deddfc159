/** Tracks the connections, refusals and network use of one job, so that all its connections can be ended together. */
import type { Socket } from 'node:net';
import type { GuardRefusal } from './resolve-target.ts';

/** The network limits of one page. They include headers and sent bytes. */
export interface TrafficLimits {
  /** Requests and tunnels. */
  readonly requests: number;
  readonly bytes: number;
}

/** Named after the settings that hold the limits. */
export type TrafficLimit = 'page-requests' | 'page-size';

export interface Traffic {
  readonly refusals: readonly GuardRefusal[];
  /** The limits that were reached. After the first, nothing more is let through. */
  readonly exceeded: ReadonlySet<TrafficLimit>;
  /** Tracks the browser's end of a connection. */
  accept(socket: Socket): void;
  /** Tracks a socket to the network and handles its errors; its user is notified by 'close'. */
  track<S extends Socket>(socket: S): S;
  /** Counts the bytes that a tracked socket has transferred since the last call. Ends every connection at the limit. */
  countBytes(socket: Socket): void;
  /** Counts a request or tunnel before it is made. @throws ExceededError */
  countRequest(): void;
  /** Records and logs a refusal. Returns the error for the caller to throw. */
  refuse(refusal: GuardRefusal): RefusedError;
  /** Destroys every socket, including sockets that are tracked later. */
  end(): void;
}

/** The guard refuses this connection. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** The page has exceeded one of its limits. */
export class ExceededError extends Error {
  override readonly name = 'ExceededError';
}

/** Bounds the log: a hostile page may try 100,000 ports. Later refusals are neither kept nor logged. */
const MAX_REFUSALS = 1_000;

export interface TrafficOptions {
  readonly log: (refusal: GuardRefusal) => void;
  readonly limits?: TrafficLimits | undefined;
}

export function openTraffic({ log, limits = unlimited }: TrafficOptions): Traffic {
  const browserSockets = new Set<Socket>();
  // Each with the bytes counted so far.
  const networkSockets = new Map<Socket, number>();
  const refusals: GuardRefusal[] = [];
  const exceeded = new Set<TrafficLimit>();
  let hasEnded = false;
  let bytes = 0;
  const countBytes = (socket: Socket) => {
    const before = networkSockets.get(socket);
    if (before === undefined) return;
    const now = socket.bytesRead + socket.bytesWritten;
    networkSockets.set(socket, now);
    bytes += now - before;
    if (bytes <= limits.bytes || exceeded.has('page-size')) return;
    exceeded.add('page-size');
    abortConnections(browserSockets, networkSockets.keys());
  };
  return {
    refusals,
    exceeded,
    countBytes,
    countRequest: requestCounter(limits, exceeded),
    accept(socket) {
      socket.on('error', () => {});
      if (hasEnded) socket.destroy();
      else browserSockets.add(socket.once('close', () => browserSockets.delete(socket)));
    },
    track(socket) {
      // Without a listener, a reset by the peer would end the process.
      socket.on('error', () => {});
      if (hasEnded || exceeded.has('page-size')) return socket.destroy();
      networkSockets.set(socket, 0);
      // `prependListener`, because `on` would start the flow before there is a reader.
      socket.prependListener('data', () => {
        countBytes(socket);
      });
      return socket.once('close', () => {
        countBytes(socket);
        networkSockets.delete(socket);
      });
    },
    refuse(refusal) {
      // A refusal that arrives after the job has ended is neither kept nor logged.
      if (!hasEnded && refusals.push(refusal) <= MAX_REFUSALS) log(refusal);
      else refusals.length = Math.min(refusals.length, MAX_REFUSALS);
      return new RefusedError(refusal.why);
    },
    end() {
      hasEnded = true;
      for (const socket of [...browserSockets, ...networkSockets.keys()]) socket.destroy();
    },
  };
}

/** Resets the browser's ends instead of closing them: without a content length, the browser would take half a response for all of it. */
function abortConnections(browserSockets: Iterable<Socket>, networkSockets: Iterable<Socket>): void {
  for (const socket of browserSockets) socket.resetAndDestroy();
  for (const socket of networkSockets) socket.destroy();
}

function requestCounter(limits: TrafficLimits, exceeded: Set<TrafficLimit>): Traffic['countRequest'] {
  let requests = 0;
  return () => {
    requests += 1;
    if (requests > limits.requests) exceeded.add('page-requests');
    const [limit] = exceeded;
    if (limit !== undefined) throw new ExceededError(`beyond ${limit}`);
  };
}

const unlimited: TrafficLimits = { requests: Infinity, bytes: Infinity };
