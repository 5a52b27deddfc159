/** Owns the windows: hands out idle ones, opens new ones if none is idle, and cleans or replaces returned ones. */
import type { ServiceLog } from '../../log/service-log.ts';
import { openBackPressure, type BackPressure } from '../health/back-pressure.ts';
import { hasShownSeveralSites, mayShow } from './site-isolation.ts';
import { conventionStyles } from '../loading/inline-document.ts';
import { recycle } from './recycle.ts';
import { memoryShortCause, replacementReason, type ReplacementReason } from './replacement.ts';
import { BrowserContexts, type NetworkOptions } from './browser-contexts.ts';
import { windowKinds, type EngineWindow, type WindowKind } from './engine-window.ts';
import { destroyWindow, openWindow } from './window.ts';
import { withTimeout } from '../../async/signals.ts';

export interface WindowPoolOptions {
  /** Number of idle windows to keep of each kind. */
  readonly workers: number;
  /** Class-name prefixes of the markup conventions, such as `service`. */
  readonly prefixes: readonly string[];
  /** Number of jobs after which a window is replaced (setting window-jobs). */
  readonly windowJobs: number;
  readonly network: NetworkOptions;
  readonly log: ServiceLog;
  /** Called for each replaced window. */
  readonly onReplaced?: (why: ReplacementReason) => void;
}

interface WindowCount {
  readonly idle: number;
  /** Number of windows that a job uses or that are being cleaned after a job. */
  readonly working: number;
}

export interface WindowRequest {
  readonly kind: WindowKind;
  /** Returns whether an idle window suits the job better than others of its kind. */
  readonly isPreferred: (window: EngineWindow) => boolean;
  /** The site of the page to show (site-isolation.ts). A window that has shown another one is not used. */
  readonly site: string;
}

/** Time that idle windows beyond `workers` stay open. Jobs come in bursts, and opening a window takes as long as a job. */
const spareTimeoutMs = 10_000;

/** Longer than cleaning a window ever takes. */
const cleaningTimeoutMs = 5000;

/** The windows opened between two calls of `replaceAll`. */
interface Generation {
  /** Why these windows must not be used again; undefined while they may be used. */
  replacedFor: string | undefined;
}

/** The windows of one kind. */
interface Windows {
  readonly idle: EngineWindow[];
  readonly working: Set<EngineWindow>;
  /** A window that is being opened before a job needs it. */
  opening: Promise<EngineWindow> | undefined;
  generation: Generation;
}

