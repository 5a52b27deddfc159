/** Measures how much faster Platen is with two windows than with one. */
import { join } from 'node:path';
import type { Preparation } from '../candidates/candidate.ts';
import { startPlaten } from '../candidates/platen.ts';
import { makeDocument } from '../documents/all.ts';
import { rotated } from '../rounds.ts';

export interface TwoWindowsFigures {
  /** The name of each document; jobs per second, one value for each round. */
  readonly documents: readonly {
    readonly name: string;
    readonly one: readonly number[];
    readonly two: readonly number[];
  }[];
}

const documentNames = ['invoice', 'report', 'chart', 'manual'] as const;
const rounds = 7;
const load = { callers: 8, milliseconds: 2000 } as const;

export async function measureTwoWindows({ folder }: Preparation): Promise<TwoWindowsFigures> {
  await using one = await startPlaten({ workers: 1, folder: join(folder, 'one-window') });
  await using two = await startPlaten({ workers: 2, folder: join(folder, 'two-windows') });
  const candidates = [['one', one] as const, ['two', two] as const];
  const documents = [];
  for (const name of documentNames) {
    const document = await makeDocument(name);
    const rates = { one: [] as number[], two: [] as number[] };
    // The first round of each is not counted.
    for (let round = 0; round <= rounds; round += 1)
      for (const [key, candidate] of rotated(candidates, round)) {
        const { times, took } = await candidate.run(document, load);
        if (round > 0) rates[key].push((times.length / took) * 1000);
      }
    documents.push({ name, ...rates });
  }
  return { documents };
}
