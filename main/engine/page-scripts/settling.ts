/**
 * Page script that runs in a page's main world before the page's own scripts. It tracks the page's pending work and fast-forwards
 * the page's clock ("page time") until nothing changes the page any longer. loading/page-settler.ts calls it through the global
 * `Symbol.for('platen.settling')`.
 */
import { elementPath } from './element-path.ts';
import { limitOpenedWindows } from './popups.ts';
import { AnimationTracker, SmilClock } from './settling/animations.ts';
import { ChangeTracker } from './settling/changes.ts';
import { nativePostTask, PageClock, type DueTimer } from './settling/clock.ts';
import { looksUnfinished } from './settling/loading-signs.ts';
import { PendingWorkTracker } from './settling/pending-work.ts';
import type { AdvanceOptions, Progress } from './settling/progress.ts';
import { scrollThrough, type ScrolledPage } from './settling/scrolling.ts';
import { installTimelines } from './settling/timelines.ts';
import { VisibilityTracker } from './settling/visibility.ts';

/** A timer that has not run yet. Times are in milliseconds. */
export interface DelayedTimer {
  /** Time from now until the timer runs. */
  readonly due: number;
  /** Time from the load event until the timer runs, rounded up to 100. */
  readonly delay: number;
  /** The address and line of the script that set the timer; `a script` if unknown. */
  readonly from: string;
}

/** The longest wait for queued tasks of the page in milliseconds. A page may queue tasks endlessly. */
const maxTaskWaitMs = 200;
/** The budget for all waits for tasks that time out, in milliseconds. */
const taskWaitBudgetMs = 1000;
/** The longest wait for tasks after the budget is used up, in milliseconds. */
const minTaskWaitMs = 2;
/** The longest page time between two frames, in milliseconds. It applies to all frames that count as idle. */
const maxFrameStepMs = 100;
const frameTimeMs = 1000 / 60;
/** The number of resource timing entries to keep. Chromium's default is 250. */
const maxResourceEntries = 10_000;
/**
 * Page time per real time of a frame. Limits the real time that frames take: a frame that costs 5 ms advances the page by 40 ms.
 */
const stepPerCost = 8;
/** After this many frames without a change, frames count as idle. */
const minIdleFrames = 3;
/**
 * Six seconds of frames at 60 frames/s. A loop that counts frames instead of reading the clock may run this many, even beyond the
 * limit, unless it uses up its share of real time earlier.
 */
const maxFrames = 360;
/** The page time between two frames beyond the limit, in milliseconds. With 0, scripts may divide by zero. */
const frameStepBeyondMs = 1;
/** The maximum number of idle frames that run beyond the limit. A loop may count frames before it shows anything. */
const maxIdleFrames = 150;
/** Idle frames run beyond the limit only if they take less than this many milliseconds. */
const maxIdleFrameMs = 1;
/**
 * The real time for all frames that change the page, as a share of the settle limit. Frames that continue after that count as endless.
 * WebGL gets less, because it is slow without a graphics processor, and most pages draw it endlessly.
 */
const framesBudgetShares = { default: 0.3, webGl: 0.14 } as const;
/** The least value of that time, in milliseconds. */
const minFramesBudgetMs = 700;
/** The cost of a frame is estimated as that of the fastest among this many last frames. */
const costSamples = 8;
/** Milliseconds of real time between two checks of pending work. */
const pollIntervalMs = 4;
/** Timers with shorter delays, in milliseconds, only defer code and are not reported. */
const minReportedDelayMs = 10;
/** Milliseconds of page time between two checks of animations. */
const animationCheckMs = 100;
/** The longest jump of page time, in milliseconds, without a check for pending modules; shorter in a page that uses modules. */
const maxUnconfirmedJumpMs = { default: 400, modules: 50 } as const;
/** The number of frames of an endless loop that are played after each restart. */
const maxEndlessFrames = 20;
/** The real time for these frames, in milliseconds. */
const endlessBudgetMs = 50;

