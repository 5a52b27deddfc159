/**
 * A pool of worker threads for work that would block the main thread. If a thread cannot start, only the tasks that wait for a
 * thread fail; running tasks continue.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import type { Task, TaskQueue, Tinypool, Transferable } from 'tinypool';
import { isOutOfResources } from '../failure/failure.ts';
import { unlessAborted } from './signals.ts';
import { anyHasGrown, endBetweenCalls, newThreadGuard, type ThreadGuard } from './thread-guard.ts';

interface ThreadsOptions {
  /** Path of the worker's file, which exports one function that takes a task and returns a promise of the answer. */
  readonly filename: string;
  /** Number of threads that `prepare` or the first task starts. */
  readonly minThreads: number;
  readonly maxThreads: number;
  /** Maximum number of concurrent tasks in one thread. Default: 1. */
  readonly concurrentTasksPerWorker?: number;
}

export interface ThreadPool<Input, Answer> extends AsyncDisposable {
  /** Starts `minThreads` threads before the first task. Never rejects. */
  readonly prepare: () => Promise<void>;
  /**
   * Runs a task. Aborting the signal ends the task.
   * @throws the worker's error; the signal's reason; Error (see isOutOfResources) if no thread could start
   */
  readonly run: (task: Input, options?: ThreadRunOptions) => Promise<Answer>;
}

interface ThreadRunOptions {
  readonly signal?: AbortSignal;
  /** Objects to transfer to the thread. */
  readonly transferList?: (MessagePort | ArrayBuffer)[];
}

/**
 * The longest delay of a timer, so that idle threads are never ended. In Electron, ending a thread may hang forever
 * (docs/decisions/0024-processes-not-threads.md), and there are only a few threads.
 */
const idleTimeoutMs = 2 ** 31 - 1;

/** How long disposal waits for the threads to end. Threads that are still running end with the process. */
const disposeTimeoutMs = 1000;

/**
 * Loads the thread pool library. Call this function before the first task. Otherwise the first task loads the library, and if that
 * fails (no free file descriptor), Node does not retry the import during the life of the process.
 * @throws Error from Node
 */
export async function loadThreadPool(): Promise<void> {
  await importTinypool();
}

/**
 * Returns a pool. Its threads start with the first task or `prepare`. After a task whose thread keeps too much memory
 * (worker-function.ts), later tasks run in new threads.
 */
export function openThreadPool<Input, Answer>(options: ThreadsOptions): ThreadPool<Input, Answer> {
  let current: Threads | undefined;
  const open = (): Threads => {
    const threads: Threads = {
      opened: openPool(options).catch((problem: unknown) => {
        // The next task tries again to open the pool.
        if (current === threads) current = undefined;
        throw problem;
      }),
      tasks: 0,
    };
    return threads;
  };
  /** Opens new threads in the place of these, which end when their last task has ended. No task waits for that. */
  const replace = (threads: Threads) => {
    if (current !== threads) return;
    current = open();
    current.opened.catch(() => {});
  };
  const endIfReplaced = ({ opened, tasks }: Threads) => {
    if (tasks === 0 && current?.opened !== opened)
      void opened.then((pool) => destroy(pool, { ref: false })).catch(() => {});
  };
  return {
    async prepare() {
      current ??= open();
      await current.opened.catch(() => {});
    },
    async run(task, runOptions = {}) {
      runOptions.signal?.throwIfAborted();
      const threads = (current ??= open());
      threads.tasks += 1;
      try {
        const { start, ...opened } = await threads.opened;
        runOptions.signal?.throwIfAborted();
        const onOutOfMemory = () => {
          replace(threads);
        };
        const running = runIn(opened, task, { ...runOptions, onOutOfMemory });
        const answer = (await running.catch(withStartProblem(start))) as Answer;
        if (anyHasGrown(opened.guard)) replace(threads);
        return answer;
      } catch (problem) {
        runOptions.signal?.throwIfAborted();
        throw problem;
      } finally {
        threads.tasks -= 1;
        endIfReplaced(threads);
      }
    },
    async [Symbol.asyncDispose]() {
      const opened = await current?.opened.catch(() => undefined);
      if (opened !== undefined)
        await Promise.race([destroy(opened), pause(disposeTimeoutMs, undefined, { ref: false })]);
    },
  };
}

