/** The rounds: every contestant converts the same document for a lap, one after the other, each round beginning with another. */
import { checkOutput } from './check-output.ts';
import type { Contestant } from './contestants/contestant.ts';
import type { BenchDocument } from './documents/document.ts';
import type { Failures } from './failures.ts';
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
  readonly failures: Failures;
}

/** A contestant who fails at a document is left out of it. */
export async function runRounds({ contestants, documents, ...course }: Course): Promise<Measured[]> {
  const meters = new Map(contestants.map((one) => [one, openGroupTime(one.pid)] as const));
  const measured: Measured[] = [];
  for (const document of documents) {
    const able = [...meters].filter(([contestant]) => contestant.supports(document));
    course.tell(`${document.title}: ${able.map(([{ name }]) => name).join(', ')}`);
    const warm = await warmedUp(able, document, course);
    for (const callers of course.callers)
      if (!document.long || callers <= 2)
        measured.push(...(await runAll(warm, { document, callers, lap: course.lap }, course)));
  }
  return measured;
}

type Entry = readonly [Contestant, GroupTime];

/** Looks at an output of each, and lets it get used to the document; those with whom that went well. */
async function warmedUp(
  able: readonly Entry[],
  document: BenchDocument,
  { lap, failures }: Pick<Course, 'lap' | 'failures'>,
): Promise<readonly Entry[]> {
  const load = document.long ? { callers: 2, milliseconds: 0 } : { callers: 8, milliseconds: lap / 2 };
  const warm: Entry[] = [];
  for (const entry of able) {
    const [contestant] = entry;
    const ran = await failures.unless(`${contestant.name}, ${document.title}`, async () => {
      await checkOutput(document, contestant, await contestant.convert(document));
      return contestant.run(document, load);
    });
    if (ran !== undefined) warm.push(entry);
  }
  return warm;
}

/** The laps of those who took part in every round, because figures are compared round by round. */
async function runAll(
  warm: readonly Entry[],
  leg: Leg,
  { rounds, failures }: Pick<Course, 'rounds' | 'failures'>,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  const out = new Set<string>();
  for (let round = 0; round < rounds; round += 1)
    for (const [contestant, meter] of rotated(warm, round)) {
      const { name } = contestant;
      if (out.has(name)) continue;
      const what = `${name}, ${leg.document.title}, callers: ${leg.callers}`;
      const run = () => runOne(contestant, meter, leg);
      // What goes wrong once is told, and no reason to do without its figures.
      const lap = (await failures.unless(what, run)) ?? (await failures.unless(what, run));
      if (lap === undefined) out.add(name);
      else measured.push({ ...lap, round });
    }
  return measured.filter(({ contestant }) => !out.has(contestant));
}

interface Leg {
  readonly document: BenchDocument;
  readonly callers: number;
  readonly lap: number;
}

async function runOne(
  contestant: Contestant,
  meter: GroupTime,
  { document, callers, lap }: Leg,
): Promise<Omit<Measured, 'round'>> {
  const before = meter.now();
  const load = { callers, milliseconds: document.long ? 0 : lap };
  const { times, took } = await contestant.run(document, load);
  const cpu = meter.now() - before;
  return { contestant: contestant.name, document: document.name, callers, times, took, cpu };
}

function rotated<T>(things: readonly T[], by: number): T[] {
  const first = by % Math.max(1, things.length);
  return [...things.slice(first), ...things.slice(0, first)];
}