class Settling {
  readonly #clock: PageClock;
  readonly #work = new PendingWorkTracker({
    realNow: () => this.#clock.realNow(),
    pageNow: () => this.#clock.now(),
    moment: () => this.#clock.moment(),
    onIgnored: (sent) => {
      this.#clock.holdBackTimeouts(sent);
    },
    changeCount: () => this.#changes.countIfWatching,
    timerRanAt: () => this.#clock.timerRanAt,
    hasTimer: (...parameters) => this.#clock.hasTimer(...parameters),
    limitMs: () => this.#limitMs,
    looksUnfinished: () => looksUnfinished(this.#changes),
  });
  readonly #changes = new ChangeTracker((node) => {
    this.#work.watchAdded(node);
  });
  readonly #animations = new AnimationTracker(() => [document, ...this.#changes.shadowRoots()]);
  readonly #smil = new SmilClock();
  readonly #visibility = new VisibilityTracker();
  readonly #channel = new MessageChannel();
  readonly #postTask = nativePostTask();
  #task: () => void = () => {};
  #startedAt: number | undefined;
  #runCounts = { frame: 0, timer: 0, 'idle callback': 0, animation: 0 };
  #unchangedFrames = 0;
  /** The last frame, until it has been evaluated. */
  #lastFrame: { readonly changesBefore: number; readonly tookMs: number } | undefined;
  #framesTookMs = 0;
  #limitMs = 0;
  /** The number of idle frames that have run beyond the limit. */
  #idleFrames = 0;
  #lastFramesTookMs: readonly number[] = [];
  #framesAtStart = 0;
  #animationsCheckedAt = -Infinity;
  #arrived: readonly string[] = [];
  #mayJump = true;
  #isJump = false;
  /** Whether the page has endless frames that change it. Once they are found, each restart plays only a few. */
  #hasEndlessFrames = false;
  /** The total time of waits for tasks that timed out, in milliseconds. */
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
    // Resource timing entries show which resources have arrived.
    performance.setResourceTimingBufferSize(maxResourceEntries);
    this.#channel.port1.onmessage = () => {
      this.#task();
    };
  }

  /** Plays page time until nothing more happens, pending work needs real time, or the budget is used up. */
  async advance({
    limit,
    budget,
    arrived,
    restart,
    mayJump,
    busyWorkers,
  }: AdvanceOptions): Promise<Progress> {
    const clock = this.#clock;
    const deadline = clock.realNow() + budget;
    this.#mayJump = mayJump;
    this.#arrived = arrived;
    this.#work.busyWorkers = busyWorkers;
    this.#limitMs = limit;
    clock.hold();
    this.#changes.watch();
    if (restart || this.#startedAt === undefined) this.#restart();
    const end = (this.#startedAt ?? 0) + limit;
    try {
      return await this.#play(end, deadline);
    } finally {
      // A message that arrives between two calls may change the page.
      if (!this.#work.awaitsPush) this.#changes.unwatch();
      clock.release();
    }
  }

  /** Reports all targets of intersection observers as visible. */
  reveal(): void {
    this.#changes.recordNodes();
    this.#visibility.reveal();
  }

  /**
   * Scrolls to the end of the page, step by step, so that its scroll listeners run. Stops when the budget is used up. Returns
   * whether it reached the end.
   */
  async scroll(options: AdvanceOptions): Promise<boolean> {
    this.#visibility.holdVisible();
    this.#scrolled = await scrollThrough(this.#clock, options.budget, () =>
      this.advance({ ...options, restart: true, mayJump: true, limit: throttleTimeMs, budget: 50 }),
    );
    return this.#scrolled.isComplete;
  }

  /** Scrolls back and keeps the content that scrolling has revealed. */
  async scrollBack(options: AdvanceOptions): Promise<void> {
    await this.#scrolled?.back(() =>
      this.advance({ ...options, restart: true, mayJump: true, limit: throttleTimeMs, budget: 100 }),
    );
    this.#scrolled = undefined;
    this.#visibility.releaseHold(this.#changes.takeNodes());
  }

  /** Stops the page's clock, so that endless activity does not slow down printing. */
  freeze(): void {
    this.#changes.unwatch();
    this.#clock.hold();
  }

  /** Returns the first 20 pending timers that run only once, in the order in which they are due. */
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

  get #framesBudgetMs(): number {
    const share = framesBudgetShares[this.#changes.drawsWebGl ? 'webGl' : 'default'];
    return Math.max(minFramesBudgetMs, share * this.#limitMs);
  }

  /** Whether frames that change the page may still be played. */
  get #hasFramesBudget(): boolean {
    return this.#framesTookMs <= this.#framesBudgetMs;
  }

  #restart(): void {
    this.#startedAt = this.#clock.now();
    this.#framesTookMs = this.#hasEndlessFrames ? this.#framesBudgetMs - endlessBudgetMs : 0;
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
      this.#judgeFrame();
      if (this.#isWaiting()) {
        await this.#waitForWork(deadline);
        if (this.#isWaiting()) return this.#progress('waiting');
        continue;
      }
      const due = this.#nextDue(end);
      if (due === undefined) {
        // Chromium dispatches observer callbacks and animation events in browser frames.
        const needs = [this.#visibility.takeNeedForFrame(), this.#changes.takeNeedForFrame()];
        if (this.#changes.count === changesAtFrame && !needs.includes(true)) return this.#progress('quiet');
        await clock.realFrame();
        changesAtFrame = this.#changes.count;
        this.#animationsCheckedAt = -Infinity;
        continue;
      }
      if (clock.realNow() > deadline) return this.#progress('more');
      this.#isJump = !this.#mayJump && due.at - clock.now() > maxJumpMs();
      if (this.#isJump) return this.#progress('more');
      installTimelines(clock, this.#animations);
      clock.advanceTo(due.at);
      await this.#run(due);
    }
  }

  #isWaiting(): boolean {
    return !this.#work.isEmpty || document.fonts.status === 'loading';
  }

  /**
   * Waits in real time for pending work. Meanwhile the page's clock runs at normal speed; otherwise the page's timeouts
   * would fire before responses arrive.
   */
  async #waitForWork(deadline: number): Promise<void> {
    this.#clock.release();
    while (this.#isWaiting() && this.#clock.realNow() < deadline) await this.#clock.realPause(pollIntervalMs);
    this.#clock.hold();
  }

  /** Returns the callback or end of an animation that is due next; undefined if nothing is due until `end`. */
  #nextDue(end: number): DueTimer | undefined {
    const now = this.#clock.now();
    // After their budget, frames that change the page count as endless and are no longer played; timers still are.
    let next = this.#clock.next(this.#hasFramesBudget);
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
    return next !== undefined && next.at <= end ? next : this.#frameBeyond(end);
  }

  /**
   * Returns a frame beyond the limit, for loops that count frames instead of reading the clock. Page time almost stands still, and no
   * timer runs, so that nothing else happens. Returns undefined after `maxFrames`, and if frames change nothing and are many or
   * expensive.
   */
  #frameBeyond(end: number): DueTimer | undefined {
    const count = this.#runCounts.frame - this.#framesAtStart;
    if (!this.#clock.hasFrames || !this.#hasFramesBudget || count >= maxFrames) return undefined;
    if (this.#unchangedFrames >= minIdleFrames) {
      this.#idleFrames += 1;
      const isCheap = Math.min(...this.#lastFramesTookMs) < maxIdleFrameMs;
      if (this.#idleFrames > maxIdleFrames || !isCheap) return undefined;
    }
    return this.#clock.frameDue(Math.max(this.#clock.now(), end) + frameStepBeyondMs);
  }

  async #run(due: DueTimer): Promise<void> {
    const { at, kind } = due;
    if (kind === 'animation') {
      this.#animations.finishUntil(at);
      this.#smil.seek(at);
      this.#runCounts.animation += 1;
      await this.#clock.realFrame();
      return;
    }
    const changesBefore = this.#changes.count;
    const began = this.#clock.realNow();
    await this.#inTask(due.run);
    this.#runCounts[kind] += 1;
    if (kind === 'frame') this.#lastFrame = { changesBefore, tookMs: this.#clock.realNow() - began };
  }

  /** Evaluates the last frame. Call this when its tasks are done, because a frame may change the page after an `await`. */
  #judgeFrame(): void {
    if (this.#lastFrame === undefined) return;
    const { changesBefore, tookMs } = this.#lastFrame;
    this.#lastFrame = undefined;
    this.#chooseFrameStep(tookMs, this.#changes.count !== changesBefore);
  }

  /** Sets the page time until the next frame, according to the real time that a frame took and whether it changed the page. */
  #chooseFrameStep(tookMs: number, changed: boolean): void {
    this.#lastFramesTookMs = [...this.#lastFramesTookMs, tookMs].slice(-costSamples);
    // On a busy machine, a frame also takes the time of other processes.
    const cost = Math.min(...this.#lastFramesTookMs);
    this.#unchangedFrames = changed ? 0 : this.#unchangedFrames + 1;
    if (changed) this.#framesTookMs += cost;
    const isIdle = this.#unchangedFrames >= minIdleFrames;
    this.#clock.frameStepMs = isIdle
      ? maxFrameStepMs
      : Math.min(maxFrameStepMs, Math.max(frameTimeMs, cost * stepPerCost));
  }

  /** Runs the callback in a separate task, so that promise reactions run after it and its errors are reported as the page's. */
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
   * Resolves with true when the page's queued tasks are done or the budget for waiting is used up, and with false on a timeout.
   */
  async #waitForTasks(): Promise<boolean> {
    const began = this.#clock.realNow();
    const isOverBudget = this.#taskWaitMs > taskWaitBudgetMs;
    const timeoutMs = isOverBudget ? minTaskWaitMs : maxTaskWaitMs;
    const isDone = () => true;
    const tasksDone = this.#postTask(() => {}, { priority: 'background' }).then(isDone, isDone);
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
      endlessActivity: state === 'quiet' ? this.#endless() : [],
      hiddenTargets: this.#visibility.hiddenCount,
      listensToScroll: this.#visibility.listensToScroll,
      notReceived: this.#arrived.filter((address) => performance.getEntriesByName(address).length === 0),
      needsJump: this.#isJump,
      // The service reads this only for a quiet page.
      usesModules: state === 'quiet' && usesModules(),
      followsScrolling: this.#animations.followsScrolling,
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
      ...this.#work.unanswered,
      ...(isChanging ? [`animation frames that change the page${where}`] : []),
      ...(this.#animations.runningCount > 0
        ? [`${this.#animations.runningCount} CSS animations that do not end in time`]
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

/** The page time that scroll listeners get, in milliseconds. They may be throttled or debounced. */
const throttleTimeMs = 250;

/** The key of the global through which the service calls the script. */
const key = Symbol.for('platen.settling');

/** The methods that the service calls by name. */
export type SettlingScript = Pick<
  Settling,
  'advance' | 'reveal' | 'scroll' | 'scrollBack' | 'freeze' | 'delayedTimers'
>;

/**
 * Installs the script, and limits how many windows the document may open. `traced`: whether to record which line of the page sets each
 * timer.
 */
export function install(options: { readonly traced: boolean }): void {
  // In a frame whose first document was empty, the script runs twice.
  if (key in globalThis) return;
  const settling = new Settling(options.traced);
  settling.install();
  limitOpenedWindows();
  // The page must not replace the functions: their answers go to the service.
  Object.freeze(Settling.prototype);
  Object.defineProperty(globalThis, key, { value: Object.freeze(settling) });
}
