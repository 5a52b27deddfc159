/** Tracks the connections, refusals and network use of one job, so that all its connections can be ended together. */
import type { Socket } from 'node:net';
import type { GuardRefusal } from './resolve-target.ts';

/** The network limits of one page. */
export interface TrafficLimits {
  /** Number of requests and tunnels. */
  readonly requests: number;
  /** Bytes received and sent, including headers. */
  readonly bytes: number;
}

/** A limit, named after its setting. */
export type TrafficLimit = 'page-requests' | 'page-size';

export interface Traffic {
  /** The first 1,000 refusals, oldest first. */
  readonly refusals: readonly GuardRefusal[];
  /** The limits that were exceeded. After the first, `countRequest` throws for every request. */
  readonly exceeded: ReadonlySet<TrafficLimit>;
  /** Tracks a socket that the browser has opened. */
  accept(socket: Socket): void;
  /** Tracks a socket to the network and handles its 'error' events, so that the caller needs to listen only for 'close'. */
  track<S extends Socket>(socket: S): S;
  /** Counts the bytes that a tracked socket has transferred since the last call. Ends all connections if the limit is exceeded. */
  countBytes(socket: Socket): void;
  /** Counts a request or tunnel before it is sent. @throws ExceededError if a limit is exceeded. */
  countRequest(): void;
  /** Records and logs a refusal. Returns the error for the caller to throw. */
  refuse(refusal: GuardRefusal): RefusedError;
  /** Destroys every socket, including sockets that are tracked later. */
  end(): void;
}

/** Thrown if the network rules refuse a connection. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** Thrown if the page has exceeded one of its network limits. */
export class ExceededError extends Error {
  override readonly name = 'ExceededError';
}

/** Maximum number of refusals that are kept and logged for one job, because a hostile page may try 100,000 ports. */
const maxRefusals = 1_000;

export interface TrafficOptions {
  readonly log: (refusal: GuardRefusal) => void;
  readonly limits?: TrafficLimits | undefined;
}

export function openTraffic({ log, limits = unlimited }: TrafficOptions): Traffic {
  const browserSockets = new Set<Socket>();
  // The bytes counted so far, by socket.
  const networkSockets = new Map<Socket, number>();
  const refusals: GuardRefusal[] = [];
  const exceeded = new Set<TrafficLimit>();
  let hasEnded = false;
  let bytes = 0;
  const countBytes = (socket: Socket) => {
    const countedBytes = networkSockets.get(socket);
    if (countedBytes === undefined) return;
    const transferredBytes = socket.bytesRead + socket.bytesWritten;
    networkSockets.set(socket, transferredBytes);
    bytes += transferredBytes - countedBytes;
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
      // Uses `prependListener`, because `on` would start the flow of data before there is a reader.
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
      if (!hasEnded && refusals.push(refusal) <= maxRefusals) log(refusal);
      else refusals.length = Math.min(refusals.length, maxRefusals);
      return new RefusedError(refusal.why);
    },
    end() {
      hasEnded = true;
      for (const socket of [...browserSockets, ...networkSockets.keys()]) socket.destroy();
    },
  };
}

/**
 * Ends all connections. Resets those of the browser instead of closing them: without a content length, the browser would accept
 * a truncated response as complete.
 */
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
