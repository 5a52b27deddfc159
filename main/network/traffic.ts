/** Owns what one job has open, what it was refused and how much it has used, so that all of it can be ended at once. Knows nothing of HTTP. */
import type { Socket } from 'node:net';
import type { Refusal } from './admit.ts';

/** What one page may use of the network, headers and what it sends included. */
export interface TrafficLimits {
  /** Requests and tunnels. */
  readonly requests: number;
  readonly bytes: number;
}

/** As the settings that hold them are called. */
export type Limit = 'page-requests' | 'page-size';

export interface Traffic {
  readonly refusals: readonly Refusal[];
  /** Limits that were reached; beyond one nothing is let through any more. */
  readonly exceeded: ReadonlySet<Limit>;
  /** Takes charge of the browser's end of a connection. */
  accept(socket: Socket): void;
  /** Takes charge of a socket to the outside, its errors included: whoever uses it learns of its end by 'close'. */
  track<S extends Socket>(socket: S): S;
  /** Counts what has gone through a tracked socket since the last call; at the limit ends every connection. */
  weigh(socket: Socket): void;
  /** Counts a request or tunnel that is about to be made. @throws ExceededError */
  count(): void;
  /** Notes and logs a refusal; throw what it returns. */
  refuse(refusal: Refusal): RefusedError;
  /** Destroys every socket, and any that comes later. */
  end(): void;
}

/** The guard does not let this connection be made. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** The page has used up what it may use. */
export class ExceededError extends Error {
  override readonly name = 'ExceededError';
}

/** A hostile page asks for 100,000 ports: what comes after this many is refused like the rest, but not kept or logged. */
const MOST_REFUSALS = 1_000;

export interface TrafficOptions {
  readonly log: (refusal: Refusal) => void;
  readonly limits?: TrafficLimits | undefined;
}

export function openTraffic({ log, limits = unlimited }: TrafficOptions): Traffic {
  const browser = new Set<Socket>();
  // With what has been counted of each.
  const outside = new Map<Socket, number>();
  const refusals: Refusal[] = [];
  const exceeded = new Set<Limit>();
  let [over, bytes] = [false, 0];
  const weigh = (socket: Socket) => {
    const before = outside.get(socket);
    if (before === undefined) return;
    const now = socket.bytesRead + socket.bytesWritten;
    outside.set(socket, now);
    bytes += now - before;
    if (bytes <= limits.bytes || exceeded.has('page-size')) return;
    exceeded.add('page-size');
    cutOff(browser, outside.keys());
  };
  return {
    ...{ refusals, exceeded, weigh, count: counting(limits, exceeded) },
    accept(socket) {
      socket.on('error', () => {});
      if (over) socket.destroy();
      else browser.add(socket.once('close', () => browser.delete(socket)));
    },
    track(socket) {
      // Without a listener a reset by the other side would end the process.
      socket.on('error', () => {});
      if (over || exceeded.has('page-size')) return socket.destroy();
      outside.set(socket, 0);
      // Prepended, because `on` would begin to read before there is a reader.
      socket.prependListener('data', () => {
        weigh(socket);
      });
      return socket.once('close', () => {
        weigh(socket);
        outside.delete(socket);
      });
    },
    refuse(refusal) {
      // A name that was still being resolved when its job ended is nobody's refusal.
      if (!over && refusals.push(refusal) <= MOST_REFUSALS) log(refusal);
      else refusals.length = Math.min(refusals.length, MOST_REFUSALS);
      return new RefusedError(refusal.why);
    },
    end() {
      over = true;
      for (const socket of [...browser, ...outside.keys()]) socket.destroy();
    },
  };
}

/** The browser's ends are reset, not closed: where nothing tells an answer's length half of it would be taken for the whole. */
function cutOff(browser: Iterable<Socket>, outside: Iterable<Socket>): void {
  for (const socket of browser) socket.resetAndDestroy();
  for (const socket of outside) socket.destroy();
}

function counting(limits: TrafficLimits, exceeded: Set<Limit>): Traffic['count'] {
  let requests = 0;
  return () => {
    requests += 1;
    if (requests > limits.requests) exceeded.add('page-requests');
    const [limit] = exceeded;
    if (limit !== undefined) throw new ExceededError(`beyond ${limit}`);
  };
}

const unlimited: TrafficLimits = { requests: Infinity, bytes: Infinity };
