/**
 * Runs the rounds. In a round, all candidates convert the same document, one lap each; each round starts with another candidate.
 */
import { checkOutput } from './check-output.ts';
import type { Candidate } from './candidates/candidate.ts';
import type { BenchDocument } from './documents/document.ts';
import type { Failures } from './failures.ts';
import { openGroupTime, type GroupTime } from './group-time.ts';
import { median } from './statistics.ts';

/** A lap of one candidate. */
export interface MeasuredLap {
  readonly candidate: string;
  readonly document: string;
  readonly callers: number;
  /** The number of the round, starting at 0. */
  readonly round: number;
  /** The duration of each job in milliseconds. */
  readonly times: readonly number[];
  /** Milliseconds from the start of the first job to the end of the last one. */
  readonly took: number;
  /** The CPU time of all the candidate's processes in milliseconds. */
  readonly cpu: number;
}

export interface RoundsOptions {
  readonly candidates: readonly Candidate[];
  readonly documents: readonly BenchDocument[];
  readonly callers: readonly number[];
  readonly rounds: number;
  /** The duration of a lap in milliseconds. */
  readonly lap: number;
  readonly print: (line: string) => void;
  readonly failures: Failures;
}

/** Returns the laps. A candidate runs no laps with a document if its output is wrong or its warm-up fails. */
export async function runRounds({
  candidates,
  documents,
  ...options
}: RoundsOptions): Promise<MeasuredLap[]> {
  const meters = new Map(candidates.map((one) => [one, openGroupTime(one.pid)] as const));
  const measured: MeasuredLap[] = [];
  for (const document of documents) {
    const supporting = [...meters].filter(([candidate]) => candidate.supports(document));
    options.print(`${document.title}: ${supporting.map(([{ name }]) => name).join(', ')}`);
    const { warmedUpEntries, jobMs } = await warmUp(supporting, document, options);
    const lap = lapFor(jobMs, options.lap);
    for (const callers of options.callers)
      if (!document.long || callers <= 2)
        measured.push(...(await runAll(warmedUpEntries, { document, callers, lap }, options)));
  }
  return measured;
}

type MeteredCandidate = readonly [Candidate, GroupTime];

/**
 * Returns the duration of the laps in milliseconds. At the end of a lap, windows are idle while the last job ends. With few jobs in a
 * lap, this would affect the ratios, so laps of slow documents are longer.
 */
function lapFor(jobMs: number, lap: number): number {
  return Math.max(lap, Math.min(8 * jobMs, 4 * lap));
}

interface WarmUp {
  readonly warmedUpEntries: readonly MeteredCandidate[];
  /** The median duration of a job of the fastest candidate, in milliseconds. */
  readonly jobMs: number;
}

/** Checks an output of each candidate, and runs a warm-up lap. Returns the candidates that succeed. */
async function warmUp(
  supporting: readonly MeteredCandidate[],
  document: BenchDocument,
  { lap, failures }: Pick<RoundsOptions, 'lap' | 'failures'>,
): Promise<WarmUp> {
  const load = document.long ? { callers: 2, milliseconds: 0 } : { callers: 8, milliseconds: lap / 2 };
  const warmedUpEntries: MeteredCandidate[] = [];
  let jobMs = Infinity;
  for (const entry of supporting) {
    const [candidate] = entry;
    const ran = await failures.attempt(`${candidate.name}, ${document.title}`, async () => {
      await checkOutput(document, candidate, await candidate.convert(document));
      return candidate.run(document, load);
    });
    if (ran === undefined) continue;
    warmedUpEntries.push(entry);
    jobMs = Math.min(jobMs, median(ran.times));
  }
  return { warmedUpEntries, jobMs };
}

/** Runs all rounds, and returns the laps of the candidates that complete every round: figures are compared round by round. */
async function runAll(
  warmedUpEntries: readonly MeteredCandidate[],
  lapPlan: LapPlan,
  { rounds, failures }: Pick<RoundsOptions, 'rounds' | 'failures'>,
): Promise<MeasuredLap[]> {
  const measured: MeasuredLap[] = [];
  const excluded = new Set<string>();
  for (let round = 0; round < rounds; round += 1)
    for (const [candidate, meter] of rotated(warmedUpEntries, round)) {
      const { name } = candidate;
      if (excluded.has(name)) continue;
      const what = `${name}, ${lapPlan.document.title}, callers: ${lapPlan.callers}`;
      const run = () => runLapMetered(candidate, meter, lapPlan);
      // A lap that fails is reported and repeated once.
      const lap = (await failures.attempt(what, run)) ?? (await failures.attempt(what, run));
      if (lap === undefined) excluded.add(name);
      else measured.push({ ...lap, round });
    }
  return measured.filter(({ candidate }) => !excluded.has(candidate));
}

export interface LapPlan {
  readonly document: BenchDocument;
  readonly callers: number;
  readonly lap: number;
}

/** Runs one lap, and measures its processor time. */
export async function runLapMetered(
  candidate: Candidate,
  meter: GroupTime,
  { document, callers, lap }: LapPlan,
): Promise<Omit<MeasuredLap, 'round'>> {
  const before = meter.now();
  const load = { callers, milliseconds: document.long ? 0 : lap };
  const { times, took } = await candidate.run(document, load);
  const cpu = meter.now() - before;
  return { candidate: candidate.name, document: document.name, callers, times, took, cpu };
}

/** Returns the things in their order, starting `by` places later. */
export function rotated<T>(things: readonly T[], by: number): T[] {
  const first = by % Math.max(1, things.length);
  return [...things.slice(first), ...things.slice(0, first)];
}
