/** What a fresh Platen has in memory after its first jobs, and after many. */
import { join } from 'node:path';
import type { Contestant, Preparation } from '../contestants/contestant.ts';
import { startPlaten } from '../contestants/platen.ts';
import { makeDocument } from '../documents/all.ts';
import type { BenchDocument } from '../documents/document.ts';
import { median } from '../statistics.ts';
import { groupMemory } from './group-memory.ts';

export interface MemoryFigures {
  /** Jobs done before each of the two. */
  readonly jobs: readonly [early: number, late: number];
  /** Bytes. */
  readonly early: number;
  readonly late: number;
}

const callers = 8;
/**
 * Renderers are collected every few jobs, and swing by a third of all that there is: so one look says little. So many, so many
 * jobs apart, and the middle one counts.
 */
const looks = 25;
const apart = 7;

export async function measureMemory(
  { workers, folder }: Preparation,
  [early, late]: readonly [number, number] = [200, 2000],
): Promise<MemoryFigures> {
  const documents = await Promise.all(['letter', 'invoice', 'report', 'chart'].map(makeDocument));
  await using platen = await startPlaten({ workers, folder: join(folder, 'memory') });
  const office = openOffice(platen, documents);
  return { jobs: [early, late], early: await office.levelAt(early), late: await office.levelAt(late) };
}

function openOffice(platen: Contestant, documents: readonly BenchDocument[]) {
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
    /** Around that many jobs. */
    async levelAt(jobs: number): Promise<number> {
      const seen: number[] = [];
      for (let look = 0; look < looks; look += 1) {
        await workUntil(jobs + (look - Math.floor(looks / 2)) * apart);
        seen.push(groupMemory(platen.pid));
      }
      return median(seen);
    },
  };
}
