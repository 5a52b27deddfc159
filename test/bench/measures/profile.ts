/** Breaks down the time of a job: the time that the caller waits, the time in the service, and the stages that the service logs. */
import { readFileSync, statSync } from 'node:fs';
import type { Platen } from '../candidates/platen.ts';
import type { BenchDocument } from '../documents/document.ts';
import { median } from '../statistics.ts';

export interface Profile {
  readonly document: string;
  readonly jobs: number;
  /** Medians in milliseconds: the time that the caller waits, and the duration of the job in the service log. */
  readonly waited: number;
  readonly inService: number;
  /** In the order in which they end; `took`: the median in milliseconds. */
  readonly stages: readonly { readonly name: string; readonly took: number }[];
}

const jobs = 40;

/** Runs one job after another with a single caller. @throws Error if the log contains no converted jobs */
export async function profileOf(platen: Platen, document: BenchDocument): Promise<Profile> {
  const before = statSync(platen.logFile).size;
  const times: number[] = [];
  for (let job = 0; job < jobs; job += 1) {
    const began = performance.now();
    await platen.convert(document);
    times.push(performance.now() - began);
  }
  const lines = linesAfter(platen.logFile, before);
  const names = [...new Set(lines.flatMap(({ stages }) => Object.keys(stages)))];
  const stages = names.map((name) => ({ name, took: median(lines.map((line) => line.stages[name] ?? 0)) }));
  const inService = median(lines.map(({ ms }) => ms));
  return { document: document.name, jobs: lines.length, waited: median(times), inService, stages };
}

interface ConvertedLine {
  readonly ms: number;
  readonly stages: Readonly<Record<string, number>>;
}

function linesAfter(file: string, offset: number): ConvertedLine[] {
  const text = readFileSync(file).subarray(offset).toString();
  return text.split('\n').flatMap((line) => {
    if (!line.includes('"converted"')) return [];
    const entry = JSON.parse(line) as ConvertedLine;
    return [{ ms: entry.ms, stages: entry.stages }];
  });
}

/** Returns whether the service wrote the document into an open page instead of navigating to it, according to the stages. */
export function isWritten({ stages }: Pick<Profile, 'stages'>): boolean {
  const took = (name: RegExp) => stages.find((stage) => name.test(stage.name))?.took ?? 0;
  return took(/\bwrite\b/) > 0 && took(/^load the page$/) === 0;
}
