/**
 * Detects signs that the browser itself is faulty: replaced windows, lost processes, several failed jobs in a row. Does not use
 * Electron.
 */
import { Failure } from '../../failure/failure.ts';
import type { ReplacementReason } from '../window/replacement.ts';
import { totalmem } from 'node:os';

export interface FaultDetector {
  readonly onWindowReplaced: (why: ReplacementReason) => void;
  readonly onProcessLost: (loss: Error) => void;
  /** Settles like `job`, and counts consecutive faults. `signal`: aborts when the caller disconnects. */
  readonly observe: <T>(signal: AbortSignal, job: Promise<T>) => Promise<T>;
}

/** If the caller disconnects after this time, the job counts as a fault. Most conversions take a hundredth of this time. */
const longWaitMs = 10_000;

/** A single page that times out is common; three faults in a row are not. */
const maxFaultsInARow = 3;

const suspiciousReasons: ReadonlySet<ReplacementReason> = new Set([
  'crashed',
  'killed',
  'not cleaned',
  'other',
]);

export function openFaultDetector(onFault: (why: string) => void = () => {}): FaultDetector {
  let faultsInARow = 0;
  return {
    onWindowReplaced(why) {
      if (suspiciousReasons.has(why)) onFault(`a window was replaced: ${why}`);
    },
    onProcessLost({ message }) {
      onFault(message);
    },
    async observe(signal, job) {
      const began = performance.now();
      try {
        const outcome = await job;
        faultsInARow = 0;
        return outcome;
      } catch (problem) {
        const callerGaveUp = signal.aborted && performance.now() - began > longWaitMs;
        if (signal.aborted && !callerGaveUp) throw problem;
        const fault = callerGaveUp ? undefined : browserFaultOf(problem);
        faultsInARow = callerGaveUp || fault !== undefined || isFault(problem) ? faultsInARow + 1 : 0;
        if (fault !== undefined) onFault(fault.message);
        else if (faultsInARow >= maxFaultsInARow)
          onFault(
            `${faultsInARow} jobs in a row ended with a fault, at the job time-out, or because the caller disconnected`,
          );
        throw problem;
      }
    },
  };
}

function isFault(problem: unknown): boolean {
  return !(problem instanceof Failure) || problem.kind === 'internal' || problem.kind === 'timedOut';
}

/**
 * The `cause` of a Failure when the browser itself failed, as opposed to a refusal or a page that is too complex. `message` names
 * the fault for the service log; `cause` is the error of Chromium or Electron.
 */
export class BrowserFault extends Error {}

/** Returns the browser fault that caused a job's error; undefined if the browser did not fail. */
export function browserFaultOf(problem: unknown): BrowserFault | undefined {
  return problem instanceof Failure && problem.cause instanceof BrowserFault ? problem.cause : undefined;
}

/** Returns the Failure for a page that Chromium did not print or capture. Nearly always the page is too complex. */
export function outputFailed(message: string, cause: unknown): Failure {
  const fault = new BrowserFault('Chromium failed to print or capture a page', { cause });
  return new Failure('tooComplex', message, { cause: fault });
}

// The loss of a window's renderer: it crashed, ran out of memory or was killed. This file determines the reason;
// `engine/retries.ts` repeats the job in another window, and the window pool replaces the window.

/** The abort reason of a job whose renderer was lost. `message` is the reason (crashed, oom, killed...). */
export class RendererLost extends Error {}

/** The details that Electron reports. */
export interface RendererLoss {
  readonly reason: string;
  /** On POSIX, the number of the signal that ended the process. */
  readonly exitCode: number;
}

/**
 * Signals that end a process that has run out of memory. V8, Blink and the allocator end it as after any failed check: SIGTRAP (5),
 * SIGILL (4), SIGABRT (6). The operating system sends SIGKILL (9). SIGSEGV and SIGBUS mean invalid memory access, not lack of
 * memory.
 */
const outOfMemorySignals: ReadonlySet<number> = new Set([4, 5, 6, 9]);

/**
 * A lost renderer with more memory than this may have run out of memory. V8 limits a page's heap to a quarter of the machine's
 * memory, at most 4 GB; a page usually takes about 100 MB.
 */
const largeRendererBytes = Math.min(1e9, totalmem() / 8);

/**
 * Returns Electron's reason, or `oom` if the reason is memory-eviction, or if the renderer's last measured size (`bytes`) and exit
 * code suggest that it ran out of memory. Chromium reports lack of memory only on Windows; elsewhere it is inferred.
 */
export function lossReason({ reason, exitCode }: RendererLoss, bytes: number): string {
  const mayLackMemory = (reason === 'crashed' || reason === 'killed') && outOfMemorySignals.has(exitCode);
  return reason === 'memory-eviction' || (mayLackMemory && bytes >= largeRendererBytes) ? 'oom' : reason;
}
