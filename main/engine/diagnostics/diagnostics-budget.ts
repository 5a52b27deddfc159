/**
 * The time budget for the diagnostics in debug logs, which take 5 to 20 ms for each page. There is no limit unless more jobs are
 * queued than may run concurrently. Then a window spends only a share of its time on diagnostics, so that jobs with a recorded log
 * do not delay all other jobs.
 */
import type { WindowRun } from '../window-run.ts';
import type { PageFacts } from '../page-scripts/examine/examine.ts';
import { pause, unlessAborted } from '../../async/signals.ts';
import { messageOf } from '../../failure/failure.ts';

interface DiagnosticsBudgetLimits {
  /** Fraction of the elapsed time that diagnostics may use, such as 0.2. */
  readonly share: number;
  /** Maximum of the unused time that accumulates, and the budget at the start, in milliseconds. */
  readonly maxMs: number;
}

/** Limits for the budget of each window. */
export const defaultBudget: DiagnosticsBudgetLimits = { share: 0.2, maxMs: 1000 };

export class DiagnosticsBudget {
  readonly #limits: DiagnosticsBudgetLimits;
  readonly #now: () => number;
  #remainingMs: number;
  #updatedAt: number;

  constructor(limits: DiagnosticsBudgetLimits, now: () => number = performance.now.bind(performance)) {
    this.#limits = limits;
    this.#now = now;
    this.#remainingMs = limits.maxMs;
    this.#updatedAt = now();
  }

  /** Returns whether any time remains. */
  hasTime(): boolean {
    const { maxMs, share } = this.#limits;
    const now = this.#now();
    this.#remainingMs = Math.min(maxMs, this.#remainingMs + (now - this.#updatedAt) * share);
    this.#updatedAt = now;
    return this.#remainingMs > 0;
  }

  /** Subtracts the time that diagnostics have used. */
  spend(milliseconds: number): void {
    this.#remainingMs -= milliseconds;
  }
}

/** The findings about a page, and the budget for further diagnostics. */
export interface DiagnosticsRun extends PageFacts {
  readonly budget: Pick<DiagnosticsBudget, 'spend'>;
}

const unlimitedBudget: DiagnosticsRun['budget'] = { spend() {} };

/**
 * Returns the budget for the diagnostics of a page. If the budget is limited and used up, notes this in the log and returns
 * undefined.
 */
export function budgetFor(
  { diagnosticsBudget }: { readonly diagnosticsBudget: DiagnosticsBudget },
  run: WindowRun,
): DiagnosticsRun['budget'] | undefined {
  if (!run.isQueueLong()) return unlimitedBudget;
  if (diagnosticsBudget.hasTime()) return diagnosticsBudget;
  const share = defaultBudget.share * 100;
  run.log.note(
    `The page was not examined (screenshot, fonts, images, encoding, overflow, page breaks), because more jobs were waiting than there are windows and the diagnostics budget (${share} % of a window's time) was used up. Send the job again when fewer jobs are waiting.`,
    { code: 'not-examined' },
  );
  return undefined;
}

interface GatherOptions<T> {
  readonly stage: string;
  /** The usual duration, from measurements. */
  readonly milliseconds: number;
  readonly work: () => Promise<T>;
}

/** The budget is charged at most this multiple of the usual duration, because a busy machine takes longer. */
const maxCostFactor = 3;

/** Like `gather`, but subtracts the duration from the budget. @throws the signal's reason */
export async function runDiagnosticWithin<T>(
  run: WindowRun,
  budget: DiagnosticsRun['budget'],
  { stage, milliseconds, work }: GatherOptions<T>,
): Promise<T | undefined> {
  const began = performance.now();
  try {
    return await runDiagnostic(run, stage, work);
  } finally {
    budget.spend(Math.min(performance.now() - began, milliseconds * maxCostFactor));
  }
}

/** Diagnostics take longer in a page that is busy with its own scripts, and on a machine that is busy with many jobs. */
const timeoutMs = 2000;

/**
 * Does work that only the debug log needs, and returns its result. If the work fails or takes too long, notes this in the log and
 * returns undefined. Work that takes too long continues, but its result is ignored.
 * @throws the signal's reason
 */
export async function runDiagnostic<T>(
  run: WindowRun,
  stage: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  return run.log.timeStage(stage, async () => {
    const finished = new AbortController();
    try {
      const timeout = pause(timeoutMs, AbortSignal.any([run.signal, finished.signal])).then(() => {
        throw new Error(`it took more than ${timeoutMs} ms`);
      });
      return await Promise.race([unlessAborted(run.signal, work()), timeout]);
    } catch (problem) {
      run.signal.throwIfAborted();
      const why = messageOf(problem);
      const text = `This log is incomplete: the stage "${stage}" was cancelled (${why}).`;
      run.log.note(text, { code: 'not-examined' });
      return undefined;
    } finally {
      finished.abort();
    }
  });
}
