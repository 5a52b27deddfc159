/** Runs the conversion of items, reports progress and results, and returns the exit code. */
import type { ItemConverter } from '../converter.ts';
import { classOf, exitCodeOf, exitCodes } from '../exit-codes.ts';
import type { ConversionItem } from '../plan.ts';
import type { Prepared } from '../prepare.ts';
import { runItems, type ItemResult } from '../run-items.ts';
import type { FailedItem, RunSummary } from './result-messages.ts';
import type { ProgressReporter } from './progress-reporter.ts';

export interface ConvertRun extends Prepared {
  readonly converter: ItemConverter;
  readonly progress: ProgressReporter;
  /** The temporary folder of the run. */
  readonly folder: string;
  /** Stops the run when it aborts. */
  readonly signal: AbortSignal;
}

/** Converts the items and returns the exit code. @throws Error if no item can be converted */
export async function runAndReport(items: readonly ConversionItem[], run: ConvertRun): Promise<number> {
  const { form, settings, converter, progress, folder, signal, force } = run;
  const start = performance.now();
  const results = [] as ItemResult[];
  progress.begin(items.length);
  try {
    await runItems(items, {
      form,
      converter,
      folder,
      signal,
      concurrency: settings.workers,
      onStart: progress.itemStarted,
      skipUpToDate: items.length > 1 && !force,
      onEnd(result) {
        results.push(result);
        progress.itemEnded(result);
      },
    });
  } finally {
    progress.finish(summarize(items, results, performance.now() - start));
  }
  return signal.aborted ? exitCodes.interrupted : exitCodeOf(failedItems(results).map(classOfItem));
}

function summarize(
  items: readonly ConversionItem[],
  results: readonly ItemResult[],
  took: number,
): RunSummary {
  const count = (kind: ItemResult['kind']) => results.filter((result) => result.kind === kind).length;
  return {
    converted: count('converted'),
    skipped: count('skipped'),
    failed: failedItems(results),
    left: items.length - results.length,
    took: Math.round(took),
  };
}

function failedItems(results: readonly ItemResult[]): FailedItem[] {
  return results.filter((result) => result.kind === 'failed');
}

/** Returns the class of a failure. A failure without a status code is a fault of this machine. */
function classOfItem({ status, reason }: FailedItem) {
  return status === undefined ? 'fault' : classOf(status, reason ?? 0);
}
