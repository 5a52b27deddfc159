/** What the bodies of all requests under way may hold in memory together: callers share it, and are refused beyond it. */
import { totalmem } from 'node:os';
import { Failure } from '../failure/failure.ts';

export interface BodyBudget {
  /** For a request whose body is about to come; `declared` bytes will be in memory, 0 when unknown. @throws Failure unavailable */
  readonly open: (declared: number) => BodyShare;
}

/** What one request holds; disposed with its job. */
export interface BodyShare extends Disposable {
  /** So many bytes more have come. @throws Failure unavailable when there is no room for them */
  readonly add: (bytes: number) => void;
  /** So many of them have gone to the disk. */
  readonly release: (bytes: number) => void;
  /** The body is there, and so much of it stays in memory. */
  readonly keep: (bytes: number) => void;
}

/** Bytes. Whoever is alone gets what he needs: another limit is for that. */
export function openBodyBudget(most: number): BodyBudget {
  let held = 0;
  return {
    open(declared) {
      let own = 0;
      const refuseBeyond = (more: number) => {
        if (held > own && held + more > most) throw noRoom();
      };
      refuseBeyond(declared);
      const hold = (bytes: number) => {
        held += bytes - own;
        own = bytes;
      };
      return {
        add(bytes) {
          refuseBeyond(bytes);
          hold(own + bytes);
        },
        release(bytes) {
          hold(own - bytes);
        },
        keep: hold,
        [Symbol.dispose]() {
          hold(0);
        },
      };
    },
  };
}

/** A quarter of the memory this process may have; the largest request that is taken fits in. Bytes. */
export function roomForBodies(maxUpload: number): number {
  const constrained = process.constrainedMemory();
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return Math.max(memory / 4, maxUpload);
}

function noRoom(): Failure {
  const sentence = 'Other requests fill the memory there is for requests. Try again in a moment.';
  return new Failure('unavailable', sentence, { retryAfter: 2 });
}
