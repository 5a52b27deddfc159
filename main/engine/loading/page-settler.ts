/**
 * Waits until a loaded page has settled: no activity that changes it (requests, timers, animations) is under way. Waits at most for
 * the run's settle limit. Meanwhile the page's own clock, the page time, runs fast (page-scripts/settling.ts); the network runs in
 * real time. See docs/settling.md.
 */
import type { WebFrameMain } from 'electron';
import { pause, unlessAborted } from '../../async/signals.ts';
import { maxWaitMs } from '../../job/rules.ts';
import { withoutQuotedCredentials } from '../../log/masking.ts';
import type { WindowRun } from '../window-run.ts';
import { maxFrames, runInFrame } from '../devtools/evaluate.ts';
import { executeJavaScript } from '../devtools/page-calls.ts';
import { joinAddresses } from './load-timeout.ts';
import type { SettlingScript } from '../page-scripts/settling.ts';
import type { AdvanceOptions, Progress } from '../page-scripts/settling/progress.ts';
import { displayUrl, withDisplayUrls } from '../requests/shown-address.ts';
import type { WorkerStates } from '../devtools/worker-sessions.ts';
import type { EngineWindow } from '../window/engine-window.ts';

/** Real time that one call of the settling script may use. */
const callBudgetMs = 100;
/** Real time of a call while a worker is busy, after which the worker is asked again. */
const workerCallBudgetMs = 20;
/** A page counts as busy if a call exceeds its budget by more than this. */
const callTimeoutMs = 500;
/** Interval between two checks for pending requests. */
const pollIntervalMs = 10;
/** Within this time after a page has made a request, Electron reports the request, unless the machine is busy. */
const confirmDelayMs = 15;
/**
 * Consecutive checks that must find a page quiet before it counts as settled. Scripts cannot observe `import()`, so a page with
 * modules needs more checks.
 */
const requiredConfirmations = { default: 1, modules: 8 } as const;
/** After this many checks for pending modules, page time may jump even if a module is still pending. */
const maxJumpChecks = 3;
/** Rounds of notifying intersection observers: a page may observe further elements when it shows one. */
const maxReveals = 20;

/** Within this time after a response has arrived, the renderer has processed it. */
const handoverTimeoutMs = 500;
/** Limits for the lists and strings in an answer of the page. */
const maxEntries = 20;
const maxTextLength = 200;
/** The part of a text in which addresses are searched. */
const maxScannedLength = 1000;
/** The number of addresses for which the settler may have waited. */
const maxWaitedFor = 1000;

/** The limit that a finding advises, as a multiple of the current one. */
const longerLimitFactor = 4;
/** Options that give a page more time, or name what to wait for. */
const waitOptions = ['settle_limit', 'wait_for_element', 'javascript_delay'] as const;

/** What is known of a page when waiting has ended. */
interface SettledPage {
  /** The page did not settle within its limit, or never stops changing. */
  readonly stillChanges: boolean;
  /** The page has animations that follow scrolling. */
  readonly followsScrolling: boolean;
}

export class PageSettler {
  readonly #window: EngineWindow;
  readonly #run: WindowRun;
  readonly #began = performance.now();
  /** Addresses of requests that the settler has waited for. They are logged. */
  readonly #waitedFor = new Set<string>();
  /** The next call restarts the count of page time: newly revealed content may use the whole settle limit again. */
  #restart = true;
  /** The page's activity counters at the last quiet check. A page that has never been active needs no further check. */
  #activity = '0 0 0 0 0';
  /** Number of consecutive quiet checks with unchanged counters. */
  #confirmed: number = requiredConfirmations.default;
  /** Frame tree node ids of the frames that have not answered in time. */
  readonly #unresponsiveFrames = new Set<number>();
  #reveals = 0;
  #jumpChecks = 0;
  /** Addresses of the responses that the last call reported to the page. */
  #arrived: readonly string[] = [];
  #mayJump = false;
  #scroll: 'not yet' | 'at the end' | 'back' = 'not yet';
  /** Whether the page was scrolled only in part, because the time for scrolling was used up. */
  #isScrollCut = false;
  #workers: WorkerStates = { busy: [], activity: 0 };
  #last: Progress | undefined;
  #end: 'settled' | 'limit' | 'busy' | undefined;

  constructor(window: EngineWindow, run: WindowRun) {
    this.#window = window;
    this.#run = run;
  }

