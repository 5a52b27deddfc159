/** What looks as if something were wrong with windows, and not with the page that was in one. Plain Node. */
import { Failure } from '../failure/failure.ts';
import { browserFaultOf } from './browser-fault.ts';
import type { ReplacementReason } from './replacement.ts';

export interface Doubts {
  readonly replaced: (why: ReplacementReason) => void;
  readonly lost: (loss: Error) => void;
  /** The job's outcome, looked at. */
  readonly observe: <T>(signal: AbortSignal, job: Promise<T>) => Promise<T>;
}

/** Milliseconds after which a caller who hangs up may have given up on us; most conversions take a hundredth. */
const longWait = 10_000;

/** Pages that take too long are many; several in a row are rare. */
const mostInARow = 3;

const doubtful: ReadonlySet<ReplacementReason> = new Set(['crashed', 'killed', 'not cleaned', 'other']);

export function openDoubts(tell: (why: string) => void = () => {}): Doubts {
  let inARow = 0;
  return {
    replaced(why) {
      if (doubtful.has(why)) tell(`a window was replaced: ${why}`);
    },
    lost({ message }) {
      tell(message);
    },
    async observe(signal, job) {
      const began = performance.now();
      try {
        const outcome = await job;
        inARow = 0;
        return outcome;
      } catch (problem) {
        const gaveUp = signal.aborted && performance.now() - began > longWait;
        if (signal.aborted && !gaveUp) throw problem;
        const fault = gaveUp ? undefined : browserFaultOf(problem);
        inARow = gaveUp || fault !== undefined || isFault(problem) ? inARow + 1 : 0;
        if (fault !== undefined) tell(fault.message);
        else if (inARow >= mostInARow)
          tell(`${inARow} jobs in a row ended by a fault, the job limit or a caller who waited no longer`);
        throw problem;
      }
    },
  };
}

function isFault(problem: unknown): boolean {
  return !(problem instanceof Failure) || problem.kind === 'internal' || problem.kind === 'timedOut';
}
