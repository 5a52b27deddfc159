/** Detects signs that the browser itself is faulty: replaced windows, lost processes, several failed jobs in a row. Plain Node. */
import { Failure } from '../../failure/failure.ts';
import type { ReplacementReason } from '../window/replacement.ts';

export interface FaultDetector {
  readonly onWindowReplaced: (why: ReplacementReason) => void;
  readonly onProcessLost: (loss: Error) => void;
  /** Settles as the job does, and counts its faults. */
  readonly observe: <T>(signal: AbortSignal, job: Promise<T>) => Promise<T>;
}

/** A caller that hangs up after this time counts as a fault. Most conversions take a hundredth of it. */
const longWaitMs = 10_000;

/** A single page that times out is common; three faults in a row are not. */
const maxFaultsInARow = 3;

const suspicious: ReadonlySet<ReplacementReason> = new Set(['crashed', 'killed', 'not cleaned', 'other']);

export function openFaultDetector(onFault: (why: string) => void = () => {}): FaultDetector {
  let inARow = 0;
  return {
    onWindowReplaced(why) {
      if (suspicious.has(why)) onFault(`a window was replaced: ${why}`);
    },
    onProcessLost({ message }) {
      onFault(message);
    },
    async observe(signal, job) {
      const began = performance.now();
      try {
        const outcome = await job;
        inARow = 0;
        return outcome;
      } catch (problem) {
        const hungUp = signal.aborted && performance.now() - began > longWaitMs;
        if (signal.aborted && !hungUp) throw problem;
        const fault = hungUp ? undefined : browserFaultOf(problem);
        inARow = hungUp || fault !== undefined || isFault(problem) ? inARow + 1 : 0;
        if (fault !== undefined) onFault(fault.message);
        else if (inARow >= maxFaultsInARow)
          onFault(
            `${inARow} jobs in a row ended with a fault, at the job limit, or because the caller hung up`,
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

/** Returns the browser fault behind a job's error, or undefined if the browser worked. */
export function browserFaultOf(problem: unknown): BrowserFault | undefined {
  return problem instanceof Failure && problem.cause instanceof BrowserFault ? problem.cause : undefined;
}

/** Returns the Failure for a page that Chromium did not print or capture. Nearly always the page is too complex. */
export function outputFailed(sentence: string, cause: unknown): Failure {
  const fault = new BrowserFault('Chromium failed to print or capture a page', { cause });
  return new Failure('tooComplex', sentence, { cause: fault });
}
