/** When a job that lost its window is begun anew in another, and what its caller is told when that did not help. */
import { Failure } from '../failure/failure.ts';
import type { Run } from '../run.ts';
import { RendererGone } from './lease.ts';
import { ProcessLost } from './process-loss.ts';

/** A loss of what all windows share is no page's doing that can be known, and may come of another page's. */
const mostProcessLosses = 3;

/** The work's outcome, begun anew where what was lost may not have been its doing. @throws Failure tooComplex, rendererCrashed, unavailable */
export async function withRetries<T>(run: Run, work: () => Promise<T>): Promise<T> {
  const losses = { renderer: 0, process: 0 };
  for (;;) {
    try {
      return await work();
    } catch (problem) {
      if (problem instanceof RendererGone) failForRenderer(problem, ++losses.renderer);
      else if (problem instanceof ProcessLost) failForProcess(problem, ++losses.process);
      else throw problem;
      noteLoss(run, problem);
    }
  }
}

function noteLoss({ log }: Run, problem: RendererGone | ProcessLost): void {
  const what =
    problem instanceof RendererGone ? `The page's renderer was lost (${problem.message})` : said(problem);
  log.note(`${what}; the conversion was begun anew in another window.`, { code: 'renderer-lost' });
}

function said({ message }: ProcessLost): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
}

function failForRenderer(problem: RendererGone, losses: number): void {
  // In another window it would need as much.
  if (problem.message === 'oom')
    throw new Failure('tooComplex', 'The page needs more memory than a window may have.', { cause: problem });
  if (losses > 1)
    throw new Failure('rendererCrashed', 'The page crashed its renderer twice.', { cause: problem });
}

function failForProcess(problem: ProcessLost, losses: number): void {
  if (losses > mostProcessLosses)
    throw new Failure('unavailable', `${said(problem)} again and again. Try again in a moment.`, {
      cause: problem,
      retryAfter: 5,
    });
}
