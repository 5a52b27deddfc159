/**
 * Whether conversions work. Nothing is asked while all is well; when something looked wrong a canary is converted, again and
 * again until it comes out right, in new windows, and when it never does the service is given up. Plain Node.
 */
import { Failure } from '../failure/failure.ts';
import type { ServiceLog } from '../log/service-log.ts';
import { unlessAborted } from '../signals.ts';
import { browserFaultOf } from './browser-fault.ts';

export const canaryOutcomes = ['passed', 'failed', 'inconclusive'] as const;

export type CanaryOutcome = (typeof canaryOutcomes)[number];

export interface HealthOptions {
  /** Converts the canary. Rejects when it did not come out right; with Failure unavailable, and no fault of the browser's, when there was no room for it. */
  readonly convert: (signal: AbortSignal) => Promise<void>;
  /** The windows there are now, those of the canary too, are not used again. */
  readonly distrust: () => void;
  readonly onRun: (outcome: CanaryOutcome) => void;
  /** Called once, when it has failed too often. */
  readonly onHopeless: (sentence: string) => void;
  readonly log: ServiceLog;
  readonly pace?: Pace;
}

export interface Pace {
  /** Milliseconds between the end of one canary and the next that something new asks for: pages could ask for thousands. */
  readonly gap: number;
  /** Milliseconds after the first failure; twice as long after each further one. */
  readonly firstWait: number;
  readonly longestWait: number;
}

export interface Health extends Disposable {
  /** Something looked wrong. */
  readonly doubt: (why: string) => void;
  /** Why no job should come, in words for `/ready`; undefined while conversions work as far as is known. */
  readonly problem: () => string | undefined;
}

const usualPace: Pace = { gap: 10_000, firstWait: 1000, longestWait: 30_000 };

/** Failures in a row after which /ready tells, and after which new processes are the only hope. */
const tellAfter = 3;
const giveUpAfter = 8;

interface State {
  failures: number;
  /** What the last one failed by. */
  reason: string;
  running: boolean;
  /** Doubted again while a canary ran. */
  again: string | undefined;
  timer: NodeJS.Timeout | undefined;
  lastEnd: number;
  readonly over: AbortController;
}

export function openHealth(options: HealthOptions): Health {
  const { gap } = options.pace ?? usualPace;
  const state: State = {
    ...{ failures: 0, reason: '', running: false, over: new AbortController(), lastEnd: -Infinity },
    ...{ again: undefined, timer: undefined },
  };
  const schedule = (wait: number) => {
    if (!state.over.signal.aborted) state.timer = setTimeout(() => void run(), Math.max(0, wait));
  };
  const run = async () => {
    state.timer = undefined;
    state.running = true;
    const outcome = await convertOnce(options, state.over.signal);
    state.running = false;
    state.lastEnd = performance.now();
    const wait = take(state, outcome, options);
    if (wait !== undefined) schedule(wait);
  };
  return {
    doubt(why) {
      if (state.running) state.again = why;
      if (state.running || state.timer !== undefined || state.over.signal.aborted) return;
      options.log.info({ why }, 'something looked wrong; a canary is converted');
      schedule(state.lastEnd + gap - performance.now());
    },
    problem: () => (state.failures < tellAfter ? undefined : `conversions fail: ${state.reason}`),
    [Symbol.dispose]() {
      state.over.abort();
      clearTimeout(state.timer);
    },
  };
}

interface Ran {
  readonly outcome: CanaryOutcome;
  readonly problem?: unknown;
}

/** Milliseconds, its wait for a window included; a frozen browser answers nothing at all. */
const canaryPatience = 90_000;

async function convertOnce({ convert }: HealthOptions, signal: AbortSignal): Promise<Ran> {
  const ended = new AbortController();
  const end = () => {
    ended.abort(signal.reason);
  };
  signal.addEventListener('abort', end);
  const timer = setTimeout(() => {
    ended.abort(new Error(`it was not converted within ${canaryPatience / 1000} s`));
  }, canaryPatience);
  try {
    await unlessAborted(ended.signal, convert(ended.signal));
    return { outcome: 'passed' };
  } catch (problem) {
    return { outcome: isNoRoom(problem) ? 'inconclusive' : 'failed', problem };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** A caller is told of a browser that opens no window in the same way, but no window is the fault that is looked for. */
function isNoRoom(problem: unknown): boolean {
  return (
    problem instanceof Failure && problem.kind === 'unavailable' && browserFaultOf(problem) === undefined
  );
}

/** Milliseconds until the next one; undefined: none is needed. */
function take(state: State, { outcome, problem }: Ran, options: HealthOptions): number | undefined {
  const { gap, firstWait, longestWait } = options.pace ?? usualPace;
  if (state.over.signal.aborted) return undefined;
  options.onRun(outcome);
  const { again } = state;
  state.again = undefined;
  if (outcome === 'inconclusive') return gap;
  if (outcome === 'passed') {
    if (state.failures > 0) options.log.info({ failures: state.failures }, 'conversions work again');
    state.failures = 0;
    return again === undefined ? undefined : gap;
  }
  state.failures += 1;
  state.reason = problem instanceof Error ? problem.message : String(problem);
  options.log.error({ err: problem, failures: state.failures }, 'the canary could not be converted');
  options.distrust();
  if (state.failures < giveUpAfter) return Math.min(firstWait * 2 ** (state.failures - 1), longestWait);
  state.over.abort();
  options.onHopeless(`the canary could not be converted ${state.failures} times in a row: ${state.reason}`);
  return undefined;
}
