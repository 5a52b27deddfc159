/** What the service's log may not hold after a run in which nothing of the service itself went wrong. */

/** Levels of pino: error and fatal. */
const error = 50;
const shown = 5;

/** Sentences about faults, and about listeners that pile up. */
export function logProblems(log: string): string[] {
  const lines = log.split('\n').filter((line) => line !== '');
  const bad = lines.filter((line) => levelOf(line) >= error || line.includes('MaxListenersExceeded'));
  return bad
    .slice(0, shown)
    .map((line) => `the log says, ${bad.length} such lines in all: ${line.slice(0, 600)}`);
}

function levelOf(line: string): number {
  return Number(/"level":(\d+)/.exec(line)?.[1] ?? 0);
}
