/** Measures how much faster Platen is with two windows than with one. */
import { join } from 'node:path';
import { openGroupTime } from '../group-time.ts';
import type { Preparation } from '../candidates/candidate.ts';
import { startPlaten } from '../candidates/platen.ts';
import { makeDocument } from '../documents/all.ts';
import { rotated } from '../rounds.ts';

export interface TwoWindowsFigures {
  readonly documents: readonly DocumentFigures[];
}

interface DocumentFigures {
  readonly name: string;
  /** Jobs per second with one and with two windows, one value for each round. */
  readonly one: readonly number[];
  readonly two: readonly number[];
  /** How many cores the service keeps busy with one and with two windows: its processor time divided by the time of the rounds. */
  readonly cores: { readonly one: number; readonly two: number };
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
    const spent = { one: 0, two: 0 };
    const elapsed = { one: 0, two: 0 };
    // The first round of each is not counted.
    for (let round = 0; round <= rounds; round += 1)
      for (const [key, candidate] of rotated(candidates, round)) {
        const time = openGroupTime(candidate.pid);
        const before = time.now();
        const { times, took } = await candidate.run(document, load);
        if (round === 0) continue;
        rates[key].push((times.length / took) * 1000);
        spent[key] += time.now() - before;
        elapsed[key] += took;
      }
    const cores = { one: spent.one / elapsed.one, two: spent.two / elapsed.two };
    documents.push({ name, ...rates, cores });
  }
  return { documents };
}
