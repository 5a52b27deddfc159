/**
 * The self-test: proves an installation from the inside, while the service works. It needs no network and no other program, and
 * its conversions wait in the queue like everybody's.
 */
import type { SelfTestReport } from '../console/contract.ts';
import { Failure } from '../failure/failure.ts';
import { unlessAborted } from '../signals.ts';
import type { Check, SelfTestMeans } from './check.ts';
import { checks } from './checks.ts';

type Row = SelfTestReport['checks'][number];

/** Milliseconds for all, and for one. */
const [longest, longestCheck] = [58_000, 30_000];

interface OpenMeans extends SelfTestMeans {
  /** Aborts when the service is to stop: from then on no check could pass, and that would say nothing of the installation. */
  readonly told: AbortSignal;
}

/** One at a time: who asks while it is under way gets that one. @throws Failure unavailable when the service stops */
export function openSelfTest({ told, ...means }: OpenMeans): () => Promise<SelfTestReport> {
  let running: Promise<SelfTestReport> | undefined;
  const stopped = new AbortController();
  const stop = () => {
    stopped.abort(new Failure('unavailable', 'The service is shutting down.', { retryAfter: 10 }));
  };
  if (told.aborted) stop();
  else told.addEventListener('abort', stop, { once: true });
  return () =>
    (running ??= runSelfTest(means, stopped.signal).finally(() => {
      running = undefined;
    }));
}

/** Takes 5 s, and never more than 60: what has not come by then has failed. @throws the signal's reason */
export async function runSelfTest(means: SelfTestMeans, signal: AbortSignal): Promise<SelfTestReport> {
  const [began, start] = [Date.now(), performance.now()];
  const rows: Row[] = [];
  for (const check of checks) {
    signal.throwIfAborted();
    const left = longest - (performance.now() - start);
    rows.push(await carryOut(check, means, { signal, patience: Math.min(left, longestCheck) }));
  }
  signal.throwIfAborted();
  return { passed: rows.every(({ passed }) => passed), began, took: since(start), checks: rows };
}

interface Limits {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly patience: number;
}

async function carryOut(check: Check, means: SelfTestMeans, { signal, patience }: Limits): Promise<Row> {
  const start = performance.now();
  const { name, advice } = check;
  if (patience <= 0)
    return { name, passed: false, says: 'It was not tried: those before it took all the time.', took: 0 };
  const ended = new AbortController();
  const end = () => {
    ended.abort(signal.reason);
  };
  signal.addEventListener('abort', end);
  const timer = setTimeout(() => {
    ended.abort(new Error(`it was not done within ${Math.ceil(patience / 1000)} s`));
  }, patience);
  try {
    const found = await unlessAborted(ended.signal, check.run({ ...means, signal: ended.signal }));
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
  const text = problem instanceof Error ? problem.message : String(problem);
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
}

function since(start: number): number {
  return Math.round(performance.now() - start);
}
