/**
 * Prevents a thread from ending during a zlib call, or while it answers. Node ends the whole process if a thread ends after a zlib
 * stream was constructed and before it is initialised ("close before init"). If the answer of an ending thread arrives, the pool gives
 * the thread the next task, which then fails (Tinypool 2.2.0).
 */
import { workerData } from 'node:worker_threads';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';

/** The number of pending calls of `endBetweenCalls`, and that of running guarded calls. All threads of a pool share it. */
export type ThreadGuard = Int32Array<SharedArrayBuffer>;

const ends = 0;
const calls = 1;

export function newThreadGuard(): ThreadGuard {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
}

/** In milliseconds. No guarded call takes longer. A thread that runs out of memory in such a call is counted as calling forever. */
const maxWaitMs = 60_000;

/** Calls `end`, which ends a thread, while no thread of the pool is in a guarded call or answers. */
export async function endBetweenCalls(guard: ThreadGuard, end: () => void): Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  Atomics.add(guard, ends, 1);
  try {
    do await pause(1);
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
  if (!(ownGuard instanceof Int32Array)) return call();
  for (;;) {
    Atomics.add(ownGuard, calls, 1);
    const pending = Atomics.load(ownGuard, ends);
    if (pending === 0) break;
    // This thread may be the one that ends.
    Atomics.sub(ownGuard, calls, 1);
    Atomics.wait(ownGuard, ends, pending);
  }
  try {
    return call();
  } finally {
    Atomics.sub(ownGuard, calls, 1);
  }
}

/** Returns the function of a worker, changed so that it does not answer while a thread is about to end. */
export function answering<Task, Answer>(
  work: (task: Task) => Answer | Promise<Answer>,
): (task: Task) => Promise<Answer> {
  return async (task) => {
    try {
      return await work(task);
    } finally {
      guarded(() => {});
    }
  };
}
