/**
 * The page's clock: `Date`, `performance.now`, timers and animation frames of one document. It runs in real time until `hold` is
 * called. Then only `advanceTo` moves it, and settling runs timers and frames in the order in which they are due (`next`). Part of
 * the page script `settling`.
 */
import { named } from './replacements.ts';

type Callback = (...parameters: unknown[]) => unknown;

interface Timer {
  readonly id: number;
  readonly callback: Callback;
  /** Milliseconds between two runs; undefined if the timer runs once. */
  readonly interval: number | undefined;
  /** Page time in milliseconds since the document began. */
  due: number;
  readonly setAt: Moment;
  /**
   * Whether the timer is the timeout of a request that settling no longer waits for. Such a timer does not run while the clock is
   * held.
   */
  isHeldBack: boolean;
  /** Id of the native timer that runs this timer while the clock is not held. */
  native: number;
  /** An error whose stack shows where the timer was set; undefined if timers are not traced. */
  readonly error: Error | undefined;
}

/** When something was called. */
export interface Moment {
  /** Page time in milliseconds. */
  readonly time: number;
  /** The number of the task of the page that called it. */
  readonly task: number;
}

/** A callback that is due while the clock is held. */
export interface DueTimer {
  /** Page time in milliseconds. */
  readonly at: number;
  readonly kind: 'timer' | 'frame' | 'idle callback' | 'animation';
  readonly run: () => void;
}

/** https://wicg.github.io/scheduling-apis/#scheduler */
interface Scheduler {
  postTask: (task: () => unknown, options?: TaskOptions) => Promise<unknown>;
}

interface TaskOptions {
  /** Milliseconds. */
  readonly delay?: number;
  readonly signal?: AbortSignal;
  readonly priority?: string;
}

/** Milliseconds between two frames at 60 frames/s. */
const frameTimeMs = 1000 / 60;
/**
 * The longest wait for a browser frame in milliseconds, and the number of such waits in a row that end without a frame before it
 * is no longer waited for. A page always gets frames, but late on a busy machine. A hidden iframe gets none.
 */
const frameWaits = {
  page: { timeoutMs: 500, maxMissed: 4 },
  iframe: { timeoutMs: 100, maxMissed: 1 },
} as const;
/** Higher than native timer ids, so that the ids differ from those of native timers that a page may also have. */
const firstTimerId = 1_000_000_000;
/** The longest delay of a native timer in milliseconds. Longer delays count as 0. */
const maxDelayMs = 2 ** 31 - 1;
/** HTML, 8.6: timers nested deeper than this wait at least 4 ms. */
const clampedNesting = 5;
const clampedDelayMs = 4;
/**
 * A timer counts as the timeout of a request if its delay is at least `minTimeoutMs` and it was set in the task that sent the
 * request, or at most `nearbyMs` before or after the request.
 */
const minTimeoutMs = 500;
const nearbyMs = 5;

export class PageClock {
  readonly #traced: boolean;
  readonly #setTimeout = globalThis.setTimeout;
  readonly #clearTimeout = globalThis.clearTimeout;
  readonly #requestFrame = globalThis.requestAnimationFrame.bind(globalThis);
  readonly #requestIdle = globalThis.requestIdleCallback.bind(globalThis);
  readonly #cancelIdle = globalThis.cancelIdleCallback.bind(globalThis);
  readonly #realNow = performance.now.bind(performance);
  readonly #realDate = Date.now;
  readonly #reportError = globalThis.reportError.bind(globalThis);
  readonly #postTask = nativePostTask();

  readonly #timers = new Map<number, Timer>();
  readonly #frames = new Map<number, FrameRequestCallback>();
  readonly #idle = new Map<number, { readonly callback: IdleRequestCallback; native: number }>();
  #timerId = firstTimerId;
  #frameId = 0;
  #idleId = 0;
  /** Milliseconds by which the page's clock is ahead of real time. */
  #aheadMs = 0;
  #isHeld = false;
  #task = 0;
  /** Whether `#task` is the number of the running task. */
  #isTaskRunning = false;
  #isFrameRequested = false;
  /** The number of waits for a browser frame, in a row, that ended without one. */
  #missedFrames = 0;
  #lastFrame = 0;
  #timerRanAt = -Infinity;
  /** Nesting level of the running timer. */
  #nesting = 0;
  /** Milliseconds of page time between two frames while the clock is held. */
  frameStepMs = frameTimeMs;

