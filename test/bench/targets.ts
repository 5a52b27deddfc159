/** The performance targets, and whether a run reaches them. */
import { isWritten } from './measures/profile.ts';
import type { BenchmarkResults } from './results.ts';
import { standingIn, type Standing } from './standings.ts';
import { median, pairedDifference, pairedRatio } from './statistics.ts';

export interface PerformanceTarget {
  readonly what: string;
  readonly bound: 'at least' | 'at most';
  readonly value: number;
  readonly unit: '' | ' ms';
  /** Returns the measured figure; undefined if the run did not measure it. */
  readonly figure: (results: BenchmarkResults) => number | undefined;
}

export interface TargetVerdict extends Omit<PerformanceTarget, 'figure'> {
  readonly figure: number | undefined;
  readonly reached: boolean | undefined;
}

/** Compares each target with the figure of the first run that measured it. */
export function verdicts(runs: readonly BenchmarkResults[]): TargetVerdict[] {
  return targets.map(({ figure: measure, ...target }) => {
    const figure = runs.map(measure).find((measured) => measured !== undefined);
    const isHigh = figure !== undefined && figure >= target.value;
    const isLow = figure !== undefined && figure <= target.value;
    const reached = figure === undefined ? undefined : target.bound === 'at least' ? isHigh : isLow;
    return { ...target, figure, reached };
  });
}

type Figure = PerformanceTarget['figure'];

const manyCallers = 8;

const targets: readonly PerformanceTarget[] = [
  ...throughput('loop', { letter: 2.4, invoice: 1.3, report: 0.95, manual: 0.9, table: 0.9 }),
  ...[1, 2, manyCallers].flatMap((callers) => throughput('loop', { chart: 0.95 }, callers)),
  ...[2, manyCallers].flatMap((callers) => throughput('loop', { site: 0.9, application: 0.9 }, callers)),
  ...throughput('loop', { images: 0.85, 'images-archive': 0.85, 'images-site': 0.85 }),
  ...throughput('peer', { letter: 9, invoice: 5, report: 3 }),
  added('letter', 3),
  added('invoice', 4),
  added('report', 4),
  added('site', 8),
  added('chart', 8),
  ...['letter', 'invoice', 'report', 'chart'].map((document) => tail(document)),
  atMost('1,000 pages: time against the loop', 1.1, (results) =>
    timeRatio(results, { document: 'thousand', against: 'thousand' }),
  ),
  atMost('1,000 pages with numbered footer: time against the loop without one', 1.5, (results) =>
    timeRatio(results, { document: 'thousand-numbered', against: 'thousand' }),
  ),
  atMost('invoice as PDF/A-2u: time against the invoice', 1.5, (results) =>
    ownTimeRatio(results, { document: 'archived', against: 'invoice' }),
  ),
  atMost('manual with page references: time against the manual', 2.2, (results) =>
    ownTimeRatio(results, { document: 'referenced', against: 'manual' }),
  ),
  ...['letter', 'report'].map(logged),
  atMost('archive of 50 files: time against one file', 1.1, (results) =>
    ownTimeRatio(results, { document: 'brochure', against: 'brochure-inline' }),
  ),
  atMost('template with 5 MB of data: time against the same HTML', 1.3, (results) =>
    ownTimeRatio(results, { document: 'statement', against: 'statement-filled' }),
  ),
  longMemory('thousand', '1,000 pages'),
  longMemory('five-thousand', '5,000 pages'),
  ...['invoice', 'report', 'chart', 'manual'].map(twoWindows),
  atMost('two jobs of 1,000 pages at once: time against one', 1.3, twoAtOnce),
  atMost(
    'memory after 2,000 jobs against after 200',
    1.05,
    ({ memory }) => memory && memory.late / memory.early,
  ),
  // The kernel counts CPU time in hundredths of a second, so 4 ms per second are only four ticks in the ten seconds measured.
  { ...atMost('idle: processor time in each second', 4, ({ idle }) => idle?.platen.cpu), unit: ' ms' },
  atMost(
    'idle: memory against a bare Electron with as many windows',
    1.3,
    ({ idle }) => idle && idle.platen.memory / idle.bare.memory,
  ),
  atMost(
    'start to ready against a bare Electron with one window',
    1.4,
    ({ start }) => start && pairedRatio(start.platen, start.bare),
  ),
  ...[1, manyCallers].flatMap((callers) => throughput('loop', { screenshot: 0.95 }, callers)),
  ...[1, 2].flatMap((callers) => throughput('loop', { tall: 0.9 }, callers)),
];

