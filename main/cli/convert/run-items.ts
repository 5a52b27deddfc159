/** Converts items concurrently: skips up-to-date outputs, retries temporary failures, and reports each item. */
import { stat } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import type { ItemConverter, FailedItemResult, ItemOutcome } from './converter.ts';
import type { ItemForm } from './form.ts';
import { makeParentFolder, openOutputFile, OutputProblem } from './write-output.ts';
import type { ConversionItem } from './plan.ts';

export type ItemResult = { readonly item: ConversionItem; /** Milliseconds. */ readonly took: number } & (
  | Extract<ItemOutcome, { kind: 'converted' }>
  | { readonly kind: 'skipped' }
  | (Pick<FailedItemResult, 'kind' | 'message'> & Partial<Pick<FailedItemResult, 'status' | 'reason'>>)
);

interface RunItemsOptions {
  readonly converter: ItemConverter;
  readonly form: ItemForm;
  /** The folder for temporary files of outputs that are not files, such as standard output. */
  readonly folder: string;
  readonly concurrency: number;
  /** Whether to skip inputs with a newer output. */
  readonly skipUpToDate: boolean;
  /** Stops the run when it aborts. */
  readonly signal: AbortSignal;
  readonly onStart: (item: ConversionItem) => void;
  readonly onEnd: (result: ItemResult) => void;
}

/**
 * Converts the items. Resolves when all have ended, or after an abort, when the running ones have ended.
 * @throws Error if no item can be converted
 */
export async function runItems(items: readonly ConversionItem[], options: RunItemsOptions): Promise<void> {
  const remaining = items.values();
  const fault = new AbortController();
  const signal = AbortSignal.any([options.signal, fault.signal]);
  const runWorker = async () => {
    for (const item of remaining) {
      if (signal.aborted) return;
      await runItem(item, { ...options, signal });
    }
  };
  const workers = Array.from({ length: Math.min(options.concurrency, items.length) }, () =>
    runWorker().catch((problem: unknown) => {
      if (signal.aborted) return;
      fault.abort(problem);
    }),
  );
  await Promise.all(workers);
  if (fault.signal.aborted) throw fault.signal.reason;
}

async function runItem(item: ConversionItem, options: RunItemsOptions): Promise<void> {
  const start = performance.now();
  const elapsedMs = () => Math.round(performance.now() - start);
  if (options.skipUpToDate && (await isUpToDate(item))) {
    options.onEnd({ kind: 'skipped', item, took: elapsedMs() });
    return;
  }
  options.onStart(item);
  try {
    const outcome = await convertItem(item, options);
    options.onEnd({ ...outcome, item, took: elapsedMs() });
  } catch (problem) {
    if (!(problem instanceof OutputProblem) || options.signal.aborted) throw problem;
    options.onEnd({ kind: 'failed', message: problem.message, item, took: elapsedMs() });
  }
}

async function convertItem(
  item: ConversionItem,
  { converter, form, folder, signal }: RunItemsOptions,
): Promise<ItemOutcome> {
  await using outputFile = await openOutputFile(item.output, folder);
  if (item.debugLog !== undefined) makeParentFolder(item.debugLog);
  const task = { item, form, path: outputFile.path };
  const outcome = await withRetries(() => converter.convert(task, signal), signal);
  signal.throwIfAborted();
  if (outcome.kind === 'converted') await outputFile.commit();
  return outcome;
}

/** Returns whether the output is newer than the input. Equal times do not count: FAT stores times in steps of two seconds. */
async function isUpToDate({ input, output }: ConversionItem): Promise<boolean> {
  if (input.kind !== 'file' || output === undefined) return false;
  const [inputTime, outputTime] = await Promise.all([modifiedAt(input.path), modifiedAt(output)]);
  return inputTime !== undefined && outputTime !== undefined && outputTime > inputTime;
}

async function modifiedAt(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs;
}

const maxTries = 6;
const maxDelaySeconds = 60;

/** Calls `attempt` again, with increasing delays, while it returns a failure with a retry time. */
async function withRetries(attempt: () => Promise<ItemOutcome>, signal: AbortSignal): Promise<ItemOutcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt();
    if (outcome.kind === 'converted' || outcome.retryAfter === undefined || tries === maxTries)
      return outcome;
    const seconds = Math.min(maxDelaySeconds, Math.max(outcome.retryAfter, 2 ** (tries - 1)));
    await after(seconds * 1000, undefined, { signal });
  }
}
