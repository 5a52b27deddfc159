/** Owns what one job has open and what it was refused, so that all of it can be ended at once. Knows nothing of HTTP. */
import type { Socket } from 'node:net';
import type { Refusal } from './admit.ts';

export interface Traffic {
  readonly refusals: readonly Refusal[];
  /** Takes charge of a socket, its errors included: whoever uses it learns of its end by 'close'. */
  track<S extends Socket>(socket: S): S;
  /** Notes and logs a refusal; throw what it returns. */
  refuse(refusal: Refusal): RefusedError;
  /** Destroys every socket, and any that comes later. */
  end(): void;
}

/** The guard does not let this connection be made. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** A hostile page asks for 100,000 ports: what comes after this many is refused like the rest, but not kept or logged. */
const MOST_REFUSALS = 1_000;

export function openTraffic(log: (refusal: Refusal) => void): Traffic {
  const sockets = new Set<Socket>();
  const refusals: Refusal[] = [];
  let over = false;
  return {
    refusals,
    track(socket) {
      // Without a listener a reset by the other side would end the process.
      socket.on('error', () => {});
      if (over) return socket.destroy();
      sockets.add(socket);
      return socket.once('close', () => sockets.delete(socket));
    },
    refuse(refusal) {
      // A name that was still being resolved when its job ended is nobody's refusal.
      if (!over && refusals.push(refusal) <= MOST_REFUSALS) log(refusal);
      else refusals.length = Math.min(refusals.length, MOST_REFUSALS);
      return new RefusedError(refusal.why);
    },
    end() {
      over = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}
