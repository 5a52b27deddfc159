/** Keeps the service running: starts it, starts it anew with a display of its own when it crashed, and knows when to give up. */
import { setTimeout as after } from 'node:timers/promises';
import { afterEnd, afterOrder, mostFailed, nothingYet, waitBeforeStart, type Past } from './back-off.ts';
import { openDisplay } from './display.ts';
import { keptPortVariable, restartedAfterVariable, restartsVariable } from './messages.ts';
import type { Runtime } from './runtime.ts';
import { runService, type Ending, type ServiceRun } from './service-process.ts';
import { catchSignals, type Signals } from './signals.ts';

export interface Supervision {
  readonly runtime: Runtime;
  readonly environment: NodeJS.ProcessEnv;
  /** Asked before each start. */
  readonly rules: () => Rules;
  /** Is told why the service ended, and in how many milliseconds it is started anew. */
  readonly report: (why: string, wait: number) => void;
}

export interface Rules {
  /** Whether a service that crashed or hung is started anew. An operator's order is followed in any case. */
  readonly restart: boolean;
  /** Milliseconds the service may leave a question unanswered before it is killed. */
  readonly hangTimeout: number;
}

/** Resolves with the exit code. @throws Error with one sentence when the first start fails for want of a display */
export async function superviseService(supervision: Supervision): Promise<number> {
  // Whoever read our standard error may have gone; the service goes on.
  process.stderr.on('error', () => {});
  using signals = catchSignals();
  let past = nothingYet;
  let environment = supervision.environment;
  for (;;) {
    const rules = supervision.rules();
    const ending = await runOnce({ ...supervision, ...rules, environment }, signals, past);
    const { why, listened } = ending;
    const isOrdered = ending.restart === true && !signals.stop.aborted;
    if (why === undefined && !isOrdered) return 0;
    past = isOrdered ? afterOrder(past) : afterEnd(past, listened?.time);
    if (signals.stop.aborted || !(isOrdered || isWorthAnother(rules, past))) return giveUp(ending, past);
    environment = { ...environment, ...forTheNext(past, ending) };
    const wait = waitBeforeStart(past);
    if (why !== undefined) supervision.report(why, wait);
    if (!(await waited(wait, signals.stop))) return 0;
  }
}

/** A display of its own for each run: one that was lost is not asked again. */
async function runOnce(
  run: Omit<ServiceRun, 'stop' | 'kills'>,
  signals: Signals,
  past: Past,
): Promise<Ending> {
  try {
    const display = await openDisplay();
    const ending = await runService({
      ...run,
      environment: { ...run.environment, ...display.environment },
      stop: signals.stop,
      kills: [signals.kill, display.lost],
    }).finally(() => display[Symbol.asyncDispose]());
    // Electron notices too, and may be the first to be gone.
    if (ending.why === undefined || !display.lost.aborted) return ending;
    return { ...ending, why: String(display.lost.reason), toldByItself: false };
  } catch (problem) {
    if (!past.hasListened) throw problem;
    return { why: problem instanceof Error ? problem.message : String(problem), toldByItself: false };
  }
}

/** False, at once, when it is to stop: there is nothing more to end then. */
function waited(milliseconds: number, stop: AbortSignal): Promise<boolean> {
  return after(milliseconds, true, { signal: stop }).catch(() => false);
}

/** A service that has never listened has a fault of its set-up, which another start does not mend. */
function isWorthAnother({ restart }: Rules, { hasListened, failed }: Past): boolean {
  return restart && hasListened && failed < mostFailed;
}

/** Callers know the port, also one that was any free one. */
function forTheNext({ restarts }: Past, { why, listened }: Ending): NodeJS.ProcessEnv {
  const port = listened && new URL(listened.url).port;
  return {
    [restartsVariable]: String(restarts),
    [restartedAfterVariable]: why,
    ...(port && { [keptPortVariable]: port }),
  };
}

function giveUp({ why, toldByItself }: Ending, { hasListened, failed }: Past): number {
  if (failed === mostFailed)
    process.stderr.write(`platen: ${failed} starts in a row have failed; the last: ${why}.\n`);
  else if (!toldByItself || hasListened) process.stderr.write(`platen: the service ended: ${why}.\n`);
  return 1;
}
