/** Repeats a job in another window if its renderer, or a process that all windows share, is lost. */
import { pause } from '../async/signals.ts';
import { Failure } from '../failure/failure.ts';
import type { Run } from '../job/job.ts';
import { RendererLost } from './health/fault-detector.ts';
import { ProcessLost } from './health/process-loss.ts';

/**
 * Maximum number of repetitions after the loss of a shared process. More than one, because another job's page may have caused each
 * loss.
 */
const maxProcessLosses = 3;

/**
 * Delay before a job is repeated. Several renderers may be lost together (OOM killer, graphics driver), and Electron reports the
 * losses one by one. After this delay, all windows without a renderer are marked as broken.
 */
const lossReportTimeMs = 100;

/**
 * Does the work and returns its result. Repeats the work after the first loss of its renderer, and after up to three losses of a
 * shared process.
 * @throws Failure tooComplex, rendererCrashed, unavailable; whatever else the work throws; the signal's reason
 */
export async function withRetries<T>(run: Run, work: () => Promise<T>): Promise<T> {
  let rendererLosses = 0;
  let processLosses = 0;
  for (;;) {
    try {
      return await work();
    } catch (problem) {
      if (problem instanceof RendererLost) {
        rendererLosses += 1;
        failForRenderer(problem, rendererLosses);
        noteRetry(run, `The page's renderer was lost (${problem.message})`);
        await pause(lossReportTimeMs, run.signal);
      } else if (problem instanceof ProcessLost) {
        processLosses += 1;
        failForProcess(problem, processLosses);
        noteRetry(run, capitalized(problem.message));
      } else throw problem;
    }
  }
}

function noteRetry({ log }: Run, why: string): void {
  log.note(`${why}. The conversion was restarted in another window.`, { code: 'renderer-lost' });
}

function failForRenderer(problem: RendererLost, losses: number): void {
  // A renderer in another window would not have more memory.
  if (problem.message === 'oom')
    throw new Failure('tooComplex', 'The page needs more memory than the service allows.', {
      cause: problem,
    });
  if (losses > 1)
    throw new Failure('rendererCrashed', 'The page crashed its renderer twice.', { cause: problem });
}

function failForProcess(problem: ProcessLost, losses: number): void {
  if (losses <= maxProcessLosses) return;
  const message = `${capitalized(problem.message)} repeatedly. Try again in a moment.`;
  throw new Failure('unavailable', message, { cause: problem, retryAfter: 5 });
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
