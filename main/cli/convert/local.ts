/**
 * Converts with a local Electron: one process for all items, started with the first item and restarted after a
 * crash.
 */
import type { ChildProcess } from 'node:child_process';
import { listeningUrl, type BatchOrder, type BatchReport } from '../../launch/messages.ts';
import { openDisplay } from '../../launch/display.ts';
import type { Runtime } from '../../launch/runtime.ts';
import { runService, type ServiceExit } from '../../launch/service-process.ts';
import type { FailureKind } from '../../failure/catalogue.ts';
import { unlessAborted } from '../../async/signals.ts';
import { orderOf, type Converter, type Failed, type Outcome, type Task } from './converter.ts';
import { kindOf } from './exit-codes.ts';

export interface LocalOptions {
  readonly runtime: Runtime;
  readonly environment: NodeJS.ProcessEnv;
  readonly hangTimeoutMs: number;
  /** Kills the process. */
  readonly killSignal: AbortSignal;
  /** Receives lines of its standard error. */
  readonly onStderrLine: (line: string) => void;
}

/** A document that was being converted during this many crashes fails. */
const maxCrashes = 3;

export function openLocal(options: LocalOptions): Converter {
  let current: Session | undefined;
  // After a crash one of the concurrent documents is guilty, so they are retried one by one.
  let lastRetry = Promise.resolve();
  const attempt = async (task: Task, signal: AbortSignal): Promise<Outcome | undefined> => {
    signal.throwIfAborted();
    const session = (current ??= startSession(options));
    const outcome = await session.convert(task, signal);
    if (outcome === undefined && current === session) current = undefined;
    return outcome;
  };
  const attemptAlone = (task: Task, signal: AbortSignal): Promise<Outcome | undefined> => {
    const outcome = lastRetry.then(() => attempt(task, signal));
    lastRetry = outcome.then(
      () => {},
      () => {},
    );
    return outcome;
  };
  return {
    async convert(task, signal) {
      let outcome = await attempt(task, signal);
      for (let crashes = 1; outcome === undefined && crashes < maxCrashes; crashes += 1)
        outcome = await attemptAlone(task, signal);
      return outcome ?? crashed;
    },
    // Electron reads files again for each conversion.
    invalidateFiles() {},
    async [Symbol.asyncDispose]() {
      await current?.end();
    },
  };
}

const crashed: Outcome = {
  kind: 'failed',
  status: 400,
  reason: 326,
  message: `The converter crashed ${maxCrashes} times while converting this document.`,
};

interface Session {
  /**
   * Resolves with undefined if the process ended meanwhile.
   * @throws Error with one sentence if nothing can be converted; the signal's reason
   */
  readonly convert: (task: Task, signal: AbortSignal) => Promise<Outcome | undefined>;
  readonly end: () => Promise<void>;
}

function startSession(options: LocalOptions): Session {
  const stop = new AbortController();
  const pendingReports = new Map<number, (report?: BatchReport) => void>();
  let count = 0;
  let ended = Promise.resolve();
  const ready = new Promise<ChildProcess>((resolve, reject) => {
    const onStarted = (service: ChildProcess) => {
      service.on('message', (message: BatchReport) => {
        if (listeningUrl(message) !== undefined) resolve(service);
        else if (typeof message === 'object') pendingReports.get(message.number)?.(message);
      });
    };
    ended = runElectron(options, { stopSignal: stop.signal, onStarted }).then(
      ({ reason = 'it was to end' }) => {
        reject(new Error(`the converter could not be started: ${reason}.`));
        for (const report of pendingReports.values()) report();
      },
      reject,
    );
  });
  ready.catch(() => {});
  return {
    async convert(task, signal) {
      const service = await unlessAborted(signal, ready);
      const number = (count += 1);
      const report = new Promise<BatchReport | undefined>((resolve) => pendingReports.set(number, resolve));
      const order: BatchOrder = { ...orderOf(task), kind: 'convert', number };
      if (!service.connected) return undefined;
      service.send(order, () => {});
      const outcome = await unlessAborted(signal, report);
      pendingReports.delete(number);
      return outcome && withoutNumber(outcome);
    },
    async end() {
      stop.abort();
      await ended;
    },
  };
}

/** Drops the message's number, and the time, which the caller measures itself. */
function withoutNumber({ number: _number, took: _took, ...outcome }: BatchReport): Outcome {
  return outcome.kind === 'failed' ? { ...outcome, message: outcome.message + hint(outcome) } : outcome;
}

/** Adds what users of the command line can change themselves; callers of a service would ask its operator. */
function hint({ status, reason }: Failed): string {
  const hints: Readonly<Partial<Record<FailureKind, string>>> = {
    addressRefused: ' Allow it with --network-allow HOST:PORT, or change the policy with --network.',
    timedOut: ' Increase the limit with --job-timeout, such as 5m.',
    tooComplex: ' Increase the memory limit with --page-memory.',
  };
  const kind = kindOf(status, reason);
  return (kind && hints[kind]) ?? '';
}

async function runElectron(
  { killSignal, ...parts }: LocalOptions,
  {
    stopSignal: stopSignal,
    onStarted: onStarted,
  }: { readonly stopSignal: AbortSignal; readonly onStarted: (service: ChildProcess) => void },
): Promise<ServiceExit> {
  await using display = await openDisplay();
  return await runService({
    ...parts,
    environment: { ...parts.environment, ...display.environment },
    stopSignal,
    onStarted,
    killSignals: [killSignal, display.lost],
  });
}