  /**
   * Waits until the page has settled, the settle limit is reached, or the page does not answer.
   * @throws the signal's reason
   */
  async settle(): Promise<SettledPage> {
    if (this.#window.context.requests.pendingCount() === 0) this.#run.yieldSlot();
    while (this.#end === undefined) await this.#step();
    // The limit may be reached while content is being revealed.
    if (this.#isRevealing) await this.#scrollBack();
    this.#report();
    return {
      stillChanges: this.#end !== 'settled' || this.#last?.endlessActivity.length !== 0,
      followsScrolling: this.#last?.followsScrolling === true,
    };
  }

  /** Stops the page's timers and animation frames permanently, so that they do not slow down the print. */
  async stop(): Promise<void> {
    await this.#call('freeze', []);
  }

  async #step(): Promise<void> {
    const remainingMs = this.#run.settleLimitMs - this.#elapsedMs();
    if (remainingMs <= 0) {
      this.#end = 'limit';
      return;
    }
    // Asked first: messages that the workers sent before their answers are handled in the call.
    this.#workers = (await this.#window.cdp.workers?.ask(remainingMs)) ?? this.#workers;
    const budget = this.#workers.busy.length > 0 ? workerCallBudgetMs : callBudgetMs;
    const progress = await this.#advance(Math.min(budget, remainingMs));
    if (progress === undefined) {
      this.#end = 'busy';
      return;
    }
    this.#last = progress;
    const pending = [
      ...this.#window.context.requests.pendingResourceUrls(),
      ...progress.pending.map(({ name }) => displayUrl(name)),
      ...this.#notYetReceived(progress),
    ];
    for (const address of pending) if (this.#waitedFor.size < maxWaitedFor) this.#waitedFor.add(address);
    if (pending.length > 0) await pause(pollIntervalMs, this.#run.signal);
    else if (progress.needsJump) await this.#allowJump();
    else if (progress.state === 'quiet' && (await this.#isConfirmed(progress)))
      await this.#revealHidden(progress);
  }

  /**
   * Lets page time jump in the next call, unless a resource is pending or a script may not have run yet. A page cannot check this
   * itself, because scripts cannot observe `import()`.
   */
  async #allowJump(): Promise<void> {
    await pause(confirmDelayMs, this.#run.signal);
    this.#jumpChecks += 1;
    const { requests } = this.#window.context;
    const isNew = (address: string) => !this.#arrived.includes(address);
    // Scripts that arrived after the last call have not run yet.
    this.#mayJump =
      requests.pendingResourceUrls().length === 0 &&
      !requests.urlsArrivedWithin(handoverTimeoutMs).some(isNew);
  }

  /**
   * Returns whether enough checks have found the page quiet. Otherwise waits until Electron has reported requests that the page may
   * have made.
   */
  async #isConfirmed({ frames, timers, animations, usesModules }: Progress): Promise<boolean> {
    const counts = [frames, timers, animations, this.#waitedFor.size, this.#workers.activity];
    const activity = counts.join(' ');
    if (activity !== this.#activity) this.#confirmed = 0;
    this.#activity = activity;
    const required = usesModules ? requiredConfirmations.modules : requiredConfirmations.default;
    if (this.#confirmed >= required) return true;
    this.#confirmed += 1;
    await pause(confirmDelayMs, this.#run.signal);
    return false;
  }

  /** Takes the next step to reveal content that appears only on scrolling. If no step is left, the page has settled. */
  async #revealHidden({ hiddenTargets, listensToScroll }: Progress): Promise<void> {
    if (hiddenTargets > 0 && this.#reveals < maxReveals) {
      this.#reveals += 1;
      await this.#call('reveal', []);
    } else if (listensToScroll && this.#scroll === 'not yet') {
      this.#scroll = 'at the end';
      const budget = this.#run.settleLimitMs / 2;
      const [hasReachedEnd] = await this.#call('scroll', [this.#options(budget)], budget);
      this.#isScrollCut = hasReachedEnd === false;
    } else if (this.#isRevealing) await this.#scrollBack();
    else this.#end = 'settled';
    this.#restart = true;
  }

  get #isRevealing(): boolean {
    return this.#scroll === 'at the end' || (this.#reveals > 0 && this.#scroll === 'not yet');
  }

  async #scrollBack(): Promise<void> {
    this.#scroll = 'back';
    await this.#call('scrollBack', [this.#options(callBudgetMs)]);
  }

  /** Returns the addresses of responses that have arrived but that no frame of the page has received yet. */
  #notYetReceived({ notReceived }: Progress): string[] {
    const arrived = this.#window.context.requests.urlsArrivedWithin(handoverTimeoutMs);
    return notReceived.filter((address) => arrived.includes(address)).map((address) => displayUrl(address));
  }

  #options(budget: number): AdvanceOptions {
    this.#arrived = this.#window.context.requests.urlsArrivedWithin(handoverTimeoutMs).slice(-maxEntries);
    return {
      limit: this.#run.settleLimitMs,
      budget,
      mayJump: this.#mayJump || this.#jumpChecks >= maxJumpChecks,
      arrived: this.#arrived,
      restart: this.#restart,
      busyWorkers: this.#workers.busy,
    };
  }

  /** Lets page time run, and returns the progress; undefined if the main frame does not answer. */
  async #advance(budget: number): Promise<Progress | undefined> {
    const options = this.#options(budget);
    this.#restart = false;
    this.#mayJump = false;
    const [main, ...frames] = (await this.#call('advance', [options], budget)).map(readProgress);
    if (main === undefined) return undefined;
    return frames.filter((frame) => frame !== undefined).reduce(combineProgress, main);
  }

  /**
   * Calls a function of the settling script in each frame, the main frame first, and returns the answers. The answer is undefined
   * for a frame that does not have the script or does not answer in time.
   */
  async #call(
    name: keyof SettlingScript,
    parameters: readonly unknown[],
    budget = callBudgetMs,
  ): Promise<unknown[]> {
    const code = `globalThis[Symbol.for('platen.settling')]?.${name}(...${JSON.stringify(parameters)})`;
    const timers: NodeJS.Timeout[] = [];
    const after = (milliseconds: number) =>
      new Promise<typeof noAnswer>((resolve) => {
        timers.push(setTimeout(resolve, milliseconds, noAnswer));
      });
    const frameTimeout = after(budget + callTimeoutMs);
    // The main frame may compute for seconds. Other frames get less time.
    const mainTimeout = after(Math.max(this.#run.settleLimitMs - this.#elapsedMs(), budget) + callTimeoutMs);
    const callFrame = async (frame: WebFrameMain, index: number) => {
      const timeout = index === 0 ? mainTimeout : frameTimeout;
      const answer = await Promise.race([this.#evaluateInFrame(frame, code), timeout]);
      if (answer !== noAnswer) return answer;
      this.#unresponsiveFrames.add(frame.frameTreeNodeId);
      return undefined;
    };
    try {
      return await unlessAborted(this.#run.signal, Promise.all(this.#frames().map(callFrame)));
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  }

  /** Returns the main frame, followed by all other frames except those that have not answered an earlier call in time. */
  #frames(): WebFrameMain[] {
    const { mainFrame } = this.#window.contents;
    const others = mainFrame.framesInSubtree.filter(
      (frame) => frame !== mainFrame && !this.#unresponsiveFrames.has(frame.frameTreeNodeId),
    );
    return [mainFrame, ...others.slice(0, maxFrames)];
  }

  /**
   * Evaluates the code in a frame. Returns undefined if the frame, its process or the script is gone. Electron 33 crashes when code
   * runs in a WebFrameMain whose process is lost, so code for the main frame is run through its WebContents.
   */
  async #evaluateInFrame(frame: WebFrameMain, code: string): Promise<unknown> {
    const { contents } = this.#window;
    if (contents.isDestroyed() || contents.isCrashed() || contents.getOSProcessId() === 0) return undefined;
    try {
      if (frame === contents.mainFrame) return await executeJavaScript(contents, code);
      return frame.osProcessId > 0 ? await runInFrame(frame, code) : undefined;
    } catch {
      // The frame has been removed, or its page has replaced the script's functions.
      return undefined;
    }
  }

  #elapsedMs(): number {
    return Math.round(performance.now() - this.#began);
  }

  #report(): void {
    const { log } = this.#run;
    const { pageTime = 0, frames = 0, timers = 0, animations = 0, endlessActivity = [] } = this.#last ?? {};
    const waitedFor = joinAddresses([...this.#waitedFor]);
    const activity = `${Math.round(pageTime)} ms of page time: ${frames} frames, ${timers} timers, ${animations} animation ends`;
    log.setStageReason(
      `${reasons[this.#end ?? 'settled']}; ${activity}${waitedFor && `; waited for ${waitedFor}`}`,
    );
    if (this.#end !== 'settled') this.#noteLimit(endlessActivity);
    else if (endlessActivity.length > 0) this.#noteEndless(endlessActivity);
    if (this.#isScrollCut) this.#noteScrollCut();
  }

  #noteLimit(endless: readonly string[]): void {
    const { log, settleLimitMs } = this.#run;
    const pending = joinAddresses([
      ...this.#window.context.requests.pendingResourceUrls(),
      ...(this.#last?.pending ?? []).map(({ name }) => displayUrl(name)),
      ...endless,
    ]);
    const activity = this.#end === 'busy' ? 'a script that does not stop' : pending || 'changes by scripts';
    log.note(
      `The page had not settled after ${this.#elapsedMs()} ms (limit ${settleLimitMs} ms) and was converted as it was. Still under way: ${activity}.${this.#longerLimit()}`,
      { code: 'not-quiet', options: waitOptions },
    );
  }

  /** Returns a sentence that names a larger settle limit; empty if there is none. */
  #longerLimit(): string {
    const { settleLimitMs, jobTimeoutMs } = this.#run;
    const larger = Math.min(settleLimitMs * longerLimitFactor, maxWaitMs({ jobTimeoutMs }));
    return larger > settleLimitMs ? ` If something is missing, send settle_limit=${larger}.` : '';
  }

  #noteScrollCut(): void {
    const { log, settleLimitMs } = this.#run;
    log.note(
      `The page could not be scrolled to its end within ${settleLimitMs / 2} ms, half of settle_limit. Content that appears only on scrolling may be missing further down. Send a larger settle_limit.`,
      { code: 'not-quiet', options: ['settle_limit'] },
    );
  }

  #noteEndless(endless: readonly string[]): void {
    this.#run.log.note(
      `The conversion did not wait for endless activity: ${joinAddresses(endless)}. The output shows the page as it was ${Math.round(this.#last?.pageTime ?? 0)} ms after loading, by the page's own clock.${this.#longerLimit()}`,
      { code: 'endless-activity', options: waitOptions },
    );
  }
}

const reasons = {
  settled: 'nothing that changes the page was under way',
  limit: 'the settle limit was reached',
  busy: 'the page did not answer',
} as const;

const noAnswer = Symbol('no answer');

const states = ['quiet', 'more', 'waiting'] as const;

/**
 * Returns the valid fields of an answer; undefined if it is not an answer of the settling script. The answer is checked, because
 * the page's scripts can forge it.
 */
function readProgress(answer: unknown): Progress | undefined {
  const fields = answer as Partial<Record<keyof Progress, unknown>> | null | undefined;
  const state = states.find((candidate) => candidate === fields?.state);
  if (fields === null || fields === undefined || state === undefined) return undefined;
  const numberOf = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
  const listOf = (value: unknown) => (Array.isArray(value) ? (value as unknown[]).slice(0, maxEntries) : []);
  return {
    state,
    pending: listOf(fields.pending).flatMap((entry) => {
      const { kind, name } = (entry ?? {}) as Partial<Progress['pending'][number]>;
      return typeof name === 'string' ? [{ kind: kind ?? 'request', name }] : [];
    }),
    pageTime: numberOf(fields.pageTime),
    frames: numberOf(fields.frames),
    timers: numberOf(fields.timers),
    animations: numberOf(fields.animations),
    endlessActivity: listOf(fields.endlessActivity).map((text) =>
      withoutQuotedCredentials(withDisplayUrls(String(text).slice(0, maxScannedLength))).slice(
        0,
        maxTextLength,
      ),
    ),
    hiddenTargets: numberOf(fields.hiddenTargets),
    listensToScroll: fields.listensToScroll === true,
    needsJump: fields.needsJump === true,
    usesModules: fields.usesModules === true,
    followsScrolling: fields.followsScrolling === true,
    notReceived: listOf(fields.notReceived).filter((address) => typeof address === 'string'),
  };
}

function combineProgress(total: Progress, frame: Progress): Progress {
  return {
    state: states[Math.max(states.indexOf(total.state), states.indexOf(frame.state))] ?? 'quiet',
    pending: [...total.pending, ...frame.pending],
    pageTime: Math.max(total.pageTime, frame.pageTime),
    frames: total.frames + frame.frames,
    timers: total.timers + frame.timers,
    animations: total.animations + frame.animations,
    endlessActivity: [...total.endlessActivity, ...frame.endlessActivity],
    hiddenTargets: total.hiddenTargets + frame.hiddenTargets,
    listensToScroll: total.listensToScroll || frame.listensToScroll,
    needsJump: total.needsJump || frame.needsJump,
    usesModules: total.usesModules || frame.usesModules,
    followsScrolling: total.followsScrolling || frame.followsScrolling,
    // An address is missing only if no frame has received its response.
    notReceived: total.notReceived.filter((address) => frame.notReceived.includes(address)),
  };
}
