/** Measures how much memory a long document takes above the idle level, in Platen and in the loop. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Candidate, Preparation } from '../candidates/candidate.ts';
import { startLoop } from '../candidates/loop.ts';
import { startPlaten } from '../candidates/platen.ts';
import { checkOutput } from '../check-output.ts';
import { makeDocument } from '../documents/all.ts';
import type { BenchDocument } from '../documents/document.ts';
import { groupMemory } from './group-memory.ts';

export interface LongMemoryFigures {
  /** The name of each document, and the highest memory during each job above that of the idle candidate, in bytes. */
  readonly documents: readonly {
    readonly name: string;
    readonly platen: readonly number[];
    readonly loop: readonly number[];
  }[];
}

const documentNames = ['thousand', 'five-thousand'] as const;
const rounds = 3;
const sampleIntervalMs = 25;
/** After this time, the work of the start or of the previous job has ended. */
const restMs = 4000;

export async function measureLongMemory({ folder }: Preparation): Promise<LongMemoryFigures> {
  const preparation = { workers: 1, folder: join(folder, 'long-memory') };
  await using platen = await startPlaten(preparation);
  await using loop = await startLoop('navigate', preparation);
  await wait(restMs);
  // The level before any job: the loop keeps the memory of a job, so the level between two jobs is no measure.
  const idle = { platen: groupMemory(platen.pid), loop: groupMemory(loop.pid) };
  const documents = [];
  for (const name of documentNames) {
    const document = await makeDocument(name);
    const added = { platen: [] as number[], loop: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      added.platen.push((await highestMemory(platen, document)) - idle.platen);
      added.loop.push((await highestMemory(loop, document)) - idle.loop);
    }
    documents.push({ name, ...added });
  }
  return { documents };
}

/** Returns the highest memory of all processes during a job, in bytes. @throws Error if the output is wrong */
async function highestMemory(candidate: Candidate, document: BenchDocument): Promise<number> {
  await wait(restMs);
  let highest = 0;
  const job = { isOver: false };
  const sampling = (async () => {
    while (!job.isOver) {
      highest = Math.max(highest, groupMemory(candidate.pid));
      await wait(sampleIntervalMs);
    }
  })();
  try {
    await checkOutput(document, candidate, await candidate.convert(document));
  } finally {
    job.isOver = true;
    await sampling;
  }
  return highest;
}
