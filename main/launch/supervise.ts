/** Supervises the service: starts it with its own display, restarts it after a crash, and decides when to give up. */
import { setTimeout as after } from 'node:timers/promises';
import { openDisplay } from './display.ts';
import { IsolatedRuns } from './isolated-runs.ts';
import { lastPortVariable, restartedAfterVariable, restartsVariable } from './messages.ts';
import type { ElectronRuntime } from './runtime.ts';
import { runService, writeToStderr, type ServiceExit, type ServiceRun } from './service-process.ts';
import { catchSignals, type Signals } from './signals.ts';
import { messageOf } from '../failure/failure.ts';

interface SupervisorOptions {
  readonly runtime: ElectronRuntime;
  readonly environment: NodeJS.ProcessEnv;
  /** Returns the current rules. Called before each start. */
  readonly rules: () => RestartRules;
  /** Called before each restart with the reason for the exit and the delay in milliseconds. */
  readonly onRestart: (reason: string, delayMs: number) => void;
  /** Receives the lines of the service's standard error, and why the launcher gives up. Default: standard error. */
  readonly onStderrLine?: (line: string) => void;
}

interface RestartRules {
  /** Whether to restart after a crash or a hang. A restart that an operator requests always happens. */
  readonly restart: boolean;
  /** Time without a reply to the watchdog after which the service is killed. */
  readonly hangTimeoutMs: number;
}

/**
 * Runs the service until it is stopped or cannot be restarted. Returns the exit code.
 * @throws Error with a one-sentence message if the first start fails because there is no display
 */
export async function superviseService(options: SupervisorOptions): Promise<number> {
  // Ignores EPIPE: the process that reads standard error may have exited, but the service continues.
  process.stderr.on('error', () => {});
  using signals = catchSignals();
  const printLine = options.onStderrLine ?? writeToStderr;
  let history = emptyHistory;
  let environment = options.environment;
  for (;;) {
    const rules = options.rules();
    const exit = await runOnce({ ...options, ...rules, environment }, signals, history);
    const { reason, listened } = exit;
    const isRequested = exit.restartRequested === true && !signals.stopSignal.aborted;
    if (reason === undefined && !isRequested) return 0;
    history = isRequested ? afterRestartRequest(history) : afterExit(history, listened?.uptimeMs);
    if (signals.stopSignal.aborted || !(isRequested || shouldRestart(rules, history)))
      return giveUp(exit, history, printLine);
    environment = { ...environment, ...nextEnvironment(history, exit) };
    const delayMs = restartDelayMs(history);
    if (reason !== undefined) options.onRestart(reason, delayMs);
    if (!(await delayUnlessStopped(delayMs, signals.stopSignal))) return 0;
  }
}

/** Runs the service once. Opens a new display for each run, because the previous one may have crashed. */
async function runOnce(
  run: Omit<ServiceRun, 'stopSignal' | 'killSignals' | 'showsOutput'>,
  signals: Signals,
  history: RestartHistory,
): Promise<ServiceExit> {
  try {
    const display = await openDisplay();
    const serviceRun = {
      ...run,
      environment: { ...run.environment, ...display.environment },
      killSignals: [signals.killSignal, display.lost],
    };
    const isolatedRuns = new IsolatedRuns(serviceRun);
    const exit = await runService({
      ...serviceRun,
      stopSignal: signals.stopSignal,
      showsOutput: true,
      onStarted: (service) => {
        isolatedRuns.serve(service);
      },
    }).finally(async () => {
      await isolatedRuns[Symbol.asyncDispose]();
      await display[Symbol.asyncDispose]();
    });
    // Electron also exits if its display is lost, possibly before the launcher detects the loss.
    if (exit.reason === undefined || !display.lost.aborted) return exit;
    return { ...exit, reason: String(display.lost.reason), isReasonReported: false };
  } catch (problem) {
    if (!history.hasListened) throw problem;
    return {
      reason: messageOf(problem),
      isReasonReported: false,
    };
  }
}

/** Returns true after the delay, or false as soon as the service must stop. */
function delayUnlessStopped(milliseconds: number, stopSignal: AbortSignal): Promise<boolean> {
  return after(milliseconds, true, { signal: stopSignal }).catch(() => false);
}

/**
 * Returns whether to restart after a crash. A service that has never listened has a set-up problem, which a restart does not solve.
 */
function shouldRestart({ restart }: RestartRules, { hasListened, failedStarts }: RestartHistory): boolean {
  return restart && hasListened && failedStarts < maxFailedStarts;
}

/** Returns the variables for the next start. They include the port, even for the setting port=0, because clients already use it. */
function nextEnvironment({ restarts }: RestartHistory, { reason, listened }: ServiceExit): NodeJS.ProcessEnv {
  const port = listened && new URL(listened.url).port;
  return {
    [restartsVariable]: String(restarts),
    [restartedAfterVariable]: reason,
    ...(port && { [lastPortVariable]: port }),
  };
}

function giveUp(
  { reason, isReasonReported }: ServiceExit,
  { hasListened, failedStarts }: RestartHistory,
  printLine: (line: string) => void,
): number {
  if (failedStarts === maxFailedStarts)
    printLine(`platen: ${failedStarts} consecutive starts failed; the last error: ${reason}.`);
  else if (!isReasonReported || hasListened) printLine(`platen: the service ended: ${reason}.`);
  return 1;
}

// Restart delays, and when to give up. The functions have no side effects.

/** The outcome of all starts so far. */
export interface RestartHistory {
  /** Number of restarts. */
  readonly restarts: number;
  /** Consecutive runs that did not stay up for `stableUptimeMs`. */
  readonly shortRuns: number;
  /** Consecutive starts that never listened. */
  readonly failedStarts: number;
  /** Whether any start has listened. */
  readonly hasListened: boolean;
}

export const emptyHistory: RestartHistory = {
  restarts: 0,
  shortRuns: 0,
  failedStarts: 0,
  hasListened: false,
};

/** The launcher gives up after this number of failed starts in a row. The delays between them add up to about four minutes. */
export const maxFailedStarts = 10;

const maxDelayMs = 60_000;

/** After this uptime, an exit counts as unrelated to the previous one. */
const stableUptimeMs = 300_000;

/** Returns the history after a run that listened for `uptimeMs`, which is undefined if the run never listened. */
export function afterExit(history: RestartHistory, uptimeMs: number | undefined): RestartHistory {
  return {
    restarts: history.restarts + 1,
    shortRuns: uptimeMs !== undefined && uptimeMs >= stableUptimeMs ? 1 : history.shortRuns + 1,
    failedStarts: uptimeMs === undefined ? history.failedStarts + 1 : 0,
    hasListened: history.hasListened || uptimeMs !== undefined,
  };
}

/** Returns the history after a restart that an operator requested. Such a restart is not a fault, so the counters are reset. */
export function afterRestartRequest({ restarts }: RestartHistory): RestartHistory {
  return { restarts, shortRuns: 0, failedStarts: 0, hasListened: true };
}

/** Returns the delay before the next start in milliseconds: 0, then 1, 2, 4 ... 60 s. */
export function restartDelayMs({ shortRuns }: RestartHistory): number {
  return shortRuns <= 1 ? 0 : Math.min(maxDelayMs, 1000 * 2 ** (shortRuns - 2));
}