  /** `traced`: whether to record which line of the page sets each timer. */
  constructor(traced: boolean) {
    this.#traced = traced;
  }

  /** Installs the clock. Call it before the page's scripts run. */
  install(): void {
    this.#installDates();
    this.#installTimers();
    this.#installDelayedTasks();
    this.#installFrames();
  }

  /** Returns page time: the value of the page's `performance.now()`. */
  now(): number {
    return this.#realNow() + this.#aheadMs;
  }

  /** Returns real time: the native value of `performance.now()`. */
  realNow(): number {
    return this.#realNow();
  }

  /** Returns the current time and task of the page. */
  moment(): Moment {
    if (!this.#isTaskRunning) {
      this.#task += 1;
      this.#isTaskRunning = true;
      // A task of the highest priority follows the running one. It is rejected if the document ends before.
      this.#postTask(
        () => {
          this.#isTaskRunning = false;
        },
        { priority: 'user-blocking' },
      ).catch(() => {});
    }
    return { time: this.now(), task: this.#task };
  }

  /** Resolves after this many milliseconds of real time. */
  realPause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#setTimeout.call(globalThis, resolve, milliseconds);
    });
  }

  /**
   * Resolves in the next browser frame, in which scroll events, observers and animation events are dispatched. If no frame occurs
   * in time (see `frameWaits`), resolves without one.
   */
  async realFrame(): Promise<void> {
    const frame = new Promise<void>((resolve) => {
      this.#requestFrame(() => {
        // The frame may occur only after the timeout.
        this.#missedFrames = 0;
        resolve();
      });
    });
    const { timeoutMs, maxMissed } = window === window.top ? frameWaits.page : frameWaits.iframe;
    const timedOut = this.realPause(this.#missedFrames < maxMissed ? timeoutMs : 0).then(() => 'timed out');
    if ((await Promise.race([frame, timedOut])) === 'timed out') this.#missedFrames += 1;
  }

  /** Holds the clock: Chromium no longer runs timers, frames and idle callbacks of the page. */
  hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#timers.forEach((timer) => {
      this.#clearTimeout.call(globalThis, timer.native);
    });
    this.#idle.forEach(({ native }) => {
      this.#cancelIdle(native);
    });
  }

  /** Releases the clock: Chromium runs timers, frames and idle callbacks when they are due. */
  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#timers.forEach((timer) => {
      this.#startNative(timer);
    });
    this.#idle.forEach((_, id) => {
      this.#startIdle(id, {});
    });
    if (this.#frames.size > 0) this.#requestRealFrame();
  }

  /** Returns the callback that is due first; undefined if there is none. `frames`: whether to include animation frames. */
  next(frames: boolean): DueTimer | undefined {
    let first: Timer | undefined;
    this.#timers.forEach((timer) => {
      if (!timer.isHeldBack && (first === undefined || timer.due < first.due)) first = timer;
    });
    const timer = first;
    const frameAt = this.#lastFrame + this.frameStepMs;
    const [idle] = this.#idle.keys();
    if (idle !== undefined)
      return {
        at: this.now(),
        kind: 'idle callback',
        run: () => {
          this.#runIdle(idle);
        },
      };
    if (frames && this.#frames.size > 0 && (timer === undefined || frameAt <= timer.due))
      return this.frameDue(frameAt);
    if (timer === undefined) return undefined;
    return {
      at: timer.due,
      kind: 'timer',
      run: () => {
        this.#runTimer(timer);
      },
    };
  }

  /** Returns a frame that is due at this page time, with all animation callbacks. */
  frameDue(at: number): DueTimer {
    return {
      at,
      kind: 'frame',
      run: () => {
        this.#runFrames();
      },
    };
  }

  /** Advances page time to `time`; never moves it back. */
  advanceTo(time: number): void {
    this.#aheadMs += Math.max(0, time - this.now());
  }

  /**
   * Keeps the timeouts of a request from running while the clock is held, because settling no longer waits for that request. They
   * are the long timers that were set together with the request.
   */
  holdBackTimeouts(sent: Moment): void {
    this.#timers.forEach((timer) => {
      const { time, task } = timer.setAt;
      const isLong = timer.interval === undefined && timer.due - time >= minTimeoutMs;
      const isTogether = task === sent.task || Math.abs(time - sent.time) <= nearbyMs;
      if (isLong && isTogether) timer.isHeldBack = true;
    });
  }

  /** Returns whether a timer is due by `until` that was set at `since` or later or, if `repeating`, that runs repeatedly. */
  hasTimer(since: number, until: number, repeating: boolean): boolean {
    const isMatch = ({ interval, setAt, due }: Timer) =>
      due <= until && (interval === undefined ? setAt.time >= since : repeating);
    return [...this.#timers.values()].some(isMatch);
  }

  /** The timers that have not run yet. `from`: address and line of the script that set it; undefined if unknown. */
  get pendingTimers(): readonly (Pick<Timer, 'due' | 'interval'> & { readonly from: string | undefined })[] {
    return [...this.#timers.values()].map(({ due, interval, error }) => ({
      due,
      interval,
      from: callSite(error?.stack),
    }));
  }

  /** Page time at which a timer ran last, in milliseconds. */
  get timerRanAt(): number {
    return this.#timerRanAt;
  }

  get hasFrames(): boolean {
    return this.#frames.size > 0;
  }

  #installDates(): void {
    const RealDate = Date;
    const dateNow = () => this.#realDate.call(RealDate) + Math.round(this.#aheadMs);
    const PageDate = new Proxy(RealDate, {
      construct: (target, parameters: unknown[], newTarget: new () => object) =>
        Reflect.construct(target, parameters.length === 0 ? [dateNow()] : parameters, newTarget) as object,
      apply: () => new RealDate(dateNow()).toString(),
    });
    RealDate.now = named('now', dateNow);
    Object.defineProperty(RealDate.prototype, 'constructor', {
      value: PageDate,
      writable: true,
      configurable: true,
    });
    Object.defineProperty(globalThis, 'Date', { value: PageDate, writable: true, configurable: true });
    Performance.prototype.now = named('now', () => this.now());
  }

  #installTimers(): void {
    const evaluate = globalThis.eval;
    const setTimer = (repeats: boolean, [handler, delay, ...parameters]: unknown[]): number => {
      const callback =
        typeof handler === 'function'
          ? () => (handler as Callback).apply(globalThis, parameters)
          : () => evaluate(String(handler)) as unknown;
      return this.#addTimer(callback, Number(delay), repeats);
    };
    const nativeClear = this.#clearTimeout;
    const clearTimer = (id: unknown) => {
      const timer = this.#timers.get(Number(id));
      if (timer === undefined) {
        nativeClear.call(globalThis, id as number);
        return;
      }
      nativeClear.call(globalThis, timer.native);
      this.#timers.delete(timer.id);
    };
    Object.assign(globalThis, {
      setTimeout: named('setTimeout', (...parameters: unknown[]) => setTimer(false, parameters)),
      setInterval: named('setInterval', (...parameters: unknown[]) => setTimer(true, parameters)),
      clearTimeout: named('clearTimeout', clearTimer),
      clearInterval: named('clearInterval', clearTimer),
    });
  }

  /** Replaces `AbortSignal.timeout` and `scheduler.postTask`, so that their delays are in page time. */
  #installDelayedTasks(): void {
    AbortSignal.timeout = named('timeout', (delay: number) => {
      const controller = new AbortController();
      const abort = () => {
        controller.abort(new DOMException('signal timed out', 'TimeoutError'));
      };
      this.#addTimer(abort, delay, false);
      return controller.signal;
    });
    const { scheduler } = globalThis as { scheduler?: Scheduler };
    if (scheduler === undefined) return;
    const post = scheduler.postTask.bind(scheduler);
    scheduler.postTask = named('postTask', async (task, { delay = 0, ...options } = {}) => {
      const { signal } = options;
      signal?.throwIfAborted();
      if (delay > 0)
        await new Promise<void>((resolve, reject) => {
          this.#addTimer(
            () => {
              resolve();
            },
            delay,
            false,
          );
          signal?.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        });
      return post(task, options);
    });
  }

  #addTimer(callback: Callback, delay: number, repeats: boolean): number {
    const nesting = this.#nesting + 1;
    const delayMs = delay > 0 && delay <= maxDelayMs ? delay : 0;
    const waitMs = nesting > clampedNesting || repeats ? Math.max(delayMs, clampedDelayMs) : delayMs;
    const nested = () => {
      this.#nesting = nesting;
      try {
        callback();
      } finally {
        this.#nesting = 0;
      }
    };
    this.#timerId += 1;
    const timer: Timer = {
      id: this.#timerId,
      callback: nested,
      interval: repeats ? waitMs : undefined,
      due: this.now() + waitMs,
      setAt: this.moment(),
      isHeldBack: false,
      native: 0,
      error: this.#traced ? new Error() : undefined,
    };
    this.#timers.set(timer.id, timer);
    if (!this.#isHeld) this.#startNative(timer);
    return timer.id;
  }

  #startNative(timer: Timer): void {
    const run = () => {
      this.#runTimer(timer);
    };
    timer.native = Number(this.#setTimeout.call(globalThis, run, Math.max(0, timer.due - this.now())));
  }

  #runTimer(timer: Timer): void {
    this.#timerRanAt = this.now();
    if (timer.interval === undefined) this.#timers.delete(timer.id);
    else {
      timer.due = Math.max(timer.due + timer.interval, this.now());
      if (!this.#isHeld) this.#startNative(timer);
    }
    timer.callback();
  }

  #installFrames(): void {
    globalThis.requestAnimationFrame = named('requestAnimationFrame', (callback: FrameRequestCallback) => {
      this.#frameId += 1;
      this.#frames.set(this.#frameId, callback);
      if (!this.#isHeld) this.#requestRealFrame();
      return this.#frameId;
    });
    globalThis.cancelAnimationFrame = named('cancelAnimationFrame', (id: number) => {
      this.#frames.delete(id);
    });
    globalThis.requestIdleCallback = named(
      'requestIdleCallback',
      (callback: IdleRequestCallback, options?: IdleRequestOptions) => {
        this.#idleId += 1;
        this.#idle.set(this.#idleId, { callback, native: 0 });
        if (!this.#isHeld) this.#startIdle(this.#idleId, options ?? {});
        return this.#idleId;
      },
    );
    globalThis.cancelIdleCallback = named('cancelIdleCallback', (id: number) => {
      const waiting = this.#idle.get(id);
      if (waiting !== undefined) this.#cancelIdle(waiting.native);
      this.#idle.delete(id);
    });
  }

  #requestRealFrame(): void {
    if (this.#isFrameRequested) return;
    this.#isFrameRequested = true;
    this.#requestFrame(() => {
      this.#isFrameRequested = false;
      // While the clock is held, settling runs the frames; see `next`.
      if (!this.#isHeld) this.#runFrames();
    });
  }

  #runFrames(): void {
    this.#lastFrame = this.now();
    const due = [...this.#frames];
    for (const [id, callback] of due) {
      // An earlier callback of this frame may have cancelled this one.
      if (!this.#frames.delete(id)) continue;
      try {
        callback(this.#lastFrame);
      } catch (problem) {
        this.#reportError(problem);
      }
    }
  }

  #startIdle(id: number, options: IdleRequestOptions): void {
    const waiting = this.#idle.get(id);
    if (waiting === undefined) return;
    waiting.native = this.#requestIdle((deadline) => {
      this.#idle.delete(id);
      waiting.callback(deadline);
    }, options);
  }

  #runIdle(id: number): void {
    const waiting = this.#idle.get(id);
    this.#idle.delete(id);
    waiting?.callback({ didTimeout: false, timeRemaining: () => 49 });
  }
}

/** Returns the native `scheduler.postTask`, or a function that posts an ordinary task. */
export function nativePostTask(): Scheduler['postTask'] {
  const { scheduler, setTimeout } = globalThis as unknown as {
    readonly scheduler?: Scheduler;
    readonly setTimeout: typeof globalThis.setTimeout;
  };
  if (scheduler !== undefined) return scheduler.postTask.bind(scheduler);
  return async (task) => {
    await new Promise<void>((resolve) => setTimeout.call(globalThis, resolve, 0));
    return task();
  };
}

/** Returns the address and line of the innermost call outside this script; undefined if there is none. */
function callSite(stack: string | undefined): string | undefined {
  const calls = (stack ?? '').split('\n').slice(1);
  const line = calls.find((call) => !call.includes('platen-settling'));
  return /[ (]([^ (]+:\d+):\d+\)?$/.exec(line ?? '')?.[1];
}
