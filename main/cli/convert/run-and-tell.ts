/** One run over items: converts, tells, counts, and gives the exit code. */
import type { Converter } from './converter.ts';
import { classOf, exitCodeOf, exitCodes } from './exit-codes.ts';
import type { Item } from './plan.ts';
import type { Prepared } from './prepare.ts';
import { runItems, type Ended } from './run-items.ts';
import type { FailedItem, Tally } from './sentences.ts';
import type { Teller } from './teller.ts';

export interface Run extends Prepared {
  readonly converter: Converter;
  readonly teller: Teller;
  /** The run's own. */
  readonly folder: string;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** @throws Error when nothing can be converted */
export async function runAndTell(items: readonly Item[], run: Run): Promise<number> {
  const { form, settings, converter, teller, folder, signal, force } = run;
  const [start, ended] = [performance.now(), [] as Ended[]];
  teller.begin(items.length);
  try {
    await runItems(items, {
      ...{ form, converter, folder, signal, atOnce: settings.workers, began: teller.began },
      resume: items.length > 1 && !force,
      ended(one) {
        ended.push(one);
        teller.ended(one);
      },
    });
  } finally {
    teller.finish(tallyOf(items, ended, performance.now() - start));
  }
  return signal.aborted ? exitCodes.interrupted : exitCodeOf(failedIn(ended).map(classOfItem));
}

function tallyOf(items: readonly Item[], ended: readonly Ended[], took: number): Tally {
  const count = (kind: Ended['kind']) => ended.filter((one) => one.kind === kind).length;
  return {
    ...{ converted: count('converted'), skipped: count('skipped'), failed: failedIn(ended) },
    ...{ left: items.length - ended.length, took: Math.round(took) },
  };
}

function failedIn(ended: readonly Ended[]): FailedItem[] {
  return ended.filter((one) => one.kind === 'failed');
}

/** What has no number of the catalogue is of this machine. */
function classOfItem({ status, reason }: FailedItem) {
  return status === undefined ? 'fault' : classOf(status, reason ?? 0);
}
