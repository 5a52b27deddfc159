/**
 * The self-test: runs all checks of an installation, also while the service works. It needs no network and no other program, and its
 * conversions wait in the queue like all others.
 */
import type { SelfTestReport } from '../console/contract.ts';
import { Failure } from '../failure/failure.ts';
import { unlessAborted } from '../async/signals.ts';
import type { Check, SelfTestDependencies } from './check.ts';
import { checks } from './checks.ts';
import { messageOf } from '../failure/message-of.ts';

type Row = SelfTestReport['checks'][number];

const totalTimeoutMs = 58_000;
const checkTimeoutMs = 30_000;

interface SelfTestOptions extends SelfTestDependencies {
  /** Aborts when the service stops. Checks would then fail for reasons that have nothing to do with the installation. */
  readonly stopSignal: AbortSignal;
}

/** Returns the self-test. Concurrent requests share the running one. @throws Failure unavailable when the service stops */
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

/** Runs all checks, which usually take 5 s. Checks that are not done after 58 s fail. @throws the signal's reason */
export async function runSelfTest(
  dependencies: SelfTestDependencies,
  signal: AbortSignal,
): Promise<SelfTestReport> {
  const began = Date.now();
  const start = performance.now();
  const rows: Row[] = [];
  for (const check of checks) {
    signal.throwIfAborted();
    const remainingMs = totalTimeoutMs - (performance.now() - start);
    rows.push(
      await runCheck(check, dependencies, { signal, timeoutMs: Math.min(remainingMs, checkTimeoutMs) }),
    );
  }
  signal.throwIfAborted();
  return { passed: rows.every(({ passed }) => passed), began, took: since(start), checks: rows };
}

interface Limits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

async function runCheck(
  check: Check,
  dependencies: SelfTestDependencies,
  { signal, timeoutMs }: Limits,
): Promise<Row> {
  const start = performance.now();
  const { name, advice } = check;
  if (timeoutMs <= 0)
    return {
      name,
      passed: false,
      says: 'The check did not run, because the checks before it took all the time.',
      took: 0,
    };
  const ended = new AbortController();
  const end = () => {
    ended.abort(signal.reason);
  };
  signal.addEventListener('abort', end);
  const timer = setTimeout(() => {
    ended.abort(new Error(`the check did not end within ${Math.ceil(timeoutMs / 1000)} s`));
  }, timeoutMs);
  try {
    const found = await unlessAborted(ended.signal, check.run({ ...dependencies, signal: ended.signal }));
    if (typeof found === 'string') return { name, passed: true, says: found, took: since(start) };
    return { name, passed: true, warning: true, says: found.warning, took: since(start) };
  } catch (problem) {
    return { name, passed: false, says: `${sentence(problem)} ${advice}`, took: since(start) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

function sentence(problem: unknown): string {
  const text = messageOf(problem);
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
}

function since(start: number): number {
  return Math.round(performance.now() - start);
}
