/** Measures the memory of a newly started Platen after its first jobs, and after many jobs. */
import { join } from 'node:path';
import type { Candidate, Preparation } from '../candidates/candidate.ts';
import { startPlaten } from '../candidates/platen.ts';
import { makeDocument } from '../documents/all.ts';
import type { BenchDocument } from '../documents/document.ts';
import { median } from '../statistics.ts';
import { groupMemory } from './group-memory.ts';

export interface MemoryFigures {
  /** The number of jobs before each of the two measurements. */
  readonly jobs: readonly [early: number, late: number];
  /** In bytes. */
  readonly early: number;
  readonly late: number;
}

const callers = 8;
/**
 * The number of samples for a figure, which is their median, and the number of jobs between two samples. A single sample is not
 * enough, because memory varies by a third: renderers are recycled every few jobs.
 */
const samples = 25;
const jobsBetweenSamples = 7;

export async function measureMemory(
  { workers, folder }: Preparation,
  [early, late]: readonly [number, number] = [200, 2000],
): Promise<MemoryFigures> {
  const documents = await Promise.all(['letter', 'invoice', 'report', 'chart'].map(makeDocument));
  await using platen = await startPlaten({ workers, folder: join(folder, 'memory') });
  const workload = openWorkload(platen, documents);
  return { jobs: [early, late], early: await workload.levelAt(early), late: await workload.levelAt(late) };
}

function openWorkload(platen: Candidate, documents: readonly BenchDocument[]) {
  let done = 0;
  const workUntil = async (jobs: number) => {
    const call = async () => {
      while (done < jobs) {
        const document = documents[(done += 1) % documents.length];
        if (document !== undefined) await platen.convert(document);
      }
    };
    await Promise.all(Array.from({ length: callers }, call));
  };
  return {
    /** Returns the median of samples before and after this number of jobs, in bytes. */
    async levelAt(jobs: number): Promise<number> {
      const seen: number[] = [];
      for (let index = 0; index < samples; index += 1) {
        await workUntil(jobs + (index - Math.floor(samples / 2)) * jobsBetweenSamples);
        seen.push(groupMemory(platen.pid));
      }
      return median(seen);
    },
  };
}
