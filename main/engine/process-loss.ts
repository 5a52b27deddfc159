/** The processes that all windows share, and what becomes of jobs when Chromium loses one: it starts another by itself. */
import { app } from 'electron';
import { Failure } from '../failure/failure.ts';
import { BrowserFault, browserFaultOf } from './browser-fault.ts';
import { killProcess } from './kill-process.ts';
import type { Lease } from './lease.ts';
import type { EngineWindow } from './window.ts';

export type SharedProcess = 'network' | 'graphics';

/** Why a run was aborted that may have lost something with a process of the browser's own. */
export class ProcessLost extends BrowserFault {
  readonly process: SharedProcess;

  constructor(process: SharedProcess) {
    super(`the browser's ${process} process was lost`);
    this.process = process;
  }
}

/** A job that has a window. */
export interface Working {
  readonly window: EngineWindow;
  readonly lease: Lease;
  /** What is looked at is drawn by the graphics process; what is printed is not. */
  readonly isPicture: boolean;
}

export interface ProcessWatch extends Disposable {
  /** Ends the job for it to be begun anew, if it may have lost something, until this is disposed. */
  readonly begin: (working: Working) => Disposable;
  /** Waits for the news of a loss that may be behind a job's problem: the problem often comes first. */
  readonly news: (problem: unknown) => Promise<void>;
}

/** Calls back with each loss, before the jobs hear of it, until it is disposed. */
export function openProcessWatch(onLost: (loss: ProcessLost) => void): ProcessWatch {
  const working = new Set<Working>();
  const onGone = (_event: unknown, details: Electron.Details) => {
    const process = sharedProcess(details);
    if (process === undefined) return;
    const loss = new ProcessLost(process);
    onLost(loss);
    for (const one of working) endForLoss(loss, one);
  };
  app.on('child-process-gone', onGone);
  return {
    begin(one) {
      working.add(one);
      return {
        [Symbol.dispose]() {
          working.delete(one);
        },
      };
    },
    async news(problem) {
      if (mayComeOfLoss(problem)) await new Promise((resolve) => setTimeout(resolve, newsTravels));
    },
    [Symbol.dispose]() {
      app.off('child-process-gone', onGone);
    },
  };
}

/** Milliseconds. The news of a killed process came 8 and 14 ms after it. */
const newsTravels = 50;

/** A page could not be loaded, printed or captured. */
function mayComeOfLoss(problem: unknown): boolean {
  const notLoaded = problem instanceof Failure && problem.kind === 'pageNotLoaded';
  return notLoaded || browserFaultOf(problem) !== undefined;
}

/** Ends the processes that all windows share, and Chromium starts others. One that is frozen never goes by itself. */
export function endSharedProcesses(): void {
  for (const metric of app.getAppMetrics()) if (sharedProcess(metric) !== undefined) killProcess(metric.pid);
}

interface Named {
  readonly type: string;
  readonly serviceName?: string | undefined;
}

function sharedProcess({ type, serviceName }: Named): SharedProcess | undefined {
  if (type === 'GPU') return 'graphics';
  return serviceName === 'network.mojom.NetworkService' ? 'network' : undefined;
}

/** A document whose loading was under way is neither loaded nor refused after that (Chromium 130), up to the job limit. */
function endForLoss(loss: ProcessLost, { window, lease, isPicture }: Working): void {
  const isConcerned =
    loss.process === 'network' ? window.seat.requests.touchedNetwork() : isPicture || window.kind === 'live';
  if (!isConcerned) return;
  window.broken ??= loss.message;
  lease.lose(loss);
}
