/** Formats the figures as lines of text. */
import { alignColumns } from '../../main/cli/terminal.ts';
import type { Profile } from './measures/profile.ts';
import { standingIn, type Standing } from './standings.ts';
import { pairedRatio } from './statistics.ts';
import type { TargetVerdict } from './targets.ts';

const heads = ['document', 'callers', 'by', 'jobs/s', '(least..most)', 'CPU ms/job', 'p50 ms', 'p99 ms'];

/** Returns a table with a row for each standing, including its throughput relative to the candidates in `against`. */
export function standingLines(standings: readonly Standing[], against: readonly string[]): string[] {
  const rows = standings.map((one) => [
    one.document,
    String(one.callers),
    one.candidate,
    shown(one.jobsPerSecond.median),
    `${shown(one.jobsPerSecond.least)}..${shown(one.jobsPerSecond.most)}`,
    shown(one.cpuPerJob.median),
    shown(one.p50),
    shown(one.p99),
    ...against.map((candidate) => ratioTo(standings, one, candidate)),
  ]);
  return alignColumns([[...heads, ...against.map((name) => `/ ${name}`)], ...rows]);
}

function ratioTo(standings: readonly Standing[], one: Standing, candidate: string): string {
  const other = standingIn(standings, { ...one, candidate });
  return other === undefined || other === one ? '' : pairedRatio(one.rates, other.rates).toFixed(2);
}

export function shown(value: number): string {
  const size = Math.abs(value);
  return size >= 100 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Returns a line for each document: the time that the caller waits, and the stages in the service. */
export function profileLines(profiles: readonly Profile[]): string[] {
  return profiles.map(({ document, waited, inService, stages }) => {
    const parts = stages.filter(({ took }) => took > 0).map(({ name, took }) => `${name} ${shown(took)}`);
    return `${document}: ${shown(waited)} ms, ${shown(inService)} in the service: ${parts.join(', ')}`;
  });
}

/** Returns a table of the measured targets. */
export function verdictLines(verdicts: readonly TargetVerdict[]): string[] {
  const rows = verdicts.flatMap(({ what, bound, value, unit, figure, reached }) =>
    figure === undefined
      ? []
      : [[what, `${bound} ${value}${unit}`, `${shown(figure)}${unit}`, reached ? 'reached' : 'MISSED']],
  );
  return rows.length === 0 ? [] : alignColumns([['target', 'bound', 'is', ''], ...rows]);
}
