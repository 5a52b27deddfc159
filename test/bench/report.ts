/** Formats the figures as lines of text. */
import { alignColumns } from '../../main/cli/terminal.ts';
import type { Profile } from './measures/profile.ts';
import { standingIn, type Standing } from './standings.ts';
import { pairedRatio } from './statistics.ts';
import type { Verdict } from './targets.ts';

const heads = ['document', 'callers', 'by', 'jobs/s', '(least..most)', 'CPU ms/job', 'p50 ms', 'p99 ms'];

/** A row for each contestant, with its throughput relative to the loop and the peers. */
export function standingLines(standings: readonly Standing[], against: readonly string[]): string[] {
  const rows = standings.map((standing) => [
    ...[
      standing.document,
      String(standing.callers),
      standing.contestant,
      shown(standing.jobsPerSecond.median),
    ],
    `${shown(standing.jobsPerSecond.least)}..${shown(standing.jobsPerSecond.most)}`,
    ...[shown(standing.cpuPerJob.median), shown(standing.p50), shown(standing.p99)],
    ...against.map((contestant) => ratioTo(standings, standing, contestant)),
  ]);
  return alignColumns([[...heads, ...against.map((name) => `/ ${name}`)], ...rows]);
}

function ratioTo(standings: readonly Standing[], standing: Standing, contestant: string): string {
  const reference = standingIn(standings, { ...standing, contestant });
  return reference === undefined || reference === standing
    ? ''
    : pairedRatio(standing.rates, reference.rates).toFixed(2);
}

export function shown(value: number): string {
  const size = Math.abs(value);
  return size >= 100 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** A line for each document: the wait of the caller, and the stages in the service. */
export function profileLines(profiles: readonly Profile[]): string[] {
  return profiles.map(({ document, waited, inService, stages }) => {
    const parts = stages.filter(({ took }) => took > 0).map(({ name, took }) => `${name} ${shown(took)}`);
    return `${document}: ${shown(waited)} ms, ${shown(inService)} in the service: ${parts.join(', ')}`;
  });
}

/** Lists the measured targets only. */
export function verdictLines(verdicts: readonly Verdict[]): string[] {
  const rows = verdicts.flatMap(({ what, bound, value, unit, figure, reached }) =>
    figure === undefined
      ? []
      : [[what, `${bound} ${value}${unit}`, `${shown(figure)}${unit}`, reached ? 'reached' : 'MISSED']],
  );
  return rows.length === 0 ? [] : alignColumns([['target', 'bound', 'is', ''], ...rows]);
}
