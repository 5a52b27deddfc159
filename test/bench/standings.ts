/** Statistics of the laps of a candidate with one document and one number of callers. */
import type { MeasuredLap } from './rounds.ts';
import { median, quantile, spreadOf, type Spread } from './statistics.ts';

export interface Standing {
  readonly candidate: string;
  readonly document: string;
  readonly callers: number;
  readonly jobs: number;
  /** Jobs per second, one value for each round. */
  readonly rates: readonly number[];
  /** The median duration of a job in milliseconds, one value for each round. */
  readonly medians: readonly number[];
  /** CPU milliseconds per job, one value for each round. */
  readonly cpu: readonly number[];
  /** The duration of the lap in milliseconds, one value for each round. */
  readonly took: readonly number[];
  readonly jobsPerSecond: Spread;
  readonly cpuPerJob: Spread;
  /** Percentiles of the duration of the jobs of all rounds, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** @throws Error if nothing was measured */
export function standingsOf(measured: readonly MeasuredLap[]): Standing[] {
  const groups = new Map<string, MeasuredLap[]>();
  for (const lap of measured) {
    const key = [lap.document, lap.callers, lap.candidate].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), lap]);
  }
  if (groups.size === 0) nothing();
  return [...groups.values()].map(standingOf);
}

function standingOf(unsorted: readonly MeasuredLap[]): Standing {
  const laps = unsorted.toSorted((one, other) => one.round - other.round);
  const { candidate, document, callers } = laps[0] ?? nothing();
  const times = laps.flatMap((lap) => lap.times);
  const rates = laps.map(jobsPerSecond);
  const cpu = laps.map((lap) => lap.cpu / lap.times.length);
  return {
    candidate,
    document,
    callers,
    jobs: times.length,
    rates,
    cpu,
    medians: laps.map((lap) => median(lap.times)),
    took: laps.map(({ took }) => took),
    jobsPerSecond: spreadOf(rates),
    cpuPerJob: spreadOf(cpu),
    p50: median(times),
    p99: quantile(times, 0.99),
  };
}

function nothing(): never {
  throw new Error('nothing was measured');
}

export function standingIn(
  standings: readonly Standing[],
  { candidate, document, callers }: Pick<Standing, 'candidate' | 'document' | 'callers'>,
): Standing | undefined {
  return standings.find(
    (one) => one.candidate === candidate && one.document === document && one.callers === callers,
  );
}

export function jobsPerSecond({ times, took }: Pick<MeasuredLap, 'times' | 'took'>): number {
  return (times.length / took) * 1000;
}
