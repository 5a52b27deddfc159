/**
 * Script that runs in a worker before the worker's own scripts. It tracks the worker's pending requests, timers and other work. The
 * service asks it through the global `Symbol.for('platen.worker-activity')` (devtools/worker-sessions.ts).
 */
import { watchComputations } from './settling/computations.ts';
import { isLongPoll } from './settling/polling.ts';
import { named, replaceMethod, watchConstructor } from './settling/replacements.ts';
import { watchBodies, watchStreams } from './settling/streams.ts';

export interface WorkerState {
  /** A description of the work that is pending; empty if there is none. */
  readonly busy: string;
  /** The number of tasks that the worker has begun. */
  readonly activity: number;
}

/** Longest waits in milliseconds. */
const timeoutsMs = {
  request: 3000,
  longPoll: 700,
  chunk: 1300,
  computation: Infinity,
  resource: 3000,
} as const;
/** Timers set by more than this many timers in a row may be endless. They count for `endlessTimersMs` after the worker's start. */
const maxNesting = 5;
const endlessTimersMs = 1500;

interface PendingTask {
  readonly name: string;
  /** Time until which the work counts. */
  readonly until: number;
}

class WorkerActivity {
  readonly #now = performance.now.bind(performance);
  readonly #startedAt = this.#now();
  readonly #work = new Set<PendingTask>();
  /** The timers that run once, by id. */
  readonly #timers = new Map<number, { readonly due: number; readonly nesting: number }>();
  readonly #setTimeout = globalThis.setTimeout.bind(globalThis);
  #nesting = 0;
  #activity = 0;

  install(): void {
    this.#watchTimers();
    this.#watchRequests();
    watchStreams((isFirst) => this.#begin('a stream', timeoutsMs[isFirst ? 'chunk' : 'longPoll']));
    watchComputations((kind, name) => this.#begin(name, timeoutsMs[kind]));
    addEventListener('message', () => {
      this.#activity += 1;
    });
  }

  /** Returns the state after the tasks that are queued now. Timers that are due later than in `limit` milliseconds do not count. */
  async state(limit: number): Promise<WorkerState> {
    await this.#queuedTasks();
    const now = this.#now();
    const work = [...this.#work].find(({ until }) => now <= until);
    const mayBeEndless = now - this.#startedAt > endlessTimersMs;
    const isTimed = [...this.#timers.values()].some(
      ({ due, nesting }) => due <= now + limit && (nesting <= maxNesting || !mayBeEndless),
    );
    return { busy: work?.name ?? (isTimed ? 'a timer' : ''), activity: this.#activity };
  }

  /** Resolves after queued messages, which have a higher priority than the task that this function posts. */
  async #queuedTasks(): Promise<void> {
    const { scheduler } = globalThis as {
      readonly scheduler?: { postTask: (task: () => void, options: object) => Promise<void> };
    };
    if (scheduler === undefined) await new Promise((resolve) => this.#setTimeout(resolve, 1));
    else await scheduler.postTask(() => {}, { priority: 'background' });
  }

  #begin(name: string, timeoutMs: number): () => void {
    const work = { name, until: this.#now() + timeoutMs };
    this.#work.add(work);
    this.#activity += 1;
    return () => {
      this.#work.delete(work);
    };
  }

  #beginRequest(address: string): () => void {
    return this.#begin(address, timeoutsMs[isLongPoll(address) ? 'longPoll' : 'request']);
  }

  #watchTimers(): void {
    const timers = this.#timers;
    const onRun = (nesting: number, run: () => unknown) => {
      this.#activity += 1;
      this.#nesting = nesting;
      try {
        run();
      } finally {
        this.#nesting = 0;
      }
    };
    // The methods are properties of the prototype.
    const { setTimeout: nativeSet, clearTimeout: nativeClear } = globalThis;
    const set = (handler: unknown, delay: unknown, ...parameters: unknown[]) => {
      if (typeof handler !== 'function')
        return Number(Reflect.apply(nativeSet, globalThis, [handler, delay]));
      const nesting = this.#nesting + 1;
      const run = () => {
        timers.delete(id);
        onRun(nesting, () => Reflect.apply(handler, globalThis, parameters) as unknown);
      };
      const id = Number(Reflect.apply(nativeSet, globalThis, [run, delay]));
      timers.set(id, { due: this.#now() + (Number(delay) || 0), nesting });
      return id;
    };
    const clear = (id: unknown) => {
      timers.delete(Number(id));
      Reflect.apply(nativeClear, globalThis, [id]);
    };
    Object.assign(globalThis, {
      setTimeout: named('setTimeout', set),
      clearTimeout: named('clearTimeout', clear),
      clearInterval: named('clearInterval', clear),
    });
  }

  #watchRequests(): void {
    const begin = (address: string) => this.#beginRequest(address);
    const native = globalThis.fetch;
    globalThis.fetch = named('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
      const response = native.call(globalThis, input, init);
      const end = begin(input instanceof Request ? input.url : String(input));
      response.then(end, end);
      return response;
    });
    watchBodies(begin);
    replaceMethod(XMLHttpRequest.prototype, 'send', (send) => {
      return function (this: unknown, ...parameters: unknown[]) {
        const end = begin('an XMLHttpRequest');
        (this as XMLHttpRequest).addEventListener('loadend', end, { once: true });
        try {
          return Reflect.apply(send, this, parameters);
        } catch (problem) {
          end();
          throw problem;
        }
      };
    });
    // The first message of a connection.
    for (const kind of ['WebSocket', 'EventSource'])
      watchConstructor(kind, (connection) => {
        const end = this.#begin(kind, timeoutsMs.chunk);
        for (const event of ['message', 'error', 'close'])
          (connection as EventTarget).addEventListener(event, end, { once: true });
      });
  }
}

/** Installs the script. */
export function install(): void {
  const key = Symbol.for('platen.worker-activity');
  if (key in globalThis) return;
  const activity = new WorkerActivity();
  activity.install();
  Object.defineProperty(globalThis, key, { value: Object.freeze(activity) });
}
