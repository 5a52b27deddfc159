/** Converts items, so many at once: leaves out what is done already, tries again what may do later, and tells of each. */
import { stat } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import type { Converter, Failed, Outcome } from './converter.ts';
import type { Form } from './form.ts';
import { makeFolderOf, openPlace, OutputProblem } from './place.ts';
import type { Item } from './plan.ts';

export type Ended = { readonly item: Item; /** Milliseconds. */ readonly took: number } & (
  | Extract<Outcome, { kind: 'converted' }>
  | { readonly kind: 'skipped' }
  | (Pick<Failed, 'kind' | 'message'> & Partial<Pick<Failed, 'status' | 'reason'>>)
);

export interface Running {
  readonly converter: Converter;
  readonly form: Form;
  /** For outputs that go nowhere near. */
  readonly folder: string;
  readonly atOnce: number;
  /** Leaves out what has an output newer than itself. */
  readonly resume: boolean;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly began: (item: Item) => void;
  readonly ended: (ended: Ended) => void;
}

/** Resolves when all have ended, or those that were under way as it was ended. @throws Error when nothing can be converted */
export async function runItems(items: readonly Item[], running: Running): Promise<void> {
  const waiting = items.values();
  const broken = new AbortController();
  const signal = AbortSignal.any([running.signal, broken.signal]);
  const work = async () => {
    for (const item of waiting) {
      if (signal.aborted) return;
      await runItem(item, { ...running, signal });
    }
  };
  const workers = Array.from({ length: Math.min(running.atOnce, items.length) }, () =>
    work().catch((problem: unknown) => {
      if (signal.aborted) return;
      broken.abort(problem);
    }),
  );
  await Promise.all(workers);
  if (broken.signal.aborted) throw broken.signal.reason;
}

async function runItem(item: Item, running: Running): Promise<void> {
  const start = performance.now();
  const took = () => Math.round(performance.now() - start);
  if (running.resume && (await isFresh(item))) {
    running.ended({ kind: 'skipped', item, took: took() });
    return;
  }
  running.began(item);
  try {
    const outcome = await convertItem(item, running);
    running.ended({ ...outcome, item, took: took() });
  } catch (problem) {
    if (!(problem instanceof OutputProblem) || running.signal.aborted) throw problem;
    running.ended({ kind: 'failed', message: problem.message, item, took: took() });
  }
}

async function convertItem(item: Item, { converter, form, folder, signal }: Running): Promise<Outcome> {
  await using place = await openPlace(item.output, folder);
  if (item.debugLog !== undefined) makeFolderOf(item.debugLog);
  const task = { item, form, path: place.path };
  const outcome = await persist(() => converter.convert(task, signal), signal);
  signal.throwIfAborted();
  if (outcome.kind === 'converted') await place.keep();
  return outcome;
}

/** Newer, not as new: some file systems know the time to two seconds only. */
async function isFresh({ input, output }: Item): Promise<boolean> {
  if (input.kind !== 'file' || output === undefined) return false;
  const [from, made] = await Promise.all([modified(input.path), modified(output)]);
  return from !== undefined && made !== undefined && made > from;
}

async function modified(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs;
}

const mostTries = 6;
/** Seconds. */
const longestWait = 60;

/** Tries again what says when, waiting longer each time. */
async function persist(attempt: () => Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt();
    if (outcome.kind === 'converted' || outcome.retryAfter === undefined || tries === mostTries)
      return outcome;
    const seconds = Math.min(longestWait, Math.max(outcome.retryAfter, 2 ** (tries - 1)));
    await after(seconds * 1000, undefined, { signal });
  }
}
