/**
 * Kept threads, for work during which nobody else would be answered. A thread that cannot be started is the trouble of the work
 * that waits for one, and of no work that has begun. Plain Node.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import type { Task, TaskQueue, Tinypool } from 'tinypool';
import { hasNoRoom } from './failure/no-room.ts';

export interface ThreadsOptions {
  /** The program's file; it exports one function, from an order to a promise of its answer. */
  readonly filename: string;
  /** How many threads are there from the start, or from the first work. */
  readonly minThreads: number;
  readonly maxThreads: number;
  /** Orders a thread works on at once; 1 unless told. */
  readonly concurrentTasksPerWorker?: number;
}

export interface Threads<Order, Answer> extends AsyncDisposable {
  /** Starts those that are there from the start, which the first work does too. Never rejects. */
  readonly prepare: () => Promise<void>;
  /** @throws what the program throws; the signal's reason, and the work ends then; Error (no-room.ts) when no thread could start for it */
  readonly run: (order: Order, means?: RunMeans) => Promise<Answer>;
}

interface RunMeans {
  readonly signal?: AbortSignal;
  /** What is no longer ours then. */
  readonly transferList?: MessagePort[];
}

/** Milliseconds, as long as timers go: a thread's end may wait for ever in Electron (decision 24), and threads are few. */
const idleTimeout = 2 ** 31 - 1;

/** Milliseconds to end in; what has not by then ends with the process. */
const patience = 1000;

/**
 * Loads what threads are started with. To be done before there is work: without it the first work does so, and what could not be
 * loaded then (no descriptor was free) is not loaded again as long as the process lives.
 * @throws what Node says
 */
export async function loadThreads(): Promise<void> {
  await loadPools();
}

/** No thread is started before there is work, or `prepare` is called. */
export function openThreads<Order, Answer>(options: ThreadsOptions): Threads<Order, Answer> {
  let opened: Promise<Opened> | undefined;
  const open = () =>
    (opened ??= openPool(options).catch((problem: unknown) => {
      // The next work tries again.
      opened = undefined;
      throw problem;
    }));
  return {
    async prepare() {
      await open().catch(() => {});
    },
    async run(order, means = {}) {
      means.signal?.throwIfAborted();
      const { pool, start } = await open();
      try {
        return (await pool.run(order, means)) as Answer;
      } catch (problem) {
        means.signal?.throwIfAborted();
        throw isCancelled(problem) ? (start.problem ?? problem) : problem;
      }
    },
    async [Symbol.asyncDispose]() {
      const { pool } = (await opened?.catch(() => undefined)) ?? {};
      if (pool !== undefined)
        await Promise.race([pool.destroy(), pause(patience, undefined, { ref: false })]);
    },
  };
}

interface Opened {
  readonly pool: Tinypool;
  /** Why the last thread could not be started. */
  readonly start: { readonly problem?: Error };
}

/** It comes as an ES module only, and the service is CommonJS. */
function loadPools() {
  return import('tinypool');
}

async function openPool(options: ThreadsOptions): Promise<Opened> {
  const { Tinypool } = await loadPools();
  const pool = new Tinypool({ ...options, idleTimeout, taskQueue: openQueue() });
  const start: { problem?: Error } = {};
  // A thread that fails with nothing to do must not end the service.
  pool.setMaxListeners(0).on('error', (problem: Error) => {
    if (!hasNoRoom(problem)) return;
    // What waits would do so until another thread is started for another's work: the pool tells nobody.
    start.problem = problem;
    pool.cancelPendingTasks();
  });
  return { pool, start };
}

function isCancelled(problem: unknown): boolean {
  return problem instanceof Error && problem.name === 'CancelError';
}

/** What waits for a thread. The pool's own queue fails where a signal aborts what was taken out of it. */
function openQueue(): TaskQueue {
  const waiting = new Set<Task>();
  return {
    get size() {
      return waiting.size;
    },
    push(task) {
      waiting.add(task);
    },
    shift() {
      const [first = null] = waiting;
      if (first !== null) waiting.delete(first);
      return first;
    },
    remove(task) {
      waiting.delete(task);
    },
    cancel() {
      const tasks = [...waiting];
      waiting.clear();
      for (const task of tasks) task.cancel();
    },
  };
}