function atMost(what: string, value: number, figure: Figure): PerformanceTarget {
  return { what, bound: 'at most', value, unit: '', figure };
}

function throughput(
  candidate: string,
  values: Readonly<Record<string, number>>,
  callers = manyCallers,
): PerformanceTarget[] {
  return Object.entries(values).map(([document, value]) => ({
    what: `${document}: jobs/s at ${callers} caller${callers === 1 ? '' : 's'} against the ${candidate}`,
    value,
    bound: 'at least',
    unit: '',
    figure({ standings }) {
      const [platen, other] = pair(standings, { document, callers, candidate });
      return platen && other && pairedRatio(platen.rates, other.rates);
    },
  }));
}

/** Returns the target for the time that Platen adds to a job, compared with the loop that loads the document in the same way. */
function added(document: string, value: number): PerformanceTarget {
  return {
    what: `${document}: added to one job at one caller`,
    bound: 'at most',
    value,
    unit: ' ms',
    figure({ standings, profiles }) {
      const profile = profiles.find((one) => one.document === document);
      const candidate = profile !== undefined && isWritten(profile) ? 'written' : 'loop';
      const [platen, other] = pair(standings, { document, callers: 1, candidate });
      return platen && other && pairedDifference(platen.medians, other.medians);
    },
  };
}

function tail(document: string): PerformanceTarget {
  return atMost(`${document}: p99 / p50 at ${manyCallers} callers`, 2.5, ({ standings }) => {
    const platen = standingIn(standings, { candidate: 'platen', document, callers: manyCallers });
    return platen && platen.p99 / platen.p50;
  });
}

interface Compared {
  readonly document: string;
  /** The document that it is compared with. */
  readonly against: string;
}

function timeRatio({ standings }: BenchmarkResults, { document, against }: Compared): number | undefined {
  const platen = standingIn(standings, { candidate: 'platen', document, callers: 1 });
  const loop = standingIn(standings, { candidate: 'loop', document: against, callers: 1 });
  return platen && loop && median(platen.medians) / median(loop.medians);
}

/** Returns the ratio of the times that Platen takes for two documents. */
function ownTimeRatio({ standings }: BenchmarkResults, { document, against }: Compared): number | undefined {
  const [one, other] = [document, against].map((name) =>
    standingIn(standings, { candidate: 'platen', document: name, callers: 1 }),
  );
  return one && other && median(one.medians) / median(other.medians);
}

function logged(name: string): PerformanceTarget {
  return {
    what: `${name} with debug log: jobs/s at ${manyCallers} callers against the ${name} without`,
    bound: 'at least',
    value: 0.97,
    unit: '',
    figure({ standings }) {
      const [one, other] = [`${name}-logged`, name].map((document) =>
        standingIn(standings, { candidate: 'platen', document, callers: manyCallers }),
      );
      return one && other && pairedRatio(one.rates, other.rates);
    },
  };
}

function longMemory(name: string, title: string): PerformanceTarget {
  return atMost(`${title}: memory above idle against the loop`, 1.15, ({ longMemory: figures }) => {
    const added = figures?.documents.find((document) => document.name === name);
    return added && pairedRatio(added.platen, added.loop);
  });
}

function twoWindows(name: string): PerformanceTarget {
  return {
    what: `${name}: jobs/s with two windows against one`,
    bound: 'at least',
    value: 1.8,
    unit: '',
    figure({ twoWindows: figures }) {
      const rates = figures?.documents.find((document) => document.name === name);
      return rates && pairedRatio(rates.two, rates.one);
    },
  };
}

function twoAtOnce({ standings }: BenchmarkResults): number | undefined {
  const [single, double] = [1, 2].map((callers) =>
    standingIn(standings, { candidate: 'platen', document: 'thousand', callers }),
  );
  return single && double && median(double.took) / median(single.took);
}

function pair(
  standings: readonly Standing[],
  { document, callers, candidate }: Pick<Standing, 'document' | 'callers' | 'candidate'>,
): (Standing | undefined)[] {
  return ['platen', candidate].map((name) => standingIn(standings, { document, callers, candidate: name }));
}
