/**
 * The engine lends windows to jobs, one job at a time. It queues jobs, cleans windows between them, and replaces
 * windows that crashed, timed out or reached their job limit. It knows no options except those that choose the kind
 * of a window.
 */
import { Failure, outOfResources } from '../failure/failure.ts';
import { isOutOfResources } from '../failure/no-room.ts';
import type { Source } from '../input/source.ts';
import { isImage, type Job, type Run } from '../job/job.ts';
import { maxWaitMs } from '../job/rules.ts';
import { aboutJob } from '../log/service-log.ts';
import { unlessAborted } from '../async/signals.ts';
import { WindowPool, type WindowPoolOptions, type WindowRequest } from './window/window-pool.ts';
import { accessFor, type NetworkAccess } from './requests/network-access.ts';
import { BrowserFault, openFaultDetector, type FaultDetector } from './health/fault-detector.ts';
import { siteOf } from './window/site-isolation.ts';
import { beginLease, type Lease } from './window/lease.ts';
import { acquireSlot, type JobSlot, type SlotOptions } from './queue/acquire-slot.ts';
import { recentFreeMemory } from './health/free-memory.ts';
import { endRenderer } from './window/end-renderer.ts';
import { openMemoryWatch, type WatchMemory } from './health/memory-watch.ts';
import { MemoryGate, type MemoryGateOptions } from './queue/memory-gate.ts';
import { JobQueue, type JobQueueState } from './queue/job-queue.ts';
import { endSharedProcesses, openProcessWatch, type ProcessWatch } from './health/process-loss.ts';
import { distrustedCause } from './window/replacement.ts';
import { withRetries } from './retries.ts';
import type { WindowRun } from './window-run.ts';
import type { EngineWindow, WindowKind } from './window/engine-window.ts';
import { inlineHtmlOf, isOpen } from './loading/inline-document.ts';

export interface EngineOptions extends SlotOptions, WindowPoolOptions {
  /** The job limit in milliseconds, from the moment a window takes the job. */
  readonly jobTimeout: number;
  /** Milliseconds a page may take to settle if its job does not set settle_limit. */
  readonly settleLimit: number;
  /** Bytes of memory that a page may use. */
  readonly pageMemory: number;
  /** Bytes that must be free before a job begins. */
  readonly memoryReserve: number;
  /** Returns the free memory; see MemoryGateOptions. Defaults to that of the machine. */
  readonly freeMemory?: MemoryGateOptions['freeBytes'];
  /** Called with a description when a failure suggests that windows no longer work. */
  readonly onFault?: (why: string) => void;
}

interface EngineState extends JobQueueState {
  readonly full: boolean;
  /** The machine is short of memory. Jobs wait. */
  readonly short: boolean;
  readonly windows: WindowPool['counts'];
}

type UseWindow<T> = (window: EngineWindow, run: WindowRun) => Promise<T>;

/** The window that a job needs. */
interface WindowNeeds extends WindowRequest {
  readonly access: NetworkAccess;
  /** Where the job's files come from. */
  readonly home: 'archive' | 'upload';
}

/** Queued jobs that justify another window. Opening one takes as long as cleaning up after this many jobs. */
const minQueuedToOpen = 4;

export class Engine implements AsyncDisposable {
  readonly #options: EngineOptions;
  readonly #windows: WindowPool;
  readonly #queue: JobQueue;
  readonly #memoryGate: MemoryGate;
  readonly #faults: FaultDetector;
  readonly #watchMemory: WatchMemory;
  readonly #sharedProcesses: ProcessWatch;
  /** Window cleanings in progress. */
  readonly #cleaning = new Set<Promise<void>>();
  /** Windows whose job gave up its slot before they are clean. */
  readonly #yielded = new Set<EngineWindow>();

