/**
 * Monitors whether conversions work. After a reported fault, converts the canary, a small built-in document. If the conversion
 * fails, replaces all windows and tries again; after several failures in a row, declares the service unrecoverable. Does not use
 * Electron.
 */
import { Failure, messageOf } from '../../failure/failure.ts';
import type { ServiceLog } from '../../log/service-log.ts';
import { unlessAborted } from '../../async/signals.ts';
import { browserFaultOf } from './fault-detector.ts';

export const canaryOutcomes = ['passed', 'failed', 'inconclusive'] as const;

export type CanaryOutcome = (typeof canaryOutcomes)[number];

export interface HealthOptions {
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

export interface Health extends Disposable {
  /** Reports a suspected fault. The canary is then converted, which confirms or refutes the fault. */
  readonly reportFault: (why: string) => void;
  /** Returns the reason that `/ready` shows, or undefined while no problem is known. */
  readonly problem: () => string | undefined;
}

const defaultIntervals: CanaryIntervals = { minGapMs: 10_000, firstRetryMs: 1000, maxRetryMs: 30_000 };

/** Failures in a row after which `/ready` answers 503. */
const unreadyAfter = 3;
/** Failures in a row after which only a restart of the service can help. */
const unrecoverableAfter = 8;

interface HealthState {
  failures: number;
  /** Why the last canary failed. */
  reason: string;
  isRunning: boolean;
  /** A fault was reported while a canary was running. */
  isRequestedAgain: boolean;
  timer: NodeJS.Timeout | undefined;
  lastEnd: number;
  readonly disposal: AbortController;
}

export function openHealth(options: HealthOptions): Health {
  const { minGapMs } = options.intervals ?? defaultIntervals;
  const state: HealthState = {
    failures: 0,
    reason: '',
    isRunning: false,
    isRequestedAgain: false,
    timer: undefined,
    lastEnd: -Infinity,
    disposal: new AbortController(),
  };
  const schedule = (delayMs: number) => {
    if (!state.disposal.signal.aborted) state.timer = setTimeout(() => void run(), Math.max(0, delayMs));
  };
  const run = async () => {
    state.timer = undefined;
    state.isRunning = true;
    const result = await convertOnce(options, state.disposal.signal);
    state.isRunning = false;
    state.lastEnd = performance.now();
    const delayMs = processResult(state, result, options);
    if (delayMs !== undefined) schedule(delayMs);
  };
  return {
    reportFault(why) {
      if (state.isRunning) state.isRequestedAgain = true;
      if (state.isRunning || state.timer !== undefined || state.disposal.signal.aborted) return;
      options.log.info({ why }, 'possible browser fault; converting the canary');
      schedule(state.lastEnd + minGapMs - performance.now());
    },
    problem: () => (state.failures < unreadyAfter ? undefined : `conversions fail: ${state.reason}`),
    [Symbol.dispose]() {
      state.disposal.abort();
      clearTimeout(state.timer);
    },
  };
}

interface CanaryResult {
  readonly outcome: CanaryOutcome;
  readonly problem?: unknown;
}

/** Time-out of a canary, including its wait for a window. A frozen browser never answers. */
const canaryTimeoutMs = 90_000;

async function convertOnce({ convertCanary }: HealthOptions, signal: AbortSignal): Promise<CanaryResult> {
  const ended = new AbortController();
  const end = () => {
    ended.abort(signal.reason);
  };
  signal.addEventListener('abort', end);
  const timer = setTimeout(() => {
    ended.abort(new Error(`the conversion took longer than ${canaryTimeoutMs / 1000} s`));
  }, canaryTimeoutMs);
  try {
    await unlessAborted(ended.signal, convertCanary(ended.signal));
    return { outcome: 'passed' };
  } catch (problem) {
    return { outcome: isNoWindowFree(problem) ? 'inconclusive' : 'failed', problem };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
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

/** Updates the state after a canary. Returns the milliseconds until the next canary; undefined if none is needed. */
function processResult(
  state: HealthState,
  { outcome, problem }: CanaryResult,
  options: HealthOptions,
): number | undefined {
  const { minGapMs, firstRetryMs, maxRetryMs } = options.intervals ?? defaultIntervals;
  if (state.disposal.signal.aborted) return undefined;
  options.onRun(outcome);
  const { isRequestedAgain } = state;
  state.isRequestedAgain = false;
  if (outcome === 'inconclusive') return minGapMs;
  if (outcome === 'passed') {
    if (state.failures > 0) options.log.info({ failures: state.failures }, 'conversions work again');
    state.failures = 0;
    return isRequestedAgain ? minGapMs : undefined;
  }
  state.failures += 1;
  state.reason = messageOf(problem);
  options.log.error({ err: problem, failures: state.failures }, 'the canary failed; replacing all windows');
  options.replaceAllWindows();
  if (state.failures < unrecoverableAfter)
    return Math.min(firstRetryMs * 2 ** (state.failures - 1), maxRetryMs);
  state.disposal.abort();
  options.onUnrecoverable(`the canary failed ${state.failures} times in a row: ${state.reason}`);
  return undefined;
}
