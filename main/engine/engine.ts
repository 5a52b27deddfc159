/**
 * Lends each window to one job at a time. Queues jobs, and cleans a window after each job. Replaces windows that crashed, whose job
 * timed out, or that have served as many jobs as the setting window-jobs allows. The caller of `withWindow` loads and prints the
 * pages.
 */
import { Failure, isOutOfResources, outOfResources } from '../failure/failure.ts';
import type { Source } from '../input/source.ts';
import { isImage, type Job, type Run } from '../job/job.ts';
import { maxWaitMs } from '../job/rules.ts';
import { withJobFields } from '../log/service-log.ts';
import { unlessAborted } from '../async/signals.ts';
import { executeJavaScript } from './devtools/page-calls.ts';
import { WindowPool, type WindowPoolOptions, type WindowRequest } from './window/window-pool.ts';
import { accessFor, type NetworkAccess } from './requests/network-access.ts';
import { openFaultDetector, type FaultDetector } from './health/fault-detector.ts';
import { siteOf } from './window/site-isolation.ts';
import { beginLease, type Lease } from './window/lease.ts';
import { admitJob, type JobAdmission, type AdmissionOptions } from './queue/admit-job.ts';
import { recentFreeMemory } from './health/free-memory.ts';
import { endRenderer } from './window/end-renderer.ts';
import { openMemoryWatch, type WatchMemory } from './health/memory-watch.ts';
import { MemoryGate, type MemoryGateOptions } from './queue/memory-gate.ts';
import { JobQueue, type JobQueueState } from './queue/job-queue.ts';
import { endSharedProcesses, openProcessWatch, type ProcessWatch } from './health/browser-process-loss.ts';
import { canaryFailedCause } from './window/replacement.ts';
import { BrowserFault, IdleRendererLost, RendererLost, withRetries } from './renderer-loss.ts';
import type { WindowRun } from './window-run.ts';
import type { EngineWindow, WindowKind } from './window/engine-window.ts';
import { inlineHtmlOf, showsInlineDocumentPage } from './loading/inline-document.ts';

export interface EngineOptions extends AdmissionOptions, WindowPoolOptions {
  /** The job timeout (setting job-timeout) in milliseconds, counted from the moment a window takes the job. */
  readonly jobTimeoutMs: number;
  /** Milliseconds that a page may take to settle if its job does not set settle_limit. */
  readonly settleLimitMs: number;
  /** Maximum memory of a renderer with a job, in bytes. */
  readonly pageMemoryBytes: number;
  /** Memory that must be free before a job starts, in bytes. */
  readonly memoryReserveBytes: number;
  /** Returns the free memory in bytes; see MemoryGateOptions.freeBytes. By default, measures the machine or its container. */
  readonly freeMemoryBytes?: MemoryGateOptions['freeBytes'];
  /** Called with a description of a failure that suggests that the browser is faulty. */
  readonly onFault?: (why: string) => void;
}

interface EngineState extends JobQueueState {
  readonly isQueueFull: boolean;
  /** Less than `memoryReserveBytes` is free, so a job starts only when no other job is running. */
  readonly isMemoryShort: boolean;
  readonly windows: WindowPool['counts'];
}

type UseWindow<T> = (window: EngineWindow, run: WindowRun) => Promise<T>;

/** The window that a job requests, and the data for its lease. */
interface WindowNeeds extends WindowRequest {
  readonly access: NetworkAccess;
  /** Where the job's files come from, for messages about missing files. */
  readonly jobFilesSource: 'archive' | 'upload';
}

/**
 * While no dynamic window is idle, a job gives up its slot early only if at least this many jobs are queued. The next job then
 * needs a new window, and opening a window takes as long as cleaning up after this many jobs.
 */
const minQueuedToOpen = 4;

export class Engine implements AsyncDisposable {
  readonly #options: EngineOptions;
  readonly #windows: WindowPool;
  readonly #queue: JobQueue;
  /** Limits how many client certificates are opened at the same time, because each needs a process. */
  readonly #certificateQueue: JobQueue;
  readonly #memoryGate: MemoryGate;
  readonly #faults: FaultDetector;
  readonly #watchMemory: WatchMemory;
  readonly #sharedProcesses: ProcessWatch;
  /** Windows that are being cleaned, as promises that resolve when the window is clean. */
  readonly #cleaning = new Set<Promise<void>>();
  /** Windows that are still busy although their job has given up its slot. */
  readonly #yielded = new Set<EngineWindow>();

