/** Measures how much faster Platen is with two windows than with one. */
import { join } from 'node:path';
import { openGroupTime } from '../group-time.ts';
import type { Preparation } from '../candidates/candidate.ts';
import { startPlaten } from '../candidates/platen.ts';
import { makeDocument } from '../documents/all.ts';
import { rotated, runLapMetered } from '../rounds.ts';
import { jobsPerSecond } from '../standings.ts';

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
const load = { callers: 8, lap: 2000 } as const;

export async function measureTwoWindows({ folder }: Preparation): Promise<TwoWindowsFigures> {
  await using one = await startPlaten({ workers: 1, folder: join(folder, 'one-window') });
  await using two = await startPlaten({ workers: 2, folder: join(folder, 'two-windows') });
  const candidates = [
    ['one', one, openGroupTime(one.pid)] as const,
    ['two', two, openGroupTime(two.pid)] as const,
  ];
  const documents = [];
  for (const name of documentNames) {
    const document = await makeDocument(name);
    const laps: Record<'one' | 'two', MeteredLap[]> = { one: [], two: [] };
    // The first round of each is not counted.
    for (let round = 0; round <= rounds; round += 1)
      for (const [key, candidate, meter] of rotated(candidates, round)) {
        const lap = await runLapMetered(candidate, meter, { ...load, document });
        if (round > 0) laps[key].push(lap);
      }
    const cores = { one: busyCores(laps.one), two: busyCores(laps.two) };
    documents.push({ name, one: laps.one.map(jobsPerSecond), two: laps.two.map(jobsPerSecond), cores });
  }
  return { documents };
}

type MeteredLap = Awaited<ReturnType<typeof runLapMetered>>;

function busyCores(laps: readonly MeteredLap[]): number {
  const sum = (of: (lap: MeteredLap) => number) => laps.reduce((total, lap) => total + of(lap), 0);
  return sum(({ cpu }) => cpu) / sum(({ took }) => took);
}