  private constructor(options: EngineOptions, windows: WindowPool, faults: FaultDetector) {
    this.#options = options;
    this.#windows = windows;
    this.#faults = faults;
    this.#queue = new JobQueue(options);
    this.#memoryGate = new MemoryGate({
      reserveBytes: options.memoryReserve,
      freeBytes: options.freeMemory ?? recentFreeMemory,
      makeRoom: () => windows.closeIdle(),
    });
    this.#watchMemory = openMemoryWatch(options.pageMemory);
    this.#sharedProcesses = openProcessWatch((loss) => {
      faults.onProcessLost(loss);
      // The windows lose the state that the process held for them.
      windows.replaceAll(loss.message, loss.process === 'graphics' ? 'dynamic' : undefined);
    });
  }

  /** Opens the engine. It accepts jobs when the promise resolves. @throws Error when no window opens */
  static async open(options: EngineOptions): Promise<Engine> {
    const faults = openFaultDetector(options.onFault);
    const windows = await WindowPool.open({
      ...options,
      onReplaced(why) {
        faults.onWindowReplaced(why);
        options.onReplaced?.(why);
      },
    });
    return new Engine(options, windows, faults);
  }

  get state(): EngineState {
    const { working, waiting } = this.#queue.state;
    return {
      working: working + this.#yielded.size,
      waiting,
      full: this.#queue.full,
      short: this.#memoryGate.isShort(),
      windows: this.#windows.counts,
    };
  }

  /** Returns why a job of this account would be refused now, or undefined. */
  refusalOf(account: string): Failure | undefined {
    return this.#queue.refusalOf(account);
  }

  /** Lends a window to one job. @throws what `use` throws; Failure unavailable, timedOut, rendererCrashed, tooComplex */
  async withWindow<T>(run: Run, source: Source, use: UseWindow<T>): Promise<T> {
    const needs = await this.#needsOf(run, source);
    const job = withRetries(run, () => this.#attempt(run, needs, use));
    return await this.#faults.observe(run.signal, job);
  }

  /** Replaces all windows. Running jobs finish first. Ends the processes that the windows share immediately. */
  replaceAllWindows(): void {
    this.#windows.replaceAll(distrustedCause);
    endSharedProcesses();
  }

  /** Refuses queued jobs and new ones. */
  close(): void {
    this.#queue.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#queue.close();
    await Promise.all(this.#cleaning);
    this.#sharedProcesses[Symbol.dispose]();
    await this.#windows[Symbol.asyncDispose]();
  }

  async #needsOf(run: Run, source: Source): Promise<WindowNeeds> {
    const kind = kindFor(run.job, source);
    const site = siteOf(source);
    const isInline = inlineHtmlOf({ ...run, prefixes: this.#options.prefixes }, source) !== undefined;
    return {
      kind,
      site,
      isPreferred: (window) => (kind === 'static' ? isOpen(window) === isInline : window.site === site),
      access: await accessFor(run.job),
      home: source.kind === 'document' && source.files !== undefined ? 'archive' : 'upload',
    };
  }

  /** Uses one window for the job. */
  async #attempt<T>(run: Run, needs: WindowNeeds, use: UseWindow<T>): Promise<T> {
    const slot = await acquireSlot(run, {
      queue: this.#queue,
      memoryGate: this.#memoryGate,
      options: this.#options,
    });
    const window = await this.#acquireWindow(run, needs, slot);
    try {
      return await this.#use({ run, needs, slot, window }, use);
    } finally {
      // The response does not wait for the cleaning.
      this.#release(window, slot);
    }
  }

  /** @throws Failure unavailable when no window could be opened; the signal's reason */
  async #acquireWindow({ signal }: Run, needs: WindowNeeds, slot: JobSlot): Promise<EngineWindow> {
    const acquiring = this.#windows.acquire(needs);
    try {
      return await unlessAborted(signal, acquiring);
    } catch (problem) {
      void this.#giveBack(acquiring, slot);
      if (signal.aborted) throw problem;
      if (isOutOfResources(problem)) throw outOfResources(problem);
      const sentence = 'No window could be opened for the job. Try again in a moment.';
      const cause = new BrowserFault('no window could be opened', { cause: problem });
      throw new Failure('unavailable', sentence, { cause, retryAfter: 5 });
    }
  }

  /** Returns a window to the pool that opens after its job has ended. Never rejects. */
  async #giveBack(acquiring: Promise<EngineWindow>, slot: JobSlot): Promise<void> {
    const window = await acquiring.catch(() => undefined);
    if (window !== undefined) await this.#windows.release(window);
    slot.leave();
  }

  async #use<T>({ run, needs, slot, window }: Attempt, use: UseWindow<T>): Promise<T> {
    const { jobTimeout, log } = this.#options;
    const { id: job, account, options } = run.job;
    window.context.logTarget.log = aboutJob(log, { job, account, tag: options.tag });
    const lease = beginLease(window, {
      run,
      timeoutMs: jobTimeout,
      access: needs.access,
      home: needs.home,
      watchMemory: this.#watchMemory,
    });
    using _watched = this.#sharedProcesses.begin({ window, lease, isPicture: isImage(options) });
    try {
      await unlessAborted(lease.signal, lease.ready);
      return await unlessAborted(lease.signal, use(window, this.#windowRun({ run, slot, window, lease })));
    } catch (problem) {
      await this.#sharedProcesses.news(problem);
      if (!lease.signal.aborted) {
        // A fault of the service. The state of the window is unknown.
        if (!(problem instanceof Failure)) window.broken ??= 'its job failed';
        throw problem;
      }
      // Ending the renderer also ends endless scripts.
      window.broken ??= run.signal.aborted ? 'its job was ended' : 'its job ran out of time';
      void endRenderer(window);
      throw lease.signal.reason;
    } finally {
      await lease.end();
    }
  }

  #windowRun({ run, slot, window, lease }: Omit<Attempt, 'needs'> & { readonly lease: Lease }): WindowRun {
    const { jobTimeout, settleLimit, prefixes, workers } = this.#options;
    return {
      ...run,
      signal: lease.signal,
      limit: jobTimeout,
      settleLimit: run.job.options.settle_limit ?? Math.min(settleLimit, maxWaitMs(this.#options)),
      prefixes,
      isCrowded: () => this.#queue.state.waiting > workers,
      yieldSlot: () => {
        this.#yieldSlot(window, slot.yieldSlot);
      },
    };
  }

  /**
   * Gives the slot to a queued job while this window is still busy. A settling page leaves the processor free, and
   * so does cleaning, which takes a third as long as a job. At most one window is busy without a slot.
   */
  #yieldSlot(window: EngineWindow, leave: () => void): void {
    const isDynamic = window.kind === 'dynamic' && window.broken === undefined;
    const hasRoom = this.#yielded.size === 0 && !this.#memoryGate.isShort();
    const minQueued = this.#windows.counts.dynamic.idle > 0 ? 1 : minQueuedToOpen;
    if (!isDynamic || !hasRoom || this.#queue.state.waiting < minQueued) return;
    this.#yielded.add(window);
    leave();
  }

  #release(window: EngineWindow, slot: JobSlot): void {
    this.#yieldSlot(window, slot.leave);
    const cleaned = this.#windows.release(window).finally(() => {
      this.#cleaning.delete(cleaned);
      this.#yielded.delete(window);
      slot.leave();
    });
    this.#cleaning.add(cleaned);
  }
}

interface Attempt {
  readonly run: Run;
  readonly needs: WindowNeeds;
  readonly slot: JobSlot;
  readonly window: EngineWindow;
}

/** Documents without scripts get static windows. Documents with scripts, and pictures, get dynamic ones. */
function kindFor({ options }: Job, source: Source): WindowKind {
  return source.scripts || isImage(options) ? 'dynamic' : 'static';
}
