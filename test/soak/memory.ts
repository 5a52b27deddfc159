/** Samples the memory of the service's processes while they are idle, and detects growth over the run. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceState } from './service-state.ts';
import { memoryOf, type Group, type Memory } from './processes.ts';

export interface MemorySample {
  /** The number of jobs before the sample. */
  readonly jobs: number;
  /** The sum of all processes except the X server. */
  readonly total: Memory;
  /** The sum of the processes of each kind, including the X server. */
  readonly kinds: Readonly<Record<string, Memory>>;
  /** The JavaScript heap in use and the external memory of the service, in bytes. */
  readonly heap: number;
  readonly external: number;
}

/** A sample is the median of this many measurements, because a measurement depends on garbage collection. */
const samplesPerPoint = 3;
const sampleIntervalMs = 100;

export async function sample(
  group: Group,
  jobs: number,
  { heap, external }: ServiceState,
): Promise<MemorySample> {
  const seen: MemorySample[] = [];
  for (let attempt = 0; attempt < samplesPerPoint; attempt += 1) {
    if (attempt > 0) await wait(sampleIntervalMs);
    const kinds = memoryByKind(group);
    const { Xvfb: _apart, ...counted } = kinds;
    seen.push({ jobs, total: sumOf(Object.values(counted)), kinds, heap, external });
  }
  const sorted = seen.sort((left, right) => left.total.shared - right.total.shared);
  return sorted[Math.floor(samplesPerPoint / 2)] ?? { jobs, total: sumOf([]), kinds: {}, heap, external };
}

export interface Trend {
  /** The median of the samples of jobs 1,001 to 2,000, and of the last 1,000 jobs, in bytes. */
  readonly before: number;
  readonly after: number;
  /** Bytes per 1,000 jobs, by least squares, from job 1,000 on. */
  readonly slope: number;
}

const warmUpJobs = 1000;

/** Returns undefined if the run has fewer than 2,000 jobs. */
export function trendOf(
  samples: readonly MemorySample[],
  of: (sample: MemorySample) => number,
): Trend | undefined {
  const last = samples.at(-1)?.jobs ?? 0;
  const later = samples.filter(({ jobs }) => jobs > warmUpJobs);
  if (last < 2 * warmUpJobs) return undefined;
  return {
    before: median(later.filter(({ jobs }) => jobs <= 2 * warmUpJobs).map(of)),
    after: median(later.filter(({ jobs }) => jobs > last - warmUpJobs).map(of)),
    slope: slopeOf(later.map((sample) => [sample.jobs / 1000, of(sample)])),
  };
}

export const allowedGrowth = 0.1;

/** Returns a message if the memory grows: by more than 10 % in a long run, or by an unusual amount in a short run. */
export function growthProblems(samples: readonly MemorySample[]): string[] {
  const trend = trendOf(samples, ({ total }) => total.shared);
  if (trend === undefined) return shortRunProblems(samples);
  const share = trend.after / trend.before - 1;
  if (share <= allowedGrowth) return [];
  return [
    `the memory has grown by ${(share * 100).toFixed(1)} %: from ${mega(trend.before)} to ${mega(trend.after)} MB`,
  ];
}

/** Large enough for new windows and growing caches. A leak of a megabyte per job exceeds it within 200 jobs. */
const allowedIncrease = { times: 1.25, bytes: 60e6 };

/** Compares the last sample with the first one, which is taken after a hundred jobs. */
function shortRunProblems(samples: readonly MemorySample[]): string[] {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return [];
  const before = partsOf(first);
  const after = partsOf(last);
  return Object.entries(after).flatMap(([part, has]) => {
    const had = before[part] ?? 0;
    if (has <= had * allowedIncrease.times + allowedIncrease.bytes) return [];
    return [`the memory of ${part} has grown from ${mega(had)} to ${mega(has)} MB in a short run`];
  });
}

function partsOf({ heap, external, kinds }: MemorySample): Readonly<Record<string, number>> {
  const parts: Record<string, number> = { "the service's heap": heap, "the service's buffers": external };
  for (const [kind, { shared }] of Object.entries(kinds)) parts[`the ${kind} processes`] = shared;
  return parts;
}

/** Returns a table in lines of text: proportional memory (PSS) and, after a slash, resident memory (RSS), in megabytes. */
export function table(samples: readonly MemorySample[], rows = 12): string[] {
  const kinds = [...new Set(samples.flatMap((sample) => Object.keys(sample.kinds)))].sort();
  const step = Math.max(1, Math.ceil(samples.length / rows));
  const shown = samples.filter((_, index) => index % step === 0 || index === samples.length - 1);
  const lines = [['jobs', 'all', ...kinds, 'heap', 'external']];
  for (const { jobs, total, kinds: by, heap, external } of shown)
    lines.push([
      String(jobs),
      both(total),
      ...kinds.map((kind) => both(by[kind])),
      mega(heap),
      mega(external),
    ]);
  const slope = (of: (sample: MemorySample) => number) => trendOf(samples, of)?.slope;
  const slopes = [
    slope(({ total }) => total.shared),
    ...kinds.map((kind) => slope((sample) => sample.kinds[kind]?.shared ?? 0)),
    slope(({ heap }) => heap),
    slope(({ external }) => external),
  ];
  if (slopes[0] !== undefined) lines.push(['/1,000', ...slopes.map((bytes) => mega(bytes ?? 0))]);
  return aligned(lines);
}

function memoryByKind(group: Group): Record<string, Memory> {
  const kinds: Record<string, Memory> = {};
  for (const { pid, kind } of group.processes()) {
    const memory = memoryOf(pid);
    if (memory !== undefined) kinds[kind] = sumOf([memory, ...(kinds[kind] ? [kinds[kind]] : [])]);
  }
  return kinds;
}

function sumOf(memories: readonly Memory[]): Memory {
  const sum = (of: keyof Memory) => memories.reduce((all, memory) => all + memory[of], 0);
  return { shared: sum('shared'), resident: sum('resident') };
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;
}

function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (index: 0 | 1) => points.reduce((sum, point) => sum + point[index], 0) / points.length;
  const x = mean(0);
  const y = mean(1);
  const spread = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) / spread;
}

function mega(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}

function both(memory: Memory | undefined): string {
  return memory === undefined ? '-' : `${mega(memory.shared)}/${mega(memory.resident)}`;
}

function aligned(lines: readonly (readonly string[])[]): string[] {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines.map((line) => line.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '));
}
