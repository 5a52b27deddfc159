/** Runs the complete benchmark: the rounds, the profiles, and the separate measurements. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../support/service/service.ts';
import { startCandidates, type Candidates } from './candidates/all.ts';
import type { Preparation } from './candidates/candidate.ts';
import { isPlaten } from './candidates/platen.ts';
import { makeDocument } from './documents/all.ts';
import type { BenchDocument } from './documents/document.ts';
import { openFailures, type Failures } from './failures.ts';
import { measureIdle } from './measures/idle.ts';
import { measureLongMemory } from './measures/long-memory.ts';
import { measureMemory } from './measures/memory.ts';
import { profileOf, type Profile } from './measures/profile.ts';
import { measureStart } from './measures/start.ts';
import { measureTwoWindows } from './measures/two-windows.ts';
import { thisMachine, type BenchmarkResults } from './results.ts';
import { runRounds } from './rounds.ts';
import { openScratch } from './scratch.ts';
import { standingsOf } from './standings.ts';

export interface BenchOptions {
  readonly documents: readonly string[];
  readonly candidates: readonly string[];
  readonly callers: readonly number[];
  readonly rounds: number;
  /** The duration of a lap in milliseconds. */
  readonly lap: number;
  readonly workers: number;
  readonly measures: readonly string[];
}

/** The measurements that run separately, after the rounds. */
export const measureNames: readonly string[] = ['memory', 'idle', 'start', 'long-memory', 'two-windows'];

/** Prints failures, and includes them in the results. @throws Error if a candidate does not start, or nothing is measured */
export async function runBench(
  options: BenchOptions,
  print: (line: string) => void,
): Promise<BenchmarkResults> {
  using scratch = openScratch();
  const begun = new Date().toISOString();
  const preparation = { workers: options.workers, folder: scratch.folder };
  const failures = openFailures(print);
  const documents = await Promise.all(options.documents.map(makeDocument));
  const context = { documents, preparation, print, failures };
  const race = await runAllRounds(options, context);
  const separate = await measureSeparately(options, context);
  return { machine: thisMachine(), startedAt: begun, ...race, ...separate, failures: failures.sentences };
}

interface BenchContext {
  readonly documents: readonly BenchDocument[];
  readonly preparation: Preparation;
  readonly print: (line: string) => void;
  readonly failures: Failures;
}

async function runAllRounds(
  { candidates: names, callers, rounds, lap, workers }: BenchOptions,
  { documents, preparation, print, failures }: BenchContext,
): Promise<Pick<BenchmarkResults, 'run' | 'standings' | 'profiles'>> {
  await using candidates = await startCandidates(names, preparation);
  for (const sentence of candidates.leftOut) print(sentence);
  const course = { callers, rounds, lap, print, failures };
  const measured = await runRounds({ ...course, candidates: candidates.all, documents });
  const profiles = await measureProfiles(candidates, documents, failures);
  const { leftOut } = candidates;
  const run = { workers, rounds, lap, leftOut, electron: electronVersion() };
  return { run, standings: standingsOf(measured), profiles };
}

async function measureProfiles(
  { all }: Candidates,
  documents: readonly BenchDocument[],
  { attempt }: Failures,
): Promise<Profile[]> {
  const profiles: Profile[] = [];
  for (const platen of all.filter(isPlaten))
    for (const document of documents.filter(({ long }) => !long)) {
      const profile = await attempt(`profile of ${document.title}`, () => profileOf(platen, document));
      if (profile !== undefined) profiles.push(profile);
    }
  return profiles;
}

async function measureSeparately(
  { measures }: BenchOptions,
  { preparation, print, failures }: BenchContext,
): Promise<Pick<BenchmarkResults, 'memory' | 'idle' | 'start' | 'longMemory' | 'twoWindows'>> {
  const measured = async <T>(name: string, measure: (preparation: Preparation) => Promise<T>) => {
    if (!measures.includes(name)) return undefined;
    print(name);
    return failures.attempt(name, () => measure(preparation));
  };
  const start = await measured('start', measureStart);
  const idle = await measured('idle', measureIdle);
  const memory = await measured('memory', measureMemory);
  const longMemory = await measured('long-memory', measureLongMemory);
  const twoWindows = await measured('two-windows', measureTwoWindows);
  return {
    ...(start && { start }),
    ...(idle && { idle }),
    ...(memory && { memory }),
    ...(longMemory && { longMemory }),
    ...(twoWindows && { twoWindows }),
  };
}

function electronVersion(): string {
  const chosen: unknown = JSON.parse(readFileSync(join(project, '.build', 'runtime.json'), 'utf8'));
  return typeof chosen === 'object' && chosen !== null && 'version' in chosen ? String(chosen.version) : '';
}
