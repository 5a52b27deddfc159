/** The rounds: every contestant converts the same document for a lap, one after the other, each round beginning with another. */
import { checkOutput } from './check-output.ts';
import type { Contestant } from './contestants/contestant.ts';
import type { BenchDocument } from './documents/document.ts';
import { openGroupTime, type GroupTime } from './group-time.ts';

/** A lap of one contestant. */
export interface Measured {
  readonly contestant: string;
  readonly document: string;
  readonly callers: number;
  /** From 0. */
  readonly round: number;
  /** Milliseconds of each job. */
  readonly times: readonly number[];
  readonly took: number;
  /** Milliseconds of all its processes. */
  readonly cpu: number;
}

export interface Course {
  readonly contestants: readonly Contestant[];
  readonly documents: readonly BenchDocument[];
  readonly callers: readonly number[];
  readonly rounds: number;
  /** Milliseconds of a lap. */
  readonly lap: number;
  readonly tell: (line: string) => void;
}

/** @throws Error when an output is wrong, or a job fails */
export async function runRounds({ contestants, documents, ...course }: Course): Promise<Measured[]> {
  const meters = new Map(contestants.map((one) => [one, openGroupTime(one.pid)] as const));
  const measured: Measured[] = [];
  for (const document of documents) {
    const able = [...meters].filter(([contestant]) => contestant.supports(document));
    course.tell(`${document.title}: ${able.map(([{ name }]) => name).join(', ')}`);
    await warmUp(able, document, course.lap);
    for (const callers of course.callers) {
      if (document.long && callers > 2) continue;
      for (let round = 0; round < course.rounds; round += 1)
        for (const [contestant, meter] of rotated(able, round))
          measured.push(await runOne(contestant, meter, { document, callers, round, lap: course.lap }));
    }
  }
  return measured;
}

/** Looks at an output of each, and lets it get used to the document. */
async function warmUp(able: readonly Entry[], document: BenchDocument, lap: number): Promise<void> {
  for (const [contestant] of able) {
    await checkOutput(document, contestant, await contestant.convert(document));
    await contestant.run(
      document,
      document.long ? { callers: 2, milliseconds: 0 } : { callers: 8, milliseconds: lap / 2 },
    );
  }
}

type Entry = readonly [Contestant, GroupTime];

interface Leg {
  readonly document: BenchDocument;
  readonly callers: number;
  readonly round: number;
  readonly lap: number;
}

async function runOne(
  contestant: Contestant,
  meter: GroupTime,
  { document, callers, round, lap }: Leg,
): Promise<Measured> {
  const before = meter.now();
  const load = { callers, milliseconds: document.long ? 0 : lap };
  const { times, took } = await contestant.run(document, load);
  const cpu = meter.now() - before;
  return { contestant: contestant.name, document: document.name, callers, round, times, took, cpu };
}

function rotated<T>(things: readonly T[], by: number): T[] {
  const first = by % Math.max(1, things.length);
  return [...things.slice(first), ...things.slice(0, first)];
}
