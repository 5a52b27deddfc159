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
      try {
        const outcome = await job;
        inARow = 0;
        return outcome;
      } catch (problem) {
        if (signal.aborted) throw problem;
        const fault = browserFaultOf(problem);
        inARow = fault !== undefined || isFault(problem) ? inARow + 1 : 0;
        if (fault !== undefined) tell(fault.message);
        else if (inARow >= mostInARow) tell(`${inARow} jobs in a row ended by a fault or the job limit`);
        throw problem;
      }
    },
  };
}

function isFault(problem: unknown): boolean {
  return !(problem instanceof Failure) || problem.kind === 'internal' || problem.kind === 'timedOut';
}
