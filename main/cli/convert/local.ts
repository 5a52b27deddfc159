/** Converts with the Electron of this machine: one process for all, started with the first item, and anew should it crash. */
import type { ChildProcess } from 'node:child_process';
import type { BatchOrder, BatchReport } from '../../launch/batch-messages.ts';
import { openDisplay } from '../../launch/display.ts';
import { listeningIn } from '../../launch/messages.ts';
import type { Runtime } from '../../launch/runtime.ts';
import { runService, type Ending } from '../../launch/service-process.ts';
import type { FailureKind } from '../../failure/catalogue.ts';
import { unlessAborted } from '../../signals.ts';
import type { Converter, Failed, Outcome, Task } from './converter.ts';
import { kindOf } from './exit-codes.ts';
import { orderOf } from './order.ts';

export interface LocalParts {
  readonly runtime: Runtime;
  readonly environment: NodeJS.ProcessEnv;
  /** Milliseconds. */
  readonly hangTimeout: number;
  /** Ends it at once. */
  readonly kill: AbortSignal;
  /** Takes what it says on standard error. */
  readonly onError: (line: string) => void;
}

/** Times a document may have been under way when all ended. */
const mostCrashes = 3;

export function openLocal(parts: LocalParts): Converter {
  let current: Session | undefined;
  // Of several that were under way as all ended, one is guilty: they are tried again one by one.
  let suspects = Promise.resolve();
  const attempt = async (task: Task, signal: AbortSignal): Promise<Outcome | undefined> => {
    signal.throwIfAborted();
    const session = (current ??= startSession(parts));
    const outcome = await session.convert(task, signal);
    if (outcome === undefined && current === session) current = undefined;
    return outcome;
  };
  const attemptAlone = (task: Task, signal: AbortSignal): Promise<Outcome | undefined> => {
    const outcome = suspects.then(() => attempt(task, signal));
    suspects = outcome.then(
      () => {},
      () => {},
    );
    return outcome;
  };
  return {
    async convert(task, signal) {
      let outcome = await attempt(task, signal);
      for (let crashes = 1; outcome === undefined && crashes < mostCrashes; crashes += 1)
        outcome = await attemptAlone(task, signal);
      return outcome ?? crashed;
    },
    // Each is read as it is asked for.
    changed() {},
    async [Symbol.asyncDispose]() {
      await current?.end();
    },
  };
}

const crashed: Outcome = {
  kind: 'failed',
  ...{
    status: 400,
    reason: 326,
    message: `The converter ended ${mostCrashes} times while it was converted.`,
  },
};

interface Session {
  /** Undefined when all ended meanwhile. @throws Error with one sentence when nothing can be converted; the signal's reason */
  readonly convert: (task: Task, signal: AbortSignal) => Promise<Outcome | undefined>;
  readonly end: () => Promise<void>;
}

function startSession(parts: LocalParts): Session {
  const [stop, waiting] = [new AbortController(), new Map<number, (report?: BatchReport) => void>()];
  let count = 0;
  let ended = Promise.resolve();
  const hears = new Promise<ChildProcess>((resolve, reject) => {
    const attend = (service: ChildProcess) => {
      service.on('message', (message: BatchReport) => {
        if (listeningIn(message) !== undefined) resolve(service);
        else if (typeof message === 'object') waiting.get(message.number)?.(message);
      });
    };
    ended = run(parts, { stop: stop.signal, attend }).then(({ why = 'it was to end' }) => {
      reject(new Error(`the converter could not be started: ${why}.`));
      for (const report of waiting.values()) report();
    }, reject);
  });
  hears.catch(() => {});
  return {
    async convert(task, signal) {
      const service = await unlessAborted(signal, hears);
      const number = (count += 1);
      const report = new Promise<BatchReport | undefined>((resolve) => waiting.set(number, resolve));
      const order: BatchOrder = { ...orderOf(task), kind: 'convert', number };
      if (!service.connected) return undefined;
      service.send(order, () => {});
      const outcome = await unlessAborted(signal, report);
      waiting.delete(number);
      return outcome && withoutNumber(outcome);
    },
    async end() {
      stop.abort();
      await ended;
    },
  };
}

/** It has its own count of the time. */
function withoutNumber({ number: _number, took: _took, ...outcome }: BatchReport): Outcome {
  return outcome.kind === 'failed' ? { ...outcome, message: outcome.message + hint(outcome) } : outcome;
}

/** What the person at this command line can do himself, where a caller of a service would ask its operator. */
function hint({ status, reason }: Failed): string {
  const hints: Readonly<Partial<Record<FailureKind, string>>> = {
    addressRefused: ' --network-allow HOST:PORT allows it; --network says what is allowed in general.',
    timedOut: ' --job-timeout 5m gives it more.',
    tooComplex: ' --page-memory allows it more memory.',
  };
  const kind = kindOf(status, reason);
  return (kind && hints[kind]) ?? '';
}

async function run(
  { kill, ...parts }: LocalParts,
  { stop, attend }: { readonly stop: AbortSignal; readonly attend: (service: ChildProcess) => void },
): Promise<Ending> {
  await using display = await openDisplay();
  return await runService({
    ...parts,
    ...{ environment: { ...parts.environment, ...display.environment }, stop, attend },
    kills: [kill, display.lost],
  });
}
