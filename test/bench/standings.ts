/** Statistics of the laps of one contestant with one document and one number of callers. */
import type { MeasuredLap } from './rounds.ts';
import { median, quantile, spreadOf, type Spread } from './statistics.ts';

export interface Standing {
  readonly contestant: string;
  readonly document: string;
  readonly callers: number;
  readonly jobs: number;
  /** One value for each round, in order. */
  readonly rates: readonly number[];
  readonly medians: readonly number[];
  /** CPU milliseconds for each job. */
  readonly cpu: readonly number[];
  /** Milliseconds of each lap. */
  readonly took: readonly number[];
  readonly jobsPerSecond: Spread;
  readonly cpuPerJob: Spread;
  /** Milliseconds, over the jobs of all rounds. */
  readonly p50: number;
  readonly p99: number;
}

/** @throws Error when nothing was measured */
export function standingsOf(measured: readonly MeasuredLap[]): Standing[] {
  const groups = new Map<string, MeasuredLap[]>();
  for (const lap of measured) {
    const key = [lap.document, lap.callers, lap.contestant].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), lap]);
  }
  if (groups.size === 0) nothing();
  return [...groups.values()].map(standingOf);
}

function standingOf(unsorted: readonly MeasuredLap[]): Standing {
  const laps = unsorted.toSorted((left, right) => left.round - right.round);
  const { contestant, document, callers } = laps[0] ?? nothing();
  const times = laps.flatMap((lap) => lap.times);
  const rates = laps.map((lap) => (lap.times.length / lap.took) * 1000);
  const cpu = laps.map((lap) => lap.cpu / lap.times.length);
  return {
    ...{ contestant, document, callers, jobs: times.length, rates, cpu },
    medians: laps.map((lap) => median(lap.times)),
    took: laps.map(({ took }) => took),
    jobsPerSecond: spreadOf(rates),
    cpuPerJob: spreadOf(cpu),
    ...{ p50: median(times), p99: quantile(times, 0.99) },
  };
}

function nothing(): never {
  throw new Error('nothing was measured');
}

export function standingIn(
  standings: readonly Standing[],
  { contestant, document, callers }: Pick<Standing, 'contestant' | 'document' | 'callers'>,
): Standing | undefined {
  return standings.find(
    (standing) =>
      standing.contestant === contestant && standing.document === document && standing.callers === callers,
  );
}