async function destroy({ pool, guard }: OpenedPool, options?: { readonly ref: false }): Promise<void> {
  let destroyed: Promise<void> | undefined;
  const end = () => {
    destroyed = pool.destroy();
  };
  await endBetweenCalls(guard, end, options);
  await destroyed;
}

interface RunInOptions extends ThreadRunOptions {
  /** Called when the thread of the task has ended for lack of memory. It may have been in a guarded call, which then never ends. */
  readonly onOutOfMemory: () => void;
}

/** Runs a task. If the signal aborts, rejects immediately, and ends the thread after the running guarded calls (thread-guard.ts). */
async function runIn(
  { pool, guard }: Pick<OpenedPool, 'pool' | 'guard'>,
  task: unknown,
  { signal, onOutOfMemory, ...options }: RunInOptions,
): Promise<unknown> {
  const run = (end?: AbortSignal) =>
    (pool.run(task, { ...options, ...(end && { signal: end }) }) as Promise<unknown>).catch(
      (problem: unknown) => {
        if (isOutOfMemory(problem)) onOutOfMemory();
        throw problem;
      },
    );
  if (signal === undefined) return run();
  const end = new AbortController();
  const onAbort = () => {
    void endBetweenCalls(guard, () => {
      end.abort();
    });
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await unlessAborted(signal, run(end.signal));
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Shorter arrays are copied: detaching them would save nothing. */
const minTransferBytes = 500_000;

/**
 * Returns the buffers of the arrays that a message should transfer, because copying them would block the main thread. An array that
 * is only part of its buffer is copied.
 */
export function transferable(arrays: readonly Uint8Array[]): ArrayBuffer[] {
  const buffers = arrays
    .filter(({ byteLength, buffer }) => byteLength >= minTransferBytes && byteLength === buffer.byteLength)
    .map(({ buffer }) => buffer)
    .filter((buffer) => buffer instanceof ArrayBuffer);
  return [...new Set(buffers)];
}

/** Returns the answer of a worker in the form in which the pool transfers its arrays instead of copying them. */
export async function transferred<Answer extends object>(
  answer: Answer,
  arrays: readonly Uint8Array[],
): Promise<Answer> {
  const buffers = transferable(arrays);
  if (buffers.length === 0) return answer;
  const { Tinypool } = await importTinypool();
  const { transferableSymbol, valueSymbol } = Tinypool;
  const movable = { [transferableSymbol]: buffers, [valueSymbol]: answer };
  return Tinypool.move(movable as unknown as Transferable) as unknown as Answer;
}

interface Threads {
  readonly opened: Promise<OpenedPool>;
  /** The number of tasks that run or wait. */
  tasks: number;
}

interface OpenedPool {
  readonly pool: Tinypool;
  readonly guard: ThreadGuard;
  /** The error of the last thread that could not start. */
  readonly start: { readonly problem?: Error };
}

/** A dynamic import, because tinypool is ESM only and the service is CommonJS. */
function importTinypool() {
  return import('tinypool');
}

async function openPool(options: ThreadsOptions): Promise<OpenedPool> {
  const { Tinypool } = await importTinypool();
  const guard = newThreadGuard();
  const pool = new Tinypool({
    ...options,
    workerData: guard,
    idleTimeout: idleTimeoutMs,
    taskQueue: openQueue(),
  });
  const start: { problem?: Error } = {};
  // Without a listener, an error of an idle thread would end the service.
  pool.setMaxListeners(0).on('error', (problem: Error) => {
    if (!isOutOfResources(problem)) return;
    // The pool does not report this error to the waiting tasks. They would wait until a later task starts a thread.
    start.problem = problem;
    pool.cancelPendingTasks();
  });
  return { pool, guard, start };
}

/** Returns whether a thread has ended because its heap is full. */
function isOutOfMemory(problem: unknown): boolean {
  return problem instanceof Error && 'code' in problem && problem.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Returns a function that throws why the threads of a pool did not start, instead of the error of a task that was then cancelled. */
function withStartProblem(start: OpenedPool['start']): (problem: unknown) => never {
  return (problem) => {
    throw isCancelled(problem) ? (start.problem ?? problem) : problem;
  };
}

function isCancelled(problem: unknown): boolean {
  return problem instanceof Error && problem.name === 'CancelError';
}

/**
 * Returns a queue of tasks that wait for a thread. Tinypool's own queue throws if a signal aborts a task that has already left the
 * queue.
 */
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
