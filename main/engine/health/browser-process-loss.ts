/**
 * Watches the processes that all windows share (network and graphics), and aborts affected jobs if one of them is lost. Chromium
 * restarts such a process itself.
 */
import { app } from 'electron';
import { Failure } from '../../failure/failure.ts';
import type { Lease } from '../window/lease.ts';
import type { EngineWindow } from '../window/engine-window.ts';
import { browserFaultOf, ProcessLost, type SharedProcess } from '../renderer-loss.ts';

/** A job that has a window. */
interface ActiveJob {
  readonly window: EngineWindow;
  readonly lease: Lease;
  /** The output is an image. The graphics process draws captures but not prints. */
  readonly isImage: boolean;
}

export interface ProcessWatch extends Disposable {
  /** Aborts the job with ProcessLost, so that it is repeated, if a loss may affect it. Dispose of the result when the job ends. */
  readonly track: (job: ActiveJob) => Disposable;
  /** Waits until Electron has reported a loss that may explain a job's error, because the error often arrives first. */
  readonly waitForLossReport: (problem: unknown) => Promise<void>;
}

/** Starts watching. Calls `onLost` for each loss, before it aborts jobs. */
export function openProcessWatch(onLost: (loss: ProcessLost) => void): ProcessWatch {
  const activeJobs = new Set<ActiveJob>();
  const onGone = (_event: unknown, details: Electron.Details) => {
    const process = sharedProcess(details);
    if (process === undefined) return;
    const loss = new ProcessLost(process);
    onLost(loss);
    for (const job of activeJobs) abortIfAffected(loss, job);
  };
  app.on('child-process-gone', onGone);
  return {
    track(job) {
      activeJobs.add(job);
      return {
        [Symbol.dispose]() {
          activeJobs.delete(job);
        },
      };
    },
    async waitForLossReport(problem) {
      if (mayBeCausedByLoss(problem)) await new Promise((resolve) => setTimeout(resolve, lossReportDelayMs));
    },
    [Symbol.dispose]() {
      app.off('child-process-gone', onGone);
    },
  };
}

/** In measurements, Electron reported killed processes after 8 and 14 ms. */
const lossReportDelayMs = 50;

/** Returns whether the error is of a kind that a loss may cause: a page could not be loaded, printed or captured. */
function mayBeCausedByLoss(problem: unknown): boolean {
  const notLoaded = problem instanceof Failure && problem.kind === 'pageNotLoaded';
  return notLoaded || browserFaultOf(problem) !== undefined;
}

/** Kills the processes that all windows share; Chromium then starts new ones. A frozen process never ends on its own. */
export function endSharedProcesses(): void {
  for (const metric of app.getAppMetrics()) if (sharedProcess(metric) !== undefined) killProcess(metric.pid);
}

interface ProcessName {
  readonly type: string;
  readonly serviceName?: string | undefined;
}

function sharedProcess({ type, serviceName }: ProcessName): SharedProcess | undefined {
  if (type === 'GPU') return 'graphics';
  return serviceName === 'network.mojom.NetworkService' ? 'network' : undefined;
}

/**
 * Aborts the job if the loss may affect it. Otherwise the job could wait until the job timeout, because after a loss Chromium 130
 * neither finishes nor fails a load that was under way.
 */
function abortIfAffected(loss: ProcessLost, { window, lease, isImage }: ActiveJob): void {
  const isAffected =
    loss.process === 'network'
      ? window.context.requests.touchedNetwork()
      : isImage || window.kind === 'dynamic';
  if (!isAffected) return;
  window.brokenReason ??= loss.message;
  lease.abort(loss);
}

/** Kills a Chromium process immediately. Does nothing if the process has already ended. */
export function killProcess(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL');
  } catch {
    // The process has ended.
  }
}
