/**
 * Runs in a page's own world before its scripts. Tracks the page's pending work and fast-forwards its clock ("page
 * time") while it settles. The service calls it by `Symbol.for('platen.settling')`; see loading/page-settler.ts.
 */
import { elementPath } from './element-path.ts';
import { AnimationTracker, SmilClock } from './settling/animations.ts';
import { ChangeTracker, preserveDrawings } from './settling/changes.ts';
import { PageClock, type DueTimer } from './settling/clock.ts';
import { PendingWorkTracker, type PendingWork } from './settling/pending-work.ts';
import { scrollThrough, type ScrolledPage } from './settling/scrolling.ts';
import { VisibilityTracker } from './settling/visibility.ts';

export interface AdvanceOptions {
  /** Page time counts from this call on. */
  readonly restart: boolean;
  /** Addresses of resources that have just arrived. */
  readonly arrived: readonly string[];
  /** The most milliseconds of page time to play. */
  readonly limit: number;
  /** The most milliseconds of real time for this call. */
  readonly budget: number;
  /** The service knows of no pending module, so time may jump. */
  readonly mayJump: boolean;
}

export interface Progress {
  /**
   * quiet: nothing more happens within the limit. waiting: pending work needs real time. more: the budget is used
   * up.
   */
  readonly state: 'quiet' | 'waiting' | 'more';
  readonly pending: readonly PendingWork[];
  /** Milliseconds of page time so far. */
  readonly pageTime: number;
  /** The number of callbacks run in the document's life. */
  readonly frames: number;
  readonly timers: number;
  readonly animations: number;
  /** Descriptions of activity that continues after the limit. */
  readonly endless: readonly string[];
  /** The number of observed targets that have not been visible. */
  readonly hidden: number;
  readonly listensToScroll: boolean;
  /** Page time has to jump next, which is allowed only if no module is pending. The page cannot detect a pending `import()`. */
  readonly isJump: boolean;
  /** Whether the page has module scripts; always false before it is quiet. */
  readonly usesModules: boolean;
  /** Addresses in `arrived` that this frame has not received. */
  readonly missing: readonly string[];
}

/** A timer that has not run yet. Times are in milliseconds. */
export interface DelayedTimer {
  /** Time from now. */
  readonly due: number;
  /** Time after the load event. */
  readonly delay: number;
  /** The line that set it, if known. */
  readonly from: string;
}

/**
 * The longest wait for tasks of the page, and the budget for all such waits, in milliseconds. A page may have
 * endless tasks.
 */
const maxTaskWaitMs = 200;
const taskWaitBudgetMs = 1000;
const minTaskWaitMs = 2;
/** Milliseconds of page time between two frames that change nothing. */
const maxFrameStepMs = 100;
const frameTimeMs = 1000 / 60;
/** By default Chromium keeps 250 entries. */
const maxResourceEntries = 10_000;
/** Limits the real time that frames take: a frame that costs 5 ms advances the page by 40 ms. */
const stepPerCost = 8;
/** After this many frames without a change, frames count as idle. */
const minIdleFrames = 3;
/**
 * Six seconds of frames. A loop that counts frames instead of reading the clock may run this many, also beyond the limit, unless
 * framesBudgetMs is used up before.
 */
const maxFrames = 360;
/** Real milliseconds for all frames that change the page. Frames that continue after that are endless. */
const framesBudgetMs = 700;
/** Milliseconds of real time between two checks of pending work. */
const pollIntervalMs = 4;
/** Shorter delays belong to code that was merely deferred. */
const minReportedDelayMs = 10;
/** Milliseconds of page time between two checks of animations. */
const animationCheckMs = 100;
/** Milliseconds that time may pass without checking for pending modules; fewer in a page that uses modules. */
const maxUnconfirmedJumpMs = { default: 400, modules: 50 } as const;
/** The number of frames played of an endless loop, and their budget in milliseconds. */
const maxEndlessFrames = 20;
const endlessBudgetMs = 50;

