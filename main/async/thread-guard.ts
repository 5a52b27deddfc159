/**
 * Prevents a thread from ending during a zlib call, during an import, or while it answers. Node ends the whole process if a thread
 * ends after a zlib stream was constructed and before it is initialised ("close before init"). V8 ends it if a thread ends while it
 * evaluates a module with a top-level `await` ("Check failed: (location_) != nullptr", V8 11.3 and 13.0). If the answer of an ending
 * thread arrives, the pool gives the thread the next task, which then fails (Tinypool 2.2.0).
 */
import { workerData } from 'node:worker_threads';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';

/**
 * The number of pending calls of `endBetweenCalls`, that of running guarded calls and imports, and whether a thread uses too much
 * memory. All threads of a pool share it.
 */
export type ThreadGuard = Int32Array<SharedArrayBuffer>;

const ends = 0;
const calls = 1;
const grown = 2;

export function newThreadGuard(): ThreadGuard {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
}

/** Returns whether a thread used too much memory after one of its tasks (worker-function.ts). */
export function anyHasGrown(guard: ThreadGuard): boolean {
  return Atomics.load(guard, grown) > 0;
}

/** In milliseconds. No guarded call takes longer. A thread that runs out of memory in such a call is counted as calling forever. */
const maxWaitMs = 60_000;

/**
 * Calls `end`, which ends a thread, while no thread of the pool is in a guarded call or answers. With `ref: false`, the wait for that
 * does not keep the process running.
 */
export async function endBetweenCalls(
  guard: ThreadGuard,
  end: () => void,
  { ref = true } = {},
): Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  Atomics.add(guard, ends, 1);
  try {
    do await pause(1, undefined, { ref });
    while (Atomics.load(guard, calls) > 0 && performance.now() < deadline);
    // The pool receives the answers that threads sent earlier.
    await setImmediate();
    end();
  } finally {
    Atomics.sub(guard, ends, 1);
    Atomics.notify(guard, ends);
  }
}

/** In a thread of a pool, the second element is what the pool passes to its threads (tinypool). */
const ownGuard = Array.isArray(workerData) ? (workerData[1] as ThreadGuard | undefined) : undefined;

/** Makes a native call during which this thread must not end. */
export function guarded<T>(call: () => T): T {
  using _call = beginCall();
  return call();
}

/** Imports a module with a top-level `await`. This thread must not end before the import settles. */
export async function guardedImport<T>(load: () => Promise<T>): Promise<T> {
  using _call = beginCall();
  return await load();
}

/** Begins a call during which this thread must not end. Disposing of the result ends the call. */
function beginCall(): Disposable {
  // The main thread, or a thread that belongs to no pool.
  if (!(ownGuard instanceof Int32Array)) return { [Symbol.dispose]() {} };
  const guard = ownGuard;
  for (;;) {
    Atomics.add(guard, calls, 1);
    const pending = Atomics.load(guard, ends);
    if (pending === 0) break;
    // This thread may be the one that ends.
    Atomics.sub(guard, calls, 1);
    Atomics.wait(guard, ends, pending);
  }
  return {
    [Symbol.dispose]() {
      Atomics.sub(guard, calls, 1);
    },
  };
}

/** Reports to the pool that this thread uses too much memory. */
export function reportGrowth(): void {
  if (ownGuard instanceof Int32Array) Atomics.store(ownGuard, grown, 1);
}