  private constructor(options: EngineOptions, windows: WindowPool, faults: FaultDetector) {
    this.#options = options;
    this.#windows = windows;
    this.#faults = faults;
    this.#queue = new JobQueue(options);
    this.#certificateQueue = new JobQueue(options, 'input process');
    this.#memoryGate = new MemoryGate({
      reserveBytes: options.memoryReserveBytes,
      freeBytes: options.freeMemoryBytes ?? recentFreeMemory,
      closeIdleWindows: () => windows.closeIdle(),
    });
    this.#watchMemory = openMemoryWatch(options.pageMemoryBytes);
    this.#sharedProcesses = openProcessWatch((loss) => {
      faults.onProcessLost(loss);
      // The lost process held state for these windows.
      windows.replaceAll(loss.message, loss.process === 'graphics' ? 'dynamic' : undefined);
    });
  }

  /** Opens the engine and its first window. The engine accepts jobs when the promise resolves. @throws Error if no window opens */
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
      isQueueFull: this.#queue.isFull,
      isMemoryShort: this.#memoryGate.isShort(),
      windows: this.#windows.counts,
    };
  }

  /** Returns the Failure for a job of this account that arrives now; undefined if the job would be accepted. */
  refusalOf(account: string): Failure | undefined {
    return this.#queue.refusalOf(account);
  }

  /**
   * Calls `use` with a window for the job and returns its result. If the renderer or a process that all windows share is lost,
   * calls `use` again with another window.
   * @throws whatever `use` throws; Failure valueNotAllowed (client certificate), unavailable, timedOut, rendererLost,
   * tooComplex; the signal's reason
   */
  async withWindow<T>(run: Run, source: Source, use: UseWindow<T>): Promise<T> {
    const needs = await this.#needsOf(run, source);
    const result = withRetries(run, (isRepeated) => this.#attempt({ run, needs, isRepeated }, use));
    return await this.#faults.observe(run.signal, result);
  }

  /**
   * Replaces all windows; a window with a job is replaced after the job. Immediately kills the processes that all windows share; a
   * job that this affects is repeated.
   */
  replaceAllWindows(): void {
    this.#windows.replaceAll(canaryFailedCause);
    endSharedProcesses();
  }

  /** Refuses all queued jobs and all new jobs. Running jobs continue. */
  close(): void {
    this.#certificateQueue.close();
    this.#queue.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    await Promise.all(this.#cleaning);
    this.#sharedProcesses[Symbol.dispose]();
    await this.#windows[Symbol.asyncDispose]();
  }

  async #needsOf(run: Run, source: Source): Promise<WindowNeeds> {
    const kind = kindFor(run.job, source);
    const site = siteOf(source);
    const isInline = inlineHtmlOf({ ...run, classPrefixes: this.#options.prefixes }, source) !== undefined;
    return {
      kind,
      site,
      isPreferred: (window) =>
        kind === 'static' ? showsInlineDocumentPage(window) === isInline : window.site === site,
      access: await accessFor(run, this.#certificateQueue),
      jobFilesSource: source.kind === 'document' && source.files !== undefined ? 'archive' : 'upload',
    };
  }

  /** Runs the job once: waits for a slot and a window, calls `use` and returns its result. */
  async #attempt<T>({ run, needs, isRepeated }: Attempt, use: UseWindow<T>): Promise<T> {
    const slot = await admitJob(run, {
      queue: this.#queue,
      memoryGate: this.#memoryGate,
      options: this.#options,
    });
    const window = await this.#acquireWindow(run, needs, slot);
    try {
      return await this.#use({ run, needs, isRepeated, slot, window }, use);
    } finally {
      // Not awaited, so that the response does not wait until the window is clean.
      this.#release(window, slot);
    }
  }

  /** @throws Failure unavailable if no window could be opened; the signal's reason */
  async #acquireWindow({ signal }: Run, needs: WindowNeeds, slot: JobAdmission): Promise<EngineWindow> {
    const acquiring = this.#windows.acquire(needs);
    try {
      return await unlessAborted(signal, acquiring);
    } catch (problem) {
      void this.#returnUnused(acquiring, slot);
      if (signal.aborted) throw problem;
      if (isOutOfResources(problem)) throw outOfResources(problem);
      const message = 'No window could be opened for the job. Try again in a moment.';
      const cause = new BrowserFault('no window could be opened', { cause: problem });
      throw new Failure('unavailable', message, { cause, retryAfter: 5 });
    }
  }

  /**
   * For a job that ended before it got its window: waits until the window has opened or failed to open, and releases it and the
   * slot. Never rejects.
   */
  async #returnUnused(acquiring: Promise<EngineWindow>, slot: JobAdmission): Promise<void> {
    const window = await acquiring.catch(() => undefined);
    if (window !== undefined) await this.#windows.release(window);
    slot.release();
  }

  async #use<T>({ run, needs, isRepeated, slot, window }: WindowAttempt, use: UseWindow<T>): Promise<T> {
    const { jobTimeoutMs, log } = this.#options;
    const { id: job, account, options } = run.job;
    window.context.logTarget.log = withJobFields(log, { job, account, tag: options.tag });
    const lease = beginLease(window, {
      run,
      timeoutMs: jobTimeoutMs,
      access: needs.access,
      jobFilesSource: needs.jobFilesSource,
      watchMemory: this.#watchMemory,
    });
    using _watched = this.#sharedProcesses.track({ window, lease, isImage: isImage(options) });
    try {
      await unlessAborted(lease.signal, lease.ready);
      if (isRepeated) await confirmRenderer(window, lease.signal);
      return await unlessAborted(lease.signal, use(window, this.#windowRun({ run, slot, window, lease })));
    } catch (problem) {
      await this.#sharedProcesses.waitForLossReport(problem);
      if (!lease.signal.aborted) {
        // An error other than a Failure is a fault of the service; the state of the window is then unknown.
        if (!(problem instanceof Failure)) window.brokenReason ??= 'its job failed';
        throw problem;
      }
      // Ending the renderer also stops a script that never ends.
      window.brokenReason ??= run.signal.aborted ? 'its job was ended' : 'its job ran out of time';
      void endRenderer(window);
      throw problem instanceof IdleRendererLost ? problem : lease.signal.reason;
    } finally {
      await lease.end();
    }
  }

  #windowRun({
    run,
    slot,
    window,
    lease,
  }: Pick<WindowAttempt, 'run' | 'slot' | 'window'> & { readonly lease: Lease }): WindowRun {
    const { jobTimeoutMs, settleLimitMs, prefixes: classPrefixes, workers } = this.#options;
    return {
      ...run,
      signal: lease.signal,
      jobTimeoutMs,
      settleLimitMs: run.job.options.settle_limit ?? Math.min(settleLimitMs, maxWaitMs(this.#options)),
      classPrefixes,
      isQueueLong: () => this.#queue.state.waiting > workers,
      yieldSlot: () => {
        this.#yieldSlot(window, slot.yieldSlot);
      },
    };
  }

  /**
   * Gives the slot to a queued job while this window is still settling a page or being cleaned. Both leave the processor mostly
   * idle, and cleaning takes a third as long as a job. Does nothing for static and broken windows, while memory is short, or if too
   * few jobs are queued. At most one window at a time is busy without a slot.
   */
  #yieldSlot(window: EngineWindow, releaseSlot: () => void): void {
    const isDynamic = window.kind === 'dynamic' && window.brokenReason === undefined;
    const hasRoom = this.#yielded.size === 0 && !this.#memoryGate.isShort();
    const minQueued = this.#windows.counts.dynamic.idle > 0 ? 1 : minQueuedToOpen;
    if (!isDynamic || !hasRoom || this.#queue.state.waiting < minQueued) return;
    this.#yielded.add(window);
    releaseSlot();
  }

  #release(window: EngineWindow, slot: JobAdmission): void {
    this.#yieldSlot(window, slot.release);
    const cleaned = this.#windows.release(window).finally(() => {
      this.#cleaning.delete(cleaned);
      this.#yielded.delete(window);
      slot.release();
    });
    this.#cleaning.add(cleaned);
  }
}

interface Attempt {
  readonly run: Run;
  readonly needs: WindowNeeds;
  /** Whether an earlier attempt has lost a renderer or a shared process. */
  readonly isRepeated: boolean;
}

interface WindowAttempt extends Attempt {
  readonly slot: JobAdmission;
  readonly window: EngineWindow;
}

/**
 * Waits until the renderer of an idle window responds. @throws IdleRendererLost if it was lost together with another, which Electron
 * may not have reported yet; the signal's reason
 */
async function confirmRenderer({ contents }: EngineWindow, signal: AbortSignal): Promise<void> {
  try {
    await unlessAborted(signal, executeJavaScript(contents, 'undefined'));
  } catch (problem) {
    if (problem instanceof RendererLost) throw new IdleRendererLost(problem.message, { cause: problem });
    throw problem;
  }
}

/** Returns `static` for a PDF of a document without scripts, otherwise `dynamic`. */
function kindFor({ options }: Job, source: Source): WindowKind {
  return source.scripts || isImage(options) ? 'dynamic' : 'static';
}