class Settling {
  readonly #clock: PageClock;
  readonly #work = new PendingWorkTracker({
    realNow: () => this.#clock.realNow(),
    pageNow: () => this.#clock.now(),
    onIgnored: (setAt) => {
      this.#clock.holdBackTimeouts(setAt);
    },
  });
  readonly #changes = new ChangeTracker((node) => {
    this.#work.watchAdded(node);
  });
  readonly #animations = new AnimationTracker(() => [document, ...this.#changes.shadowRoots()]);
  readonly #smil = new SmilClock();
  readonly #visibility = new VisibilityTracker();
  readonly #channel = new MessageChannel();
  readonly #postTask = (globalThis as Scheduling).scheduler?.postTask.bind(
    (globalThis as Scheduling).scheduler,
  );
  #task: () => void = () => {};
  #startedAt: number | undefined;
  #runCounts = { frame: 0, timer: 0, 'idle callback': 0, animation: 0 };
  #unchangedFrames = 0;
  #framesTookMs = 0;
  #framesAtStart = 0;
  #animationsCheckedAt = -Infinity;
  #arrived: readonly string[] = [];
  #mayJump = true;
  #isJump = false;
  /** The page has endless frames that change it. From then on, only a few are played. */
  #hasEndlessFrames = false;
  /** Milliseconds of unsuccessful waits for tasks. */
  #taskWaitMs = 0;
  #scrolled: ScrolledPage | undefined;

  constructor(traced: boolean) {
    this.#clock = new PageClock(traced);
  }

  install(): void {
    this.#clock.install();
    this.#work.install();
    this.#changes.install();
    this.#visibility.install();
    preserveDrawings();
    // The entries show which resources have arrived.
    performance.setResourceTimingBufferSize(maxResourceEntries);
    this.#channel.port1.onmessage = () => {
      this.#task();
    };
  }

  /** Plays page time until nothing more happens or pending work needs real time. */
  async advance({ limit, budget, arrived, restart, mayJump }: AdvanceOptions): Promise<Progress> {
    const clock = this.#clock;
    const deadline = clock.realNow() + budget;
    this.#mayJump = mayJump;
    this.#arrived = arrived;
    clock.hold();
    this.#changes.watch();
    if (restart || this.#startedAt === undefined) this.#restart();
    const end = (this.#startedAt ?? 0) + limit;
    try {
      return await this.#play(end, deadline);
    } finally {
      this.#changes.unwatch();
      clock.release();
    }
  }

  /** Reports all targets to their observers as visible. */
  reveal(): void {
    this.#visibility.reveal();
  }

  /** Scrolls to the end of the page for its scroll listeners. `budget` is in real milliseconds. */
  async scroll(options: AdvanceOptions): Promise<void> {
    this.#visibility.holdVisible();
    this.#scrolled = await scrollThrough(this.#clock, options.budget, () =>
      this.advance({ ...options, restart: true, mayJump: true, limit: throttleTimeMs, budget: 50 }),
    );
  }

  /** Scrolls back and keeps the content that scrolling has revealed. */
  async scrollBack(options: AdvanceOptions): Promise<void> {
    await this.#scrolled?.back(() =>
      this.advance({ ...options, restart: true, mayJump: true, limit: throttleTimeMs, budget: 100 }),
    );
    this.#scrolled = undefined;
    this.#visibility.releaseHold();
  }

  /** Stops the page's clock, so that endless activity does not slow a print. */
  freeze(): void {
    this.#clock.hold();
  }

  /** Returns the pending timers that run once. */
  delayedTimers(): DelayedTimer[] {
    const now = this.#clock.now();
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const loaded = navigation?.loadEventEnd ?? 0;
    return this.#clock.pendingTimers
      .filter(({ interval, due }) => interval === undefined && due - now >= minReportedDelayMs)
      .sort((left, right) => left.due - right.due)
      .map(({ due, from }) => ({
        due: Math.round(due - now),
        delay: Math.ceil((due - loaded) / 100) * 100,
        from: from ?? 'a script',
      }))
      .slice(0, 20);
  }

  #restart(): void {
    this.#startedAt = this.#clock.now();
    this.#framesTookMs = this.#hasEndlessFrames ? framesBudgetMs - endlessBudgetMs : 0;
    this.#unchangedFrames = 0;
    this.#framesAtStart = this.#runCounts.frame - (this.#hasEndlessFrames ? maxFrames - maxEndlessFrames : 0);
  }

  #playedMs(): number {
    return this.#clock.now() - (this.#startedAt ?? this.#clock.now());
  }

  async #play(end: number, deadline: number): Promise<Progress> {
    const clock = this.#clock;
    this.#isJump = false;
    let changesAtFrame = this.#changes.count;
    for (;;) {
      if (!(await this.#waitForTasks())) return this.#progress('more');
      if (this.#isWaiting()) {
        await this.#waitForWork(deadline);
        if (this.#isWaiting()) return this.#progress('waiting');
        continue;
      }
      const due = this.#nextDue(end);
      if (due === undefined) {
        // Observers and animation events run in a browser frame.
        const isUnchanged = this.#changes.count === changesAtFrame && !this.#visibility.takeNeedForFrame();
        if (isUnchanged) return this.#progress('quiet');
        await clock.realFrame();
        changesAtFrame = this.#changes.count;
        this.#animationsCheckedAt = -Infinity;
        continue;
      }
      if (clock.realNow() > deadline) return this.#progress('more');
      this.#isJump = !this.#mayJump && due.at - clock.now() > maxJumpMs();
      if (this.#isJump) return this.#progress('more');
      clock.advanceTo(due.at);
      await this.#run(due);
    }
  }

  #isWaiting(): boolean {
    return !this.#work.isEmpty || document.fonts.status === 'loading';
  }

  /**
   * Waits in real time for pending work. Meanwhile the page's clock runs at normal speed, otherwise the page's time-outs
   * would fire before responses arrive.
   */
  async #waitForWork(deadline: number): Promise<void> {
    this.#clock.release();
    while (this.#isWaiting() && this.#clock.realNow() < deadline) await this.#clock.realPause(pollIntervalMs);
    this.#clock.hold();
  }

  /** Returns the next due callback or end of an animation; undefined if nothing is due before `end`. */
  #nextDue(end: number): DueTimer | undefined {
    const now = this.#clock.now();
    // After framesBudgetMs, frames that change the page count as endless and are no longer played; timers still are.
    let next = this.#clock.next(this.#framesTookMs <= framesBudgetMs);
    const isFar = next === undefined || next.at - now >= animationCheckMs;
    if (isFar || now - this.#animationsCheckedAt >= animationCheckMs) {
      this.#animations.update(now);
      this.#animationsCheckedAt = now;
    }
    const animationEnd = earliest(this.#animations.nextEnd, isFar ? this.#smil.nextEnd(now) : undefined);
    // An animation that ends after the limit runs until the limit.
    const animationStop =
      animationEnd === undefined || now >= end ? animationEnd : Math.min(animationEnd, end);
    if (animationStop !== undefined && (next === undefined || animationStop <= next.at))
      next = { at: animationStop, kind: 'animation', run: () => {} };
    if (next === undefined) return undefined;
    return next.at <= end || this.#allowsFrame(next) ? next : undefined;
  }

  /** Returns whether a frame may run beyond the limit: at most `maxFrames`, and only while frames change the page. */
  #allowsFrame({ kind }: DueTimer): boolean {
    return (
      kind === 'frame' &&
      this.#unchangedFrames < minIdleFrames &&
      this.#runCounts.frame - this.#framesAtStart < maxFrames
    );
  }

  async #run(due: DueTimer): Promise<void> {
    const { at, kind } = due;
    if (kind === 'animation') {
      this.#animations.endUntil(at);
      this.#smil.seek(at);
      this.#runCounts.animation += 1;
      await this.#clock.realFrame();
      return;
    }
    const before = this.#changes.count;
    const began = this.#clock.realNow();
    await this.#inTask(due.run);
    this.#runCounts[kind] += 1;
    if (kind === 'frame')
      this.#chooseFrameStep(this.#clock.realNow() - began, this.#changes.count !== before);
  }

  /** Chooses the time until the next frame by the cost and effect of this one. */
  #chooseFrameStep(cost: number, changed: boolean): void {
    this.#unchangedFrames = changed ? 0 : this.#unchangedFrames + 1;
    if (changed) this.#framesTookMs += cost;
    const isIdle = this.#unchangedFrames >= minIdleFrames;
    this.#clock.frameStep = isIdle
      ? maxFrameStepMs
      : Math.min(maxFrameStepMs, Math.max(frameTimeMs, cost * stepPerCost));
  }

  /** Runs in a separate task: promises settle after it, and errors are reported as the page's. */
  #inTask(run: () => void): Promise<void> {
    return new Promise((resolve) => {
      this.#task = () => {
        try {
          run();
        } finally {
          resolve();
        }
      };
      this.#channel.port2.postMessage(undefined);
    });
  }

  /**
   * Resolves with true when the page's queued tasks are done or the budget for waiting is used up, and with false on a time-out.
   */
  async #waitForTasks(): Promise<boolean> {
    const postTask = this.#postTask;
    if (postTask === undefined) {
      await this.#clock.realPause(0);
      return true;
    }
    const began = this.#clock.realNow();
    const isOverBudget = this.#taskWaitMs > taskWaitBudgetMs;
    const timeoutMs = isOverBudget ? minTaskWaitMs : maxTaskWaitMs;
    const tasksDone = postTask(() => {}, { priority: 'background' }).then(() => true);
    const timedOut = this.#clock.realPause(timeoutMs).then(() => false);
    if (await Promise.race([tasksDone, timedOut])) return true;
    this.#taskWaitMs += this.#clock.realNow() - began;
    return isOverBudget;
  }

  #progress(state: Progress['state']): Progress {
    if (state === 'quiet') {
      this.#animations.catchUp(this.#clock.now());
      this.#smil.seek(this.#clock.now());
    }
    return {
      state,
      pending: this.#work.list().slice(0, 20),
      pageTime: this.#playedMs(),
      frames: this.#runCounts.frame,
      timers: this.#runCounts.timer,
      animations: this.#runCounts.animation,
      endless: state === 'quiet' ? this.#endless() : [],
      hidden: this.#visibility.hidden,
      listensToScroll: this.#visibility.listensToScroll,
      missing: this.#arrived.filter((address) => performance.getEntriesByName(address).length === 0),
      isJump: this.#isJump,
      // The service reads this only for a quiet page.
      usesModules: state === 'quiet' && usesModules(),
    };
  }

  #endless(): string[] {
    const { pendingTimers, hasFrames } = this.#clock;
    const intervals = pendingTimers
      .filter(({ interval }) => interval !== undefined)
      .map(({ interval }) => interval);
    const last = this.#changes.last;
    const where = last === undefined ? '' : ` (last changed: ${elementPath(last)})`;
    const isChanging = hasFrames && this.#unchangedFrames < minIdleFrames;
    this.#hasEndlessFrames ||= isChanging;
    return [
      ...this.#work.unanswered.map((address) => `a request without an answer (${address})`),
      ...(isChanging ? [`animation frames that change the page${where}`] : []),
      ...(this.#animations.unended > 0
        ? [`${this.#animations.unended} CSS animations that do not end in time`]
        : []),
      ...(this.#smil.endless > 0 ? [`${this.#smil.endless} SVG animations that do not end`] : []),
      ...(intervals.length > 0 ? [`timers that run every ${[...new Set(intervals)].join(', ')} ms`] : []),
    ];
  }
}

function earliest(left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return Math.min(left, right);
}

function usesModules(): boolean {
  return document.querySelector('script[type="module"]') !== null;
}

function maxJumpMs(): number {
  return usesModules() ? maxUnconfirmedJumpMs.modules : maxUnconfirmedJumpMs.default;
}

/** Milliseconds of page time for throttled and debounced listeners. */
const throttleTimeMs = 250;

interface Scheduling {
  readonly scheduler?: {
    postTask(callback: () => void, options: { readonly priority: 'background' }): Promise<void>;
  };
}

/** The key under which the service finds the script. */
const key = Symbol.for('platen.settling');

/** The methods that the service calls by name. */
export type SettlingScript = Pick<
  Settling,
  'advance' | 'reveal' | 'scroll' | 'scrollBack' | 'freeze' | 'delayedTimers'
>;

/** Installs the script. `traced` records which line of the page sets each timer. */
export function install(options: { readonly traced: boolean }): void {
  // In a frame whose first document was empty, the script runs twice.
  if (key in globalThis) return;
  const settling = new Settling(options.traced);
  settling.install();
  Object.defineProperty(globalThis, key, { value: settling });
}
