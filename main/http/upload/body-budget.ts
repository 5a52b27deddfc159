/**
 * Limits the memory that the bodies of all current requests use together, and the number of bodies that arrive at the same time. A
 * request beyond either limit is refused.
 */
import { Failure } from '../../failure/failure.ts';
import { availableMemory } from '../../settings/table.ts';

export interface BodyBudget {
  /**
   * Opens the share of a request before its body is read. `declaredBytes` is its Content-Length, or 0 if the length is unknown or
   * the body is stored on disk.
   * @throws Failure unavailable
   */
  readonly open: (account: string, declaredBytes: number) => BodyShare;
}

/** The part of the budget that one request uses. Dispose it when the job has ended. */
export interface BodyShare extends Disposable {
  /** Adds received bytes. @throws Failure unavailable if the budget is exhausted */
  readonly add: (bytes: number) => void;
  /** Subtracts bytes that have been written to disk. */
  readonly release: (bytes: number) => void;
  /** Call this when the body is complete. `bytes` of it stay in memory. */
  readonly keep: (bytes: number) => void;
}

interface BodyBudgetLimits {
  /** Maximum bytes of all bodies together. A single request may use more, up to max-upload. */
  readonly maxBytes: number;
  /** Maximum number of bodies that arrive at the same time. */
  readonly maxBodies: number;
}

export function openBodyBudget({ maxBytes, maxBodies }: BodyBudgetLimits): BodyBudget {
  const slots = openSlots(maxBodies);
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
 * Limits the number of bodies that arrive at the same time. An account gets at most half of the slots that other accounts leave
 * free, so that a slot stays free even if many callers are slow.
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

/** Returns the memory for request bodies, in bytes: a quarter of the memory available to this process, but at least `maxUpload`. */
export function bodyMemoryBytes(maxUpload: number): number {
  return Math.max(availableMemory() / 4, maxUpload);
}

function noRoom(): Failure {
  const message =
    'Other requests use all the memory that is reserved for request bodies. Try again in a moment.';
  return new Failure('unavailable', message, { retryAfter: 2 });
}

function tooMany(): Failure {
  const message = 'Too many requests of this account are being received. Try again in a moment.';
  return new Failure('unavailable', message, { retryAfter: 2 });
}
