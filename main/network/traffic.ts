/** Tracks the connections, refusals and network use of one job, so that all its connections can be ended together. */
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
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

/** Thrown if the network rules refuse a connection. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** Thrown if the page has exceeded one of its network limits. */
export class ExceededError extends Error {
  override readonly name = 'ExceededError';
}

/** Maximum number of refusals that are kept for one job, because a hostile page may try 100,000 ports. */
const maxRefusals = 1_000;
/** Maximum number of refusals of one job in the service log. */
const maxLoggedRefusals = 20;

export interface TrafficOptions {
  readonly log: (refusal: GuardRefusal) => void;
  readonly limits?: TrafficLimits | undefined;
}

export class Traffic {
  /** The first 1,000 refusals, oldest first. */
  readonly refusals: GuardRefusal[] = [];
  /** The limits that were exceeded. After the first, `countRequest` throws for every request. */
  readonly exceeded = new Set<TrafficLimit>();
  readonly #log: TrafficOptions['log'];
  readonly #limits: TrafficLimits;
  readonly #browserSockets = new Set<Socket>();
  /** The bytes counted so far, by socket. */
  readonly #networkSockets = new Map<Socket, number>();
  #requests = 0;
  #bytes = 0;
  #hasEnded = false;
  #isLocalNetworkDenied = false;

  constructor({ log, limits = unlimited }: TrafficOptions) {
    this.#log = log;
    this.#limits = limits;
  }

  /** Whether the operating system has denied the service the local network (dial.ts). */
  get isLocalNetworkDenied(): boolean {
    return this.#isLocalNetworkDenied;
  }

  /** The bytes that were received and sent so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Tracks a socket that the browser has opened. */
  accept(socket: Socket): void {
    socket.on('error', () => {});
    if (this.#hasEnded) socket.destroy();
    else this.#browserSockets.add(socket.once('close', () => this.#browserSockets.delete(socket)));
  }

  /** Tracks a socket to the network and handles its 'error' events, so that the caller needs to listen only for 'close'. */
  track<S extends Socket>(socket: S): S {
    // Without a listener, a reset by the peer would end the process.
    socket.on('error', () => {});
    if (this.#hasEnded || this.exceeded.has('page-size')) return socket.destroy();
    this.#networkSockets.set(socket, 0);
    // Uses `prependListener`, because `on` would start the flow of data before there is a reader.
    socket.prependListener('data', () => {
      this.countBytes(socket);
    });
    return socket.once('close', () => {
      this.countBytes(socket);
      this.#networkSockets.delete(socket);
    });
  }

  /** Counts the bytes that a tracked socket has transferred since the last call. Ends all connections if the limit is exceeded. */
  countBytes(socket: Socket): void {
    const countedBytes = this.#networkSockets.get(socket);
    if (countedBytes === undefined) return;
    const transferredBytes = socket.bytesRead + socket.bytesWritten;
    this.#networkSockets.set(socket, transferredBytes);
    this.#bytes += transferredBytes - countedBytes;
    if (this.#bytes <= this.#limits.bytes || this.exceeded.has('page-size')) return;
    this.exceeded.add('page-size');
    this.abort();
  }

  /**
   * Ends all connections. Resets those of the browser instead of closing them: without a content length, the browser would accept a
   * truncated response as complete.
   */
  abort(): void {
    for (const socket of [...this.#browserSockets]) socket.resetAndDestroy();
    for (const socket of [...this.#networkSockets.keys()]) socket.destroy();
  }

  /** Counts a request or tunnel before it is sent. @throws ExceededError if a limit is exceeded. */
  countRequest(): void {
    this.#requests += 1;
    if (this.#requests > this.#limits.requests) this.exceeded.add('page-requests');
    const [limit] = this.exceeded;
    if (limit !== undefined) throw new ExceededError(`beyond ${limit}`);
  }

  /** Records a refusal, and logs the first ones. Returns the error for the caller to throw. */
  refuse(refusal: GuardRefusal): RefusedError {
    // A refusal that arrives after the job has ended is neither kept nor logged.
    if (!this.#hasEnded && this.refusals.length < maxRefusals) {
      this.refusals.push(refusal);
      if (this.refusals.length <= maxLoggedRefusals) this.#log(refusal);
    }
    return new RefusedError(refusal.why);
  }

  reportLocalNetworkDenied(): void {
    this.#isLocalNetworkDenied = true;
  }

  /** Destroys every socket, including sockets that are tracked later. */
  end(): void {
    this.#hasEnded = true;
    for (const socket of [...this.#browserSockets, ...this.#networkSockets.keys()]) socket.destroy();
  }
}

/** Returns a signal that aborts when the stream closes. The end of a job closes all connections of the browser. */
export function closeSignal(stream: Writable): AbortSignal {
  const closed = new AbortController();
  const onClose = () => {
    closed.abort(new Error('the browser closed the connection'));
  };
  if (stream.destroyed) onClose();
  else stream.once('close', onClose);
  return closed.signal;
}

const unlimited: TrafficLimits = { requests: Infinity, bytes: Infinity };
