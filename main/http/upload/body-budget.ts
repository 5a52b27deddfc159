/**
 * Limits the memory that the bodies of all current requests use together, and the number of bodies that arrive at the same time.
 * Requests beyond the budget are refused.
 */
import { Failure } from '../../failure/failure.ts';
import { availableMemory } from '../../settings/table.ts';

export interface BodyBudget {
  /**
   * Opens a share for a request before its body is read. `declaredBytes` is its Content-Length; 0 if that is unknown, or if the
   * body is stored on disk. @throws Failure unavailable
   */
  readonly open: (account: string, declaredBytes: number) => BodyShare;
}

/** The share of one request; disposed with its job. */
export interface BodyShare extends Disposable {
  /** Adds received bytes. @throws Failure unavailable when the budget is exhausted */
  readonly add: (bytes: number) => void;
  /** Subtracts bytes that were written to disk. */
  readonly release: (bytes: number) => void;
  /** Called when the body is complete; `bytes` of it stay in memory. */
  readonly keep: (bytes: number) => void;
}

interface BodyBudgetLimits {
  /** Bytes of all bodies. A single request may exceed this; max-upload limits it. */
  readonly memory: number;
  /** Bodies that arrive at the same time. */
  readonly bodies: number;
}

export function openBodyBudget({ memory: maxBytes, bodies }: BodyBudgetLimits): BodyBudget {
  const slots = openSlots(bodies);
  let totalBytes = 0;
  return {
    open(account, declaredBytes) {
      let ownBytes = 0;
      const checkRoomFor = (bytes: number) => {
        if (totalBytes > ownBytes && totalBytes + bytes > maxBytes) throw noRoom();
      };
      checkRoomFor(declaredBytes);
      const releaseSlot = slots.take(account);
      const setOwnBytes = (bytes: number) => {
        totalBytes += bytes - ownBytes;
        ownBytes = bytes;
      };
      return {
        add(bytes) {
          checkRoomFor(bytes);
          setOwnBytes(ownBytes + bytes);
        },
        release(bytes) {
          setOwnBytes(ownBytes - bytes);
        },
        keep(bytes) {
          setOwnBytes(bytes);
          releaseSlot();
        },
        [Symbol.dispose]() {
          setOwnBytes(0);
          releaseSlot();
        },
      };
    },
  };
}

/**
 * Gives an account at most half of the slots that other accounts leave free, so that a slot stays free even if many callers are
 * slow. `accountBytes` in `take` counts the slots of the account, not bytes.
 */
function openSlots(maxSlots: number) {
  const taken = new Map<string, number>();
  let total = 0;
  return {
    /** Takes a slot. Returns a function that releases it. @throws Failure unavailable */
    take(account: string): () => void {
      const accountSlots = taken.get(account) ?? 0;
      if (accountSlots >= (maxSlots - (total - accountSlots)) / 2) throw tooMany();
      const change = (difference: number) => {
        total += difference;
        const count = (taken.get(account) ?? 0) + difference;
        if (count > 0) taken.set(account, count);
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

/** Returns a quarter of the memory available to this process, in bytes, but at least the largest allowed request. */
export function roomForBodies(maxUpload: number): number {
  return Math.max(availableMemory() / 4, maxUpload);
}

function noRoom(): Failure {
  const sentence =
    'Other requests use all the memory that is reserved for request bodies. Try again in a moment.';
  return new Failure('unavailable', sentence, { retryAfter: 2 });
}

function tooMany(): Failure {
  const sentence = 'Too many requests of this account are being received. Try again in a moment.';
  return new Failure('unavailable', sentence, { retryAfter: 2 });
}
