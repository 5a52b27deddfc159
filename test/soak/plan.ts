/** The order of jobs: of each hundred, 5 are hostile, 5 are aborted, 2 lose their renderer, and 88 are regular. */
import { archives } from './jobs/archives.ts';
import { hostile } from './jobs/hostile.ts';
import { letters } from './jobs/letters.ts';
import { pictures } from './jobs/pictures.ts';
import { scripted } from './jobs/scripted.ts';
import type { Make } from './job.ts';
import { randomOf, shuffled, type Random } from './random.ts';

export interface Planned {
  readonly number: number;
  readonly sort: 'good' | 'hostile' | 'aborted' | 'crashing';
  readonly name: string;
  readonly make: Make;
}

export const batchSize = 100;

/** The number of irregular jobs in each hundred. */
export interface Mix {
  readonly hostile: number;
  readonly aborted: number;
  readonly crashing: number;
}

export const usualMix: Mix = { hostile: 5, aborted: 5, crashing: 2 };

/** The last jobs of a batch are regular ones, so that the batch does not wait for a single slow job. */
const slowOnesBefore = 70;

const good: Readonly<Record<string, Make>> = { ...letters, ...archives, ...pictures, ...scripted };

export interface Order {
  readonly jobs: number;
  readonly seed: number;
  readonly mix: Mix;
  /** The kinds to draw from, regular and hostile ones; default: all regular ones. */
  readonly only?: readonly string[];
}

/** Yields the jobs in batches; the same options give the same jobs. */
export function* planOf({ jobs, seed, mix, only = [] }: Order): Generator<Planned[]> {
  const random = randomOf(seed);
  const drawGood = bagOf(chosen({ ...good, ...(only.length > 0 && hostile) }, only), random);
  const drawHostile = bagOf(Object.entries(hostile), random);
  for (let first = 0; first < jobs; first += batchSize) {
    const sorts = sortsOf(random, mix).slice(0, jobs - first);
    yield sorts.map((sort, index): Planned => {
      const [name, make] = sort === 'hostile' ? drawHostile() : drawGood();
      return { number: first + index + 1, sort, name, make };
    });
  }
}

function sortsOf(random: Random, mix: Mix): Planned['sort'][] {
  const special = Object.entries(mix).flatMap(([sort, count]) =>
    Array.from({ length: count as number }, () => sort as Planned['sort']),
  );
  const early = Array.from({ length: Math.max(0, slowOnesBefore - special.length) }, () => 'good' as const);
  const last = Array.from({ length: batchSize - special.length - early.length }, () => 'good' as const);
  return [...shuffled([...special, ...early], random), ...last];
}

function chosen(kinds: Readonly<Record<string, Make>>, only: readonly string[]): [string, Make][] {
  return Object.entries(kinds).filter(([name]) => only.length === 0 || only.includes(name));
}

/** Draws each kind once before any kind repeats. */
function bagOf(kinds: readonly [string, Make][], random: Random): () => [string, Make] {
  if (kinds.length === 0) throw new Error('unknown kind of job');
  let bag: [string, Make][] = [];
  return () => {
    if (bag.length === 0) bag = shuffled(kinds, random);
    return bag.pop() ?? kinds[0] ?? ['', () => ({ fields: {}, expected: [] })];
  };
}
