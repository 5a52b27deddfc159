/** Gathers what only the debug log needs: within a time limit, and at the cost of the log alone when it goes wrong. */
import { pause, unlessAborted } from '../signals.ts';
import type { WindowRun } from './engine.ts';

/** Milliseconds; a page that takes longer is doing something of its own. */
const patience = 500;

/** Undefined, and a note, when it fails or takes too long; it goes on unobserved then. @throws the signal's reason */
export async function gather<T>(
  run: WindowRun,
  stage: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  return run.log.time(stage, async () => {
    const waiting = new AbortController();
    try {
      const late = pause(patience, AbortSignal.any([run.signal, waiting.signal])).then(() => {
        throw new Error(`it took more than ${patience} ms`);
      });
      return await Promise.race([unlessAborted(run.signal, work()), late]);
    } catch (problem) {
      run.signal.throwIfAborted();
      const why = problem instanceof Error ? problem.message : String(problem);
      run.log.note(`This log misses something: the stage "${stage}" was given up (${why}).`);
      return undefined;
    } finally {
      waiting.abort();
    }
  });
}
