/**
 * Detects signs that the browser itself is faulty: replaced windows, lost processes, several failed jobs in a row. Does not use
 * Electron.
 */
import { Failure } from '../../failure/failure.ts';
import { browserFaultOf } from '../renderer-loss.ts';
import type { ReplacementReason } from '../window/replacement.ts';

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
            `${faultsInARow} jobs in a row ended with a fault, at the job timeout, or because the caller disconnected`,
          );
        throw problem;
      }
    },
  };
}

function isFault(problem: unknown): boolean {
  return !(problem instanceof Failure) || problem.kind === 'internal' || problem.kind === 'timedOut';
}
