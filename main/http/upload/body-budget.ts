/** Limits the memory that the bodies of all current requests use together. A request beyond it is refused. */
import { Failure } from '../../failure/failure.ts';
import { availableMemory } from '../../settings/table.ts';

export interface BodyBudget {
  /**
   * Opens the share of a request before its body is read. `declaredBytes` is its Content-Length, or 0 if the length is unknown or
   * the body is stored on disk.
   * @throws Failure unavailable
   */
  readonly open: (declaredBytes: number) => BodyShare;
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

/** `maxBytes`: maximum bytes of all bodies together. A single request may use more, up to max-upload. */
export function openBodyBudget(maxBytes: number): BodyBudget {
  let totalBytes = 0;
  return {
    open(declaredBytes) {
      let ownBytes = 0;
      const checkRoomFor = (bytes: number) => {
        if (totalBytes > ownBytes && totalBytes + bytes > maxBytes) throw noRoom();
      };
      checkRoomFor(declaredBytes);
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
        },
        [Symbol.dispose]() {
          setOwnBytes(0);
        },
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
