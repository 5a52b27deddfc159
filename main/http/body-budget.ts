/**
 * What the bodies of all requests under way may hold in memory together, and how many may be coming: callers share it, and are
 * refused beyond it.
 */
import { Failure } from '../failure/failure.ts';
import { ownMemory } from '../settings/own-memory.ts';

export interface BodyBudget {
  /** For a request of the account whose body is about to come; `declared` bytes will be in memory, 0 when unknown. @throws Failure unavailable */
  readonly open: (account: string, declared: number) => BodyShare;
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

interface Most {
  /** Bytes. Whoever is alone gets what he needs: another limit is for that. */
  readonly memory: number;
  /** Bodies that are coming, at the same time. */
  readonly bodies: number;
}

export function openBodyBudget({ memory: most, bodies }: Most): BodyBudget {
  const places = openPlaces(bodies);
  let held = 0;
  return {
    open(account, declared) {
      let own = 0;
      const refuseBeyond = (more: number) => {
        if (held > own && held + more > most) throw noRoom();
      };
      refuseBeyond(declared);
      const leave = places.take(account);
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
        keep(bytes) {
          hold(bytes);
          leave();
        },
        [Symbol.dispose]() {
          hold(0);
          leave();
        },
      };
    },
  };
}

/** An account has at most half of what the others leave: so there is always a place for one more, however many are slow. */
function openPlaces(most: number) {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    /** Returns what gives the place back. @throws Failure unavailable */
    take(account: string): () => void {
      const own = taken.get(account) ?? 0;
      if (own >= (most - (all - own)) / 2) throw tooMany();
      const change = (by: number) => {
        all += by;
        const left = (taken.get(account) ?? 0) + by;
        if (left > 0) taken.set(account, left);
        else taken.delete(account);
      };
      change(1);
      let isHeld = true;
      return () => {
        if (isHeld) change(-1);
        isHeld = false;
      };
    },
  };
}

/** A quarter of the memory this process may have; the largest request that is taken fits in. Bytes. */
export function roomForBodies(maxUpload: number): number {
  return Math.max(ownMemory() / 4, maxUpload);
}

function noRoom(): Failure {
  const sentence = 'Other requests fill the memory there is for requests. Try again in a moment.';
  return new Failure('unavailable', sentence, { retryAfter: 2 });
}

function tooMany(): Failure {
  const sentence = 'Too many requests of this account are on their way at once. Try again in a moment.';
  return new Failure('unavailable', sentence, { retryAfter: 2 });
}
