/**
 * Plans the jobs of a run. By default, of each hundred, 5 are hostile, 5 are aborted, the renderers of 2 are killed, 88 are
 * regular.
 */
import { archives } from './jobs/archives.ts';
import { hostile } from './jobs/hostile.ts';
import { letters } from './jobs/letters.ts';
import { images } from './jobs/images.ts';
import { scripted } from './jobs/scripted.ts';
import type { MakeJob } from './job.ts';
import { randomOf, shuffled, type Random } from './random.ts';

export interface PlannedJob {
  readonly number: number;
  readonly category: 'good' | 'hostile' | 'aborted' | 'crashing';
  readonly name: string;
  readonly make: MakeJob;
}

export const batchSize = 100;

/** The number of irregular jobs in each hundred. */
export interface Mix {
  readonly hostile: number;
  readonly aborted: number;
  readonly crashing: number;
}

export const usualMix: Mix = { hostile: 5, aborted: 5, crashing: 2 };

/** The jobs of a batch after this position are regular, so that the batch does not end with a wait for a single slow job. */
const lastSlowPosition = 70;

const regular: Readonly<Record<string, MakeJob>> = { ...letters, ...archives, ...images, ...scripted };

export interface SoakPlanOptions {
  readonly jobs: number;
  readonly seed: number;
  readonly mix: Mix;
  /** The names of the regular and hostile jobs to draw from; default: all regular jobs. */
  readonly only?: readonly string[];
}

/** Yields the jobs in batches. The same options result in the same jobs. */
export function* planOf({ jobs, seed, mix, only = [] }: SoakPlanOptions): Generator<PlannedJob[]> {
  const random = randomOf(seed);
  const drawGood = bagOf(chosen({ ...regular, ...(only.length > 0 && hostile) }, only), random);
  const drawHostile = bagOf(Object.entries(hostile), random);
  for (let first = 0; first < jobs; first += batchSize) {
    const sorts = categoriesOf(random, mix).slice(0, jobs - first);
    yield sorts.map((sort, index): PlannedJob => {
      const [name, make] = sort === 'hostile' ? drawHostile() : drawGood();
      return { number: first + index + 1, category: sort, name, make };
    });
  }
}

function categoriesOf(random: Random, mix: Mix): PlannedJob['category'][] {
  const special = Object.entries(mix).flatMap(([sort, count]) =>
    Array.from({ length: count as number }, () => sort as PlannedJob['category']),
  );
  const early = Array.from({ length: Math.max(0, lastSlowPosition - special.length) }, () => 'good' as const);
  const last = Array.from({ length: batchSize - special.length - early.length }, () => 'good' as const);
  return [...shuffled([...special, ...early], random), ...last];
}

function chosen(kinds: Readonly<Record<string, MakeJob>>, only: readonly string[]): [string, MakeJob][] {
  return Object.entries(kinds).filter(([name]) => only.length === 0 || only.includes(name));
}

/** Returns a function that draws jobs in random order, each of them once before any of them repeats. */
function bagOf(kinds: readonly [string, MakeJob][], random: Random): () => [string, MakeJob] {
  if (kinds.length === 0) throw new Error('there are no jobs with these names');
  let bag: [string, MakeJob][] = [];
  return () => {
    if (bag.length === 0) bag = shuffled(kinds, random);
    return bag.pop() ?? kinds[0] ?? ['', () => ({ fields: {}, expected: [] })];
  };
}
