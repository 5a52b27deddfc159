/** Measures how much memory a long document takes above the idle level, in Platen and in the loop. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Candidate, Preparation } from '../candidates/candidate.ts';
import { startLoop } from '../candidates/loop.ts';
import { startPlaten } from '../candidates/platen.ts';
import { checkOutput } from '../check-output.ts';
import { makeDocument } from '../documents/all.ts';
import { groupMemory } from './group-memory.ts';

export interface LongMemoryFigures {
  /** The name of each document, and its memory in bytes: the highest level of a job above the level before it. */
  readonly documents: readonly {
    readonly name: string;
    readonly platen: readonly number[];
    readonly loop: readonly number[];
  }[];
}

const documentNames = ['thousand', 'five-thousand'] as const;
const rounds = 3;
const sampleIntervalMs = 25;
/** Garbage of the previous job is collected within this time. */
const restMs = 2000;

export async function measureLongMemory({ folder }: Preparation): Promise<LongMemoryFigures> {
  const preparation = { workers: 1, folder: join(folder, 'long-memory') };
  await using platen = await startPlaten(preparation);
  await using loop = await startLoop('navigate', preparation);
  const documents = [];
  for (const name of documentNames) {
    const added = { platen: [] as number[], loop: [] as number[] };
    // The first job of each is not counted.
    for (let round = 0; round <= rounds; round += 1)
      for (const [key, candidate] of [
        ['platen', platen],
        ['loop', loop],
      ] as const) {
        const bytes = await addedMemory(candidate, name);
        if (round > 0) added[key].push(bytes);
      }
    documents.push({ name, ...added });
  }
  return { documents };
}

async function addedMemory(candidate: Candidate, name: string): Promise<number> {
  const document = await makeDocument(name);
  await wait(restMs);
  const before = groupMemory(candidate.pid);
  let highest = before;
  const job = { isOver: false };
  const sampling = (async () => {
    while (!job.isOver) {
      await wait(sampleIntervalMs);
      highest = Math.max(highest, groupMemory(candidate.pid));
    }
  })();
  try {
    await checkOutput(document, candidate, await candidate.convert(document));
  } finally {
    job.isOver = true;
    await sampling;
  }
  return highest - before;
}