export class WindowPool implements AsyncDisposable {
  readonly #options: WindowPoolOptions;
  readonly #contexts: BrowserContexts;
  readonly #windows: Readonly<Record<WindowKind, Windows>> = {
    static: emptyWindows(),
    dynamic: emptyWindows(),
  };
  readonly #generations = new WeakMap<EngineWindow, Generation>();
  /** Opened after the first window, whose start it would delay. Only windows with a job need it. */
  #backPressure: BackPressure | undefined;
  /** Closes the idle windows beyond `workers` when it fires. */
  #spareTimer: NodeJS.Timeout | undefined;
  readonly #closing = new Set<Promise<unknown>>();

  private constructor(options: WindowPoolOptions) {
    this.#options = options;
    this.#contexts = new BrowserContexts(options);
  }

  /** Opens the pool with one idle static window, and starts opening a dynamic window. @throws Error if no window opens */
  static async open(options: WindowPoolOptions): Promise<WindowPool> {
    const pool = new WindowPool(options);
    pool.#windows.static.idle.push(await pool.#open('static'));
    pool.#backPressure = openBackPressure({
      processes: () => windowKinds.flatMap((kind) => [...pool.#windows[kind].working].map(processIdOf)),
      onLost(err) {
        options.log.error(
          { err },
          'back-pressure failed: pages that flood the service with messages are no longer stopped',
        );
      },
    });
    pool.#openAhead('dynamic');
    return pool;
  }

  get counts(): Readonly<Record<WindowKind, WindowCount>> {
    return { static: this.#countOf('static'), dynamic: this.#countOf('dynamic') };
  }

  /** Returns a window for one job. @throws Error if no window could be opened */
  async acquire(request: WindowRequest): Promise<EngineWindow> {
    const window = (await this.#acquireIdle(request)) ?? (await this.#acquireNew(request));
    window.site = request.site;
    const { working } = this.#windows[request.kind];
    working.add(window);
    if (working.size > this.#options.workers) this.#spareTimer?.refresh();
    this.#backPressure?.update();
    return window;
  }

  /** Cleans the window for the next job, or replaces it. Never rejects. */
  async release(window: EngineWindow): Promise<void> {
    const { idle, working } = this.#windows[window.kind];
    try {
      if (this.#isUsable(window) && hasShownSeveralSites(window)) await this.#close(window);
      else if (!(await this.#prepareForReuse(window))) await this.#replace(window);
      else {
        window.context.logTarget.log = this.#options.log;
        idle.push(window);
        if (idle.length > this.#options.workers) this.#closeSpareLater();
      }
    } finally {
      working.delete(window);
    }
    this.#backPressure?.update();
  }

  /**
   * Ensures that no current window, of one kind or both, is used for another job. A window with a job is replaced after the job. An
   * idle window is replaced when a job would use it.
   */
  replaceAll(why: string, only?: WindowKind): void {
    for (const kind of only === undefined ? windowKinds : [only]) {
      const windows = this.#windows[kind];
      windows.generation.replacedFor = why;
      windows.generation = { replacedFor: undefined };
    }
  }

  /** Closes the idle windows to free memory. Never rejects. */
  async closeIdle(): Promise<void> {
    const idle = this.#takeIdle();
    for (const window of idle) window.brokenReason ??= memoryShortCause;
    await Promise.allSettled(idle.map((window) => this.#replace(window)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#backPressure?.[Symbol.asyncDispose]();
    clearTimeout(this.#spareTimer);
    await Promise.allSettled(this.#closing);
    for (const kind of windowKinds) await this.#windows[kind].opening?.catch(() => {});
    const idle = this.#takeIdle();
    await Promise.all(idle.map(destroyWindow));
    await this.#contexts.dispose(idle.map(({ context }) => context));
  }

  #countOf(kind: WindowKind): WindowCount {
    const { idle, working } = this.#windows[kind];
    return { idle: idle.length, working: working.size };
  }

  async #acquireIdle({ kind, isPreferred, site }: WindowRequest): Promise<EngineWindow | undefined> {
    const { idle } = this.#windows[kind];
    const suits = (window: EngineWindow) => mayShow(window, site);
    const take = () =>
      takeLast(idle, (window) => suits(window) && isPreferred(window)) ?? takeLast(idle, suits);
    for (let window = take(); window !== undefined; window = take()) {
      if (this.#isUsable(window)) return window;
      // The window lost its renderer while idle, or must be replaced.
      await this.#replace(window);
    }
    return undefined;
  }

  async #acquireNew({ kind }: WindowRequest): Promise<EngineWindow> {
    const windows = this.#windows[kind];
    const { idle, opening } = windows;
    windows.opening = undefined;
    // These windows have shown other sites. Some of them stay for jobs that alternate between sites.
    this.#closeOldest(idle, idle.length + 1 - this.#options.workers);
    // If the window that was opened ahead failed to open, this attempt may still succeed.
    return (await opening?.catch(() => undefined)) ?? (await this.#open(kind));
  }

  /** Starts opening a window before a job needs it. Ignores errors, because a job that finds no window opens one itself. */
  #openAhead(kind: WindowKind): void {
    const windows = this.#windows[kind];
    const opening = this.#open(kind);
    windows.opening = opening;
    const onSettled = (window?: EngineWindow) => {
      // A job has taken this window.
      if (windows.opening !== opening) return;
      windows.opening = undefined;
      if (window !== undefined) windows.idle.push(window);
    };
    opening.then(onSettled, () => {
      onSettled();
    });
  }

  /** Opens a window. Tries twice, because a new renderer may be lost immediately. */
  async #open(kind: WindowKind): Promise<EngineWindow> {
    return await this.#openOnce(kind).catch(() => this.#openOnce(kind));
  }

  async #openOnce(kind: WindowKind): Promise<EngineWindow> {
    const { generation } = this.#windows[kind];
    const context = await this.#contexts.acquire();
    try {
      const window = await openWindow(kind, context, conventionStyles(this.#options.prefixes));
      this.#generations.set(window, generation);
      return window;
    } catch (problem) {
      await this.#contexts.release(context);
      throw problem;
    }
  }

  #isUsable(window: EngineWindow): boolean {
    window.brokenReason ??= this.#generations.get(window)?.replacedFor;
    return window.brokenReason === undefined;
  }

  async #prepareForReuse(window: EngineWindow): Promise<boolean> {
    if (window.jobCount >= this.#options.windowJobs || !this.#isUsable(window)) return false;
    try {
      await withTimeout(cleaningTimeoutMs, recycle(window));
    } catch (problem) {
      window.brokenReason = `not cleaned: ${String(problem)}`;
    }
    // The window may have been lost or replaced during the cleaning.
    return this.#isUsable(window);
  }

  #closeSpareLater(): void {
    this.#spareTimer ??= setTimeout(() => {
      this.#closeSpare();
    }, spareTimeoutMs).unref();
  }

  /** Closes the idle windows beyond `workers` of each kind, starting with those that have been idle longest. */
  #closeSpare(): void {
    this.#spareTimer = undefined;
    for (const kind of windowKinds) {
      const { idle } = this.#windows[kind];
      this.#closeOldest(idle, idle.length - this.#options.workers);
    }
  }

  #closeOldest(idle: EngineWindow[], count: number): void {
    for (const window of idle.splice(0, Math.max(0, count))) {
      const closing = (this.#isUsable(window) ? this.#close(window) : this.#replace(window)).catch(() => {});
      this.#closing.add(closing);
      void closing.then(() => this.#closing.delete(closing));
    }
  }

  async #replace(window: EngineWindow): Promise<void> {
    const { brokenReason, jobCount, context } = window;
    this.#options.onReplaced?.(replacementReason(brokenReason));
    const { log } = context.logTarget;
    if (brokenReason === undefined)
      log.debug({ jobs: jobCount }, 'a window has served window-jobs jobs and is replaced');
    else log.info({ why: brokenReason }, 'a window is replaced');
    await this.#close(window);
  }

  async #close(window: EngineWindow): Promise<void> {
    await destroyWindow(window);
    await this.#contexts.release(window.context);
  }

  #takeIdle(): readonly EngineWindow[] {
    return windowKinds.flatMap((kind) => this.#windows[kind].idle.splice(0));
  }
}

function emptyWindows(): Windows {
  return { idle: [], working: new Set(), opening: undefined, generation: { replacedFor: undefined } };
}

/** Removes and returns the most recently used window that fulfils the condition; undefined if no idle window does. */
function takeLast(
  idle: EngineWindow[],
  condition: (window: EngineWindow) => boolean,
): EngineWindow | undefined {
  const index = idle.findLastIndex(condition);
  return index === -1 ? undefined : idle.splice(index, 1)[0];
}

/** Returns the process id of the window's renderer; 0 if the renderer is lost. */
function processIdOf({ contents }: EngineWindow): number {
  return contents.isDestroyed() ? 0 : contents.getOSProcessId();
}
