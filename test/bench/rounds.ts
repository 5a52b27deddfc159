/** The rounds: all contestants convert the same document for one lap each, and each round starts with the next contestant. */
import { checkOutput } from './check-output.ts';
import type { Contestant } from './contestants/contestant.ts';
import type { BenchDocument } from './documents/document.ts';
import type { Failures } from './failures.ts';
import { openGroupTime, type GroupTime } from './group-time.ts';

/** A lap of one contestant. */
export interface MeasuredLap {
  readonly contestant: string;
  readonly document: string;
  readonly callers: number;
  /** From 0. */
  readonly round: number;
  /** Milliseconds of each job. */
  readonly times: readonly number[];
  readonly took: number;
  /** CPU milliseconds of all its processes. */
  readonly cpu: number;
}

export interface RoundsOptions {
  readonly contestants: readonly Contestant[];
  readonly documents: readonly BenchDocument[];
  readonly callers: readonly number[];
  readonly rounds: number;
  /** Milliseconds of a lap. */
  readonly lap: number;
  readonly print: (line: string) => void;
  readonly failures: Failures;
}

/** A contestant that fails on a document is excluded from that document. */
export async function runRounds({
  contestants,
  documents,
  ...options
}: RoundsOptions): Promise<MeasuredLap[]> {
  const meters = new Map(
    contestants.map((contestant) => [contestant, openGroupTime(contestant.pid)] as const),
  );
  const measured: MeasuredLap[] = [];
  for (const document of documents) {
    const supporting = [...meters].filter(([contestant]) => contestant.supports(document));
    options.print(`${document.title}: ${supporting.map(([{ name }]) => name).join(', ')}`);
    const warmedUpEntries = await warmUp(supporting, document, options);
    for (const callers of options.callers)
      if (!document.long || callers <= 2)
        measured.push(...(await runAll(warmedUpEntries, { document, callers, lap: options.lap }, options)));
  }
  return measured;
}

type Entry = readonly [Contestant, GroupTime];

/** Checks one output of each contestant and runs a warm-up; returns the contestants that succeeded. */
async function warmUp(
  supporting: readonly Entry[],
  document: BenchDocument,
  { lap, failures }: Pick<RoundsOptions, 'lap' | 'failures'>,
): Promise<readonly Entry[]> {
  const load = document.long ? { callers: 2, milliseconds: 0 } : { callers: 8, milliseconds: lap / 2 };
  const warmedUpEntries: Entry[] = [];
  for (const entry of supporting) {
    const [contestant] = entry;
    const ran = await failures.attempt(`${contestant.name}, ${document.title}`, async () => {
      await checkOutput(document, contestant, await contestant.convert(document));
      return contestant.run(document, load);
    });
    if (ran !== undefined) warmedUpEntries.push(entry);
  }
  return warmedUpEntries;
}

/** Returns the laps of the contestants that completed every round, because figures are compared round by round. */
async function runAll(
  warmedUpEntries: readonly Entry[],
  lapPlan: LapPlan,
  { rounds, failures }: Pick<RoundsOptions, 'rounds' | 'failures'>,
): Promise<MeasuredLap[]> {
  const measured: MeasuredLap[] = [];
  const excluded = new Set<string>();
  for (let round = 0; round < rounds; round += 1)
    for (const [contestant, meter] of rotated(warmedUpEntries, round)) {
      const { name } = contestant;
      if (excluded.has(name)) continue;
      const what = `${name}, ${lapPlan.document.title}, callers: ${lapPlan.callers}`;
      const run = () => runOne(contestant, meter, lapPlan);
      // A single failure is reported and the lap repeated.
      const lap = (await failures.attempt(what, run)) ?? (await failures.attempt(what, run));
      if (lap === undefined) excluded.add(name);
      else measured.push({ ...lap, round });
    }
  return measured.filter(({ contestant }) => !excluded.has(contestant));
}

interface LapPlan {
  readonly document: BenchDocument;
  readonly callers: number;
  readonly lap: number;
}

async function runOne(
  contestant: Contestant,
  meter: GroupTime,
  { document, callers, lap }: LapPlan,
): Promise<Omit<MeasuredLap, 'round'>> {
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
