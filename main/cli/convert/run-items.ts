/** Converts items concurrently: skips up-to-date outputs, retries temporary failures, and reports each item. */
import { stat } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import type { Converter, Failed, Outcome } from './converter.ts';
import type { Form } from './form.ts';
import { makeParentFolder, openOutputFile, OutputProblem } from './place.ts';
import type { Item } from './plan.ts';

export type ItemResult = { readonly item: Item; /** Milliseconds. */ readonly took: number } & (
  | Extract<Outcome, { kind: 'converted' }>
  | { readonly kind: 'skipped' }
  | (Pick<Failed, 'kind' | 'message'> & Partial<Pick<Failed, 'status' | 'reason'>>)
);

interface RunItemsOptions {
  readonly converter: Converter;
  readonly form: Form;
  /** Folder for outputs that have no folder, such as standard output. */
  readonly folder: string;
  readonly concurrency: number;
  /** Skips inputs with a newer output. */
  readonly skipUpToDate: boolean;
  /** Stops the run. */
  readonly signal: AbortSignal;
  readonly onStart: (item: Item) => void;
  readonly onEnd: (ended: ItemResult) => void;
}

/**
 * Resolves when all items have ended, or after an abort those under way.
 * @throws Error if nothing can be converted
 */
export async function runItems(items: readonly Item[], options: RunItemsOptions): Promise<void> {
  const waiting = items.values();
  const failure = new AbortController();
  const signal = AbortSignal.any([options.signal, failure.signal]);
  const work = async () => {
    for (const item of waiting) {
      if (signal.aborted) return;
      await runItem(item, { ...options, signal });
    }
  };
  const workers = Array.from({ length: Math.min(options.concurrency, items.length) }, () =>
    work().catch((problem: unknown) => {
      if (signal.aborted) return;
      failure.abort(problem);
    }),
  );
  await Promise.all(workers);
  if (failure.signal.aborted) throw failure.signal.reason;
}

async function runItem(item: Item, options: RunItemsOptions): Promise<void> {
  const start = performance.now();
  const took = () => Math.round(performance.now() - start);
  if (options.skipUpToDate && (await isUpToDate(item))) {
    options.onEnd({ kind: 'skipped', item, took: took() });
    return;
  }
  options.onStart(item);
  try {
    const outcome = await convertItem(item, options);
    options.onEnd({ ...outcome, item, took: took() });
  } catch (problem) {
    if (!(problem instanceof OutputProblem) || options.signal.aborted) throw problem;
    options.onEnd({ kind: 'failed', message: problem.message, item, took: took() });
  }
}

async function convertItem(
  item: Item,
  { converter, form, folder, signal }: RunItemsOptions,
): Promise<Outcome> {
  await using outputFile = await openOutputFile(item.output, folder);
  if (item.debugLog !== undefined) makeParentFolder(item.debugLog);
  const task = { item, form, path: outputFile.path };
  const outcome = await withRetries(() => converter.convert(task, signal), signal);
  signal.throwIfAborted();
  if (outcome.kind === 'converted') await outputFile.commit();
  return outcome;
}

/** The output must be newer, because some file systems store times in steps of two seconds. */
async function isUpToDate({ input, output }: Item): Promise<boolean> {
  if (input.kind !== 'file' || output === undefined) return false;
  const [from, made] = await Promise.all([modifiedAt(input.path), modifiedAt(output)]);
  return from !== undefined && made !== undefined && made > from;
}

async function modifiedAt(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs;
}

const maxTries = 6;
const maxDelaySeconds = 60;

/** Retries failures that have a retry time, with increasing delays. */
async function withRetries(attempt: () => Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt();
    if (outcome.kind === 'converted' || outcome.retryAfter === undefined || tries === maxTries)
      return outcome;
    const seconds = Math.min(maxDelaySeconds, Math.max(outcome.retryAfter, 2 ** (tries - 1)));
    await after(seconds * 1000, undefined, { signal });
  }
}
