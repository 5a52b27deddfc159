/**
 * Converts with a local Electron process. One process converts all items. It starts with the first item and again after a crash.
 */
import type { ChildProcess } from 'node:child_process';
import { listeningUrl, type BatchRequest, type BatchReport } from '../../launch/messages.ts';
import { openDisplay } from '../../launch/display.ts';
import type { ElectronRuntime } from '../../launch/runtime.ts';
import { runService, type ServiceExit } from '../../launch/service-process.ts';
import { kindOf, type FailureKind } from '../../failure/catalogue.ts';
import { unlessAborted } from '../../async/signals.ts';
import {
  requestFor,
  type ItemConverter,
  type FailedItemResult,
  type ItemOutcome,
  type ItemTask,
} from './converter.ts';

export interface LocalOptions {
  readonly runtime: ElectronRuntime;
  readonly environment: NodeJS.ProcessEnv;
  readonly hangTimeoutMs: number;
  /** Kills the process when it aborts. */
  readonly killSignal: AbortSignal;
  /** Called with each line of the process's standard error. */
  readonly onStderrLine: (line: string) => void;
}

/** A document fails if the process crashes this many times while converting it. */
const maxCrashes = 3;

export function openLocal(options: LocalOptions): ItemConverter {
  let current: Session | undefined;
  // It is unknown which of the concurrent documents caused a crash, so each of them is retried alone.
  let lastRetry = Promise.resolve();
  const attempt = async (task: ItemTask, signal: AbortSignal): Promise<ItemOutcome | undefined> => {
    signal.throwIfAborted();
    const session = (current ??= startSession(options));
    const outcome = await session.convert(task, signal);
    if (outcome === undefined && current === session) current = undefined;
    return outcome;
  };
  const attemptAlone = (task: ItemTask, signal: AbortSignal): Promise<ItemOutcome | undefined> => {
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
      return outcome ?? crashedOutcome;
    },
    // Electron reads the files again for each conversion.
    invalidateFiles() {},
    async [Symbol.asyncDispose]() {
      await current?.end();
    },
  };
}

const crashedOutcome: ItemOutcome = {
  kind: 'failed',
  status: 400,
  reason: 326,
  message: `The converter crashed ${maxCrashes} times while converting this document.`,
};

interface Session {
  /**
   * Converts an item. Resolves with undefined if the process ends during the conversion.
   * @throws the signal's reason; Error with a one-sentence message if the process cannot be started
   */
  readonly convert: (task: ItemTask, signal: AbortSignal) => Promise<ItemOutcome | undefined>;
  readonly end: () => Promise<void>;
}

function startSession(options: LocalOptions): Session {
  const stop = new AbortController();
  const pendingReports = new Map<number, (report?: BatchReport) => void>();
  let lastNumber = 0;
  let ended = Promise.resolve();
  const ready = new Promise<ChildProcess>((resolve, reject) => {
    const onStarted = (service: ChildProcess) => {
      service.on('message', (message: BatchReport) => {
        if (listeningUrl(message) !== undefined) resolve(service);
        else if (typeof message === 'object') pendingReports.get(message.number)?.(message);
      });
    };
    ended = runElectron(options, { stopSignal: stop.signal, onStarted }).then(
      ({ reason = 'it was stopped' }) => {
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
      const id = (lastNumber += 1);
      const report = new Promise<BatchReport | undefined>((resolve) => pendingReports.set(id, resolve));
      const request: BatchRequest = { ...requestFor(task), kind: 'convert', id };
      if (!service.connected) return undefined;
      service.send(request, () => {});
      const outcome = await unlessAborted(signal, report);
      pendingReports.delete(id);
      return outcome && toOutcome(outcome);
    },
    async end() {
      stop.abort();
      await ended;
    },
  };
}

/** Removes the request number, and the duration, which `runItems` measures itself. */
function toOutcome({ number: _number, took: _took, ...outcome }: BatchReport): ItemOutcome {
  return outcome.kind === 'failed' ? { ...outcome, message: outcome.message + flagHint(outcome) } : outcome;
}

/**
 * Returns a hint at the flag that raises the exceeded limit. Only this command adds such hints, because clients of a service cannot
 * change its limits.
 */
function flagHint({ status, reason }: FailedItemResult): string {
  const hints: Readonly<Partial<Record<FailureKind, string>>> = {
    addressRefused: ' Allow it with --network-allow HOST:PORT, or change the policy with --network.',
    timedOut: ' Increase the limit with --job-timeout, such as 5m.',
    tooComplex: ' Increase the memory limit with --page-memory.',
  };
  const kind = kindOf(status, reason);
  return (kind && hints[kind]) ?? '';
}

async function runElectron(
  { killSignal, ...options }: LocalOptions,
  {
    stopSignal,
    onStarted,
  }: { readonly stopSignal: AbortSignal; readonly onStarted: (service: ChildProcess) => void },
): Promise<ServiceExit> {
  await using display = await openDisplay();
  return await runService({
    ...options,
    environment: { ...options.environment, ...display.environment },
    stopSignal,
    onStarted,
    showsOutput: false,
    killSignals: [killSignal, display.lost],
  });
}
