/**
 * Monitors whether conversions work. After a reported fault, converts the canary, a small built-in document. If the conversion
 * fails, replaces all windows and tries again; after several failures in a row, declares the service unrecoverable. Does not use
 * Electron.
 */
import { Failure, messageOf } from '../../failure/failure.ts';
import type { ServiceLog } from '../../log/service-log.ts';
import { unlessAborted } from '../../async/signals.ts';
import { browserFaultOf } from '../renderer-loss.ts';

export const canaryOutcomes = ['passed', 'failed', 'inconclusive'] as const;

export type CanaryOutcome = (typeof canaryOutcomes)[number];

export interface HealthMonitorOptions {
  /**
   * Converts the canary. Rejects if the conversion fails or the output is wrong. A Failure `unavailable` without a browser fault
   * means that no window was free.
   */
  readonly convertCanary: (signal: AbortSignal) => Promise<void>;
  /** Replaces all current windows, including the one that converted the canary. */
  readonly replaceAllWindows: () => void;
  /** Called after each canary. */
  readonly onRun: (outcome: CanaryOutcome) => void;
  /** Called once, if the canary has failed too often in a row. */
  readonly onUnrecoverable: (message: string) => void;
  readonly log: ServiceLog;
  readonly intervals?: CanaryIntervals;
}

interface CanaryIntervals {
  /**
   * Minimum time between the end of one canary and the start of the next one for a new fault, because pages could cause thousands
   * of faults.
   */
  readonly minGapMs: number;
  /** Delay after the first failure; it doubles with each further failure. */
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
}

const defaultIntervals: CanaryIntervals = { minGapMs: 10_000, firstRetryMs: 1000, maxRetryMs: 30_000 };

/** Failures in a row after which `/ready` answers 503. */
const unreadyAfter = 3;
/** Failures in a row after which only a restart of the service can help. */
const unrecoverableAfter = 8;

interface CanaryResult {
  readonly outcome: CanaryOutcome;
  readonly problem?: unknown;
}

/** Timeout of a canary, including its wait for a window. A frozen browser never answers. */
const canaryTimeoutMs = 90_000;

export class HealthMonitor implements Disposable {
  readonly #options: HealthMonitorOptions;
  readonly #intervals: CanaryIntervals;
  /** Aborts when the monitor is disposed or has declared the service unrecoverable. No canary starts after that. */
  readonly #ended = new AbortController();
  /** Number of canaries in a row that have failed. */
  #failures = 0;
  /** Why the last canary failed. */
  #reason = '';
  #isRunning = false;
  /** A fault was reported while a canary was running. */
  #isRequestedAgain = false;
  /** Starts the next canary when it fires. */
  #timer: NodeJS.Timeout | undefined;
  /** When the last canary ended. */
  #lastEnd = -Infinity;

  constructor(options: HealthMonitorOptions) {
    this.#options = options;
    this.#intervals = options.intervals ?? defaultIntervals;
  }

  /** Returns the reason that `/ready` shows, or undefined while no problem is known. */
  problem(): string | undefined {
    return this.#failures < unreadyAfter ? undefined : `conversions fail: ${this.#reason}`;
  }

  /** Reports a suspected fault. The canary is then converted, which confirms or refutes the fault. */
  reportFault(why: string): void {
    if (this.#isRunning) this.#isRequestedAgain = true;
    if (this.#isRunning || this.#timer !== undefined || this.#ended.signal.aborted) return;
    this.#options.log.info({ why }, 'possible browser fault; converting the canary');
    this.#schedule(this.#lastEnd + this.#intervals.minGapMs - performance.now());
  }

  [Symbol.dispose](): void {
    this.#ended.abort();
    clearTimeout(this.#timer);
  }

  #schedule(delayMs: number): void {
    if (this.#ended.signal.aborted) return;
    this.#timer = setTimeout(() => void this.#run(), Math.max(0, delayMs));
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#isRunning = true;
    const result = await this.#convertCanary();
    this.#isRunning = false;
    this.#lastEnd = performance.now();
    const delayMs = this.#processResult(result);
    if (delayMs !== undefined) this.#schedule(delayMs);
  }

  /** Converts the canary under its timeout. Never rejects. */
  async #convertCanary(): Promise<CanaryResult> {
    const { signal } = this.#ended;
    const cancelled = new AbortController();
    const cancel = () => {
      cancelled.abort(signal.reason);
    };
    signal.addEventListener('abort', cancel);
    const timer = setTimeout(() => {
      cancelled.abort(new Error(`the conversion took longer than ${canaryTimeoutMs / 1000} s`));
    }, canaryTimeoutMs);
    try {
      await unlessAborted(cancelled.signal, this.#options.convertCanary(cancelled.signal));
      return { outcome: 'passed' };
    } catch (problem) {
      return { outcome: isNoWindowFree(problem) ? 'inconclusive' : 'failed', problem };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Returns the milliseconds until the next canary; undefined if none is needed. */
  #processResult({ outcome, problem }: CanaryResult): number | undefined {
    if (this.#ended.signal.aborted) return undefined;
    this.#options.onRun(outcome);
    const isRequestedAgain = this.#isRequestedAgain;
    this.#isRequestedAgain = false;
    if (outcome === 'inconclusive') return this.#intervals.minGapMs;
    if (outcome === 'failed') return this.#processFailure(problem);
    if (this.#failures > 0) this.#options.log.info({ failures: this.#failures }, 'conversions work again');
    this.#failures = 0;
    return isRequestedAgain ? this.#intervals.minGapMs : undefined;
  }

  #processFailure(problem: unknown): number | undefined {
    const { log, replaceAllWindows, onUnrecoverable } = this.#options;
    const { firstRetryMs, maxRetryMs } = this.#intervals;
    this.#failures += 1;
    this.#reason = messageOf(problem);
    log.error({ err: problem, failures: this.#failures }, 'the canary failed; replacing all windows');
    replaceAllWindows();
    if (this.#failures < unrecoverableAfter)
      return Math.min(firstRetryMs * 2 ** (this.#failures - 1), maxRetryMs);
    this.#ended.abort();
    onUnrecoverable(`the canary failed ${this.#failures} times in a row: ${this.#reason}`);
    return undefined;
  }
}

/**
 * Returns whether the canary failed only because no window was free. A browser that cannot open a window also causes `unavailable`,
 * but with a BrowserFault as the cause, which counts as a failure.
 */
function isNoWindowFree(problem: unknown): boolean {
  return (
    problem instanceof Failure && problem.kind === 'unavailable' && browserFaultOf(problem) === undefined
  );
}
