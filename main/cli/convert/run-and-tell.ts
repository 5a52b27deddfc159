/** Runs the conversion of items, reports progress and results, and returns the exit code. */
import type { Converter } from './converter.ts';
import { classOf, exitCodeOf, exitCodes } from './exit-codes.ts';
import type { Item } from './plan.ts';
import type { Prepared } from './prepare.ts';
import { runItems, type ItemResult } from './run-items.ts';
import type { FailedItem, RunSummary } from './sentences.ts';
import type { ProgressReporter } from './teller.ts';

export interface ConvertRun extends Prepared {
  readonly converter: Converter;
  readonly progress: ProgressReporter;
  /** Temporary folder of the run. */
  readonly folder: string;
  /** Stops the run. */
  readonly signal: AbortSignal;
}

/** @throws Error if nothing can be converted */
export async function runAndReport(items: readonly Item[], run: ConvertRun): Promise<number> {
  const { form, settings, converter, progress, folder, signal, force } = run;
  const start = performance.now();
  const ended = [] as ItemResult[];
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
      onEnd(one) {
        ended.push(one);
        progress.itemEnded(one);
      },
    });
  } finally {
    progress.finish(summarize(items, ended, performance.now() - start));
  }
  return signal.aborted ? exitCodes.interrupted : exitCodeOf(failedIn(ended).map(classOfItem));
}

function summarize(items: readonly Item[], ended: readonly ItemResult[], took: number): RunSummary {
  const count = (kind: ItemResult['kind']) => ended.filter((one) => one.kind === kind).length;
  return {
    converted: count('converted'),
    skipped: count('skipped'),
    failed: failedIn(ended),
    left: items.length - ended.length,
    took: Math.round(took),
  };
}

function failedIn(ended: readonly ItemResult[]): FailedItem[] {
  return ended.filter((one) => one.kind === 'failed');
}

/** Failures without a catalogue code are faults of this machine. */
function classOfItem({ status, reason }: FailedItem) {
  return status === undefined ? 'fault' : classOf(status, reason ?? 0);
}
