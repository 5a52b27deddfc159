/**
 * The self-test: runs all checks of an installation, also while the service is running. It needs no network and no other program.
 * Its conversions wait in the queue like all other conversions.
 */
import type { SelfTestReport } from '../console/contract.ts';
import { Failure, messageOf } from '../failure/failure.ts';
import { unlessAborted } from '../async/signals.ts';
import type { Check, SelfTestDependencies } from './check.ts';
import { checks } from './checks.ts';

type ReportRow = SelfTestReport['checks'][number];

const totalTimeoutMs = 58_000;
const checkTimeoutMs = 30_000;

interface SelfTestOptions extends SelfTestDependencies {
  /** Aborts when the service stops. The self-test then ends, because checks would fail even in a working installation. */
  readonly stopSignal: AbortSignal;
}

/**
 * Returns a function that runs the self-test. Concurrent calls share one run. The function throws Failure unavailable if the
 * service stops.
 */
export function openSelfTest({
  stopSignal,
  ...dependencies
}: SelfTestOptions): () => Promise<SelfTestReport> {
  let running: Promise<SelfTestReport> | undefined;
  const stopped = new AbortController();
  const stop = () => {
    stopped.abort(new Failure('unavailable', 'The service is shutting down.', { retryAfter: 10 }));
  };
  if (stopSignal.aborted) stop();
  else stopSignal.addEventListener('abort', stop, { once: true });
  return () =>
    (running ??= runSelfTest(dependencies, stopped.signal).finally(() => {
      running = undefined;
    }));
}

/** Runs all checks, which usually takes 5 s. Checks that have not ended after 58 s fail. @throws the signal's reason */
export async function runSelfTest(
  dependencies: SelfTestDependencies,
  signal: AbortSignal,
): Promise<SelfTestReport> {
  const startedAt = Date.now();
  const startMs = performance.now();
  const rows: ReportRow[] = [];
  for (const check of checks) {
    signal.throwIfAborted();
    const remainingMs = totalTimeoutMs - (performance.now() - startMs);
    rows.push(
      await runCheck(check, dependencies, { signal, timeoutMs: Math.min(remainingMs, checkTimeoutMs) }),
    );
  }
  signal.throwIfAborted();
  return { passed: rows.every(({ passed }) => passed), began: startedAt, took: since(startMs), checks: rows };
}

interface SelfTestLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

async function runCheck(
  check: Check,
  dependencies: SelfTestDependencies,
  { signal, timeoutMs }: SelfTestLimits,
): Promise<ReportRow> {
  const startMs = performance.now();
  const { name, advice } = check;
  if (timeoutMs <= 0)
    return {
      name,
      passed: false,
      message: `The check did not run, because the earlier checks took ${totalTimeoutMs / 1000} s.`,
      took: 0,
    };
  const cancelled = new AbortController();
  const cancel = () => {
    cancelled.abort(signal.reason);
  };
  signal.addEventListener('abort', cancel);
  const timer = setTimeout(() => {
    cancelled.abort(new Error(`the check did not end within ${Math.ceil(timeoutMs / 1000)} s`));
  }, timeoutMs);
  try {
    const result = await unlessAborted(
      cancelled.signal,
      check.run({ ...dependencies, signal: cancelled.signal }),
    );
    if (typeof result === 'string') return { name, passed: true, message: result, took: since(startMs) };
    return { name, passed: true, warning: true, message: result.warning, took: since(startMs) };
  } catch (problem) {
    return { name, passed: false, message: `${toSentence(problem)} ${advice}`, took: since(startMs) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

function toSentence(problem: unknown): string {
  const text = messageOf(problem);
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
}

function since(start: number): number {
  return Math.round(performance.now() - start);
}
