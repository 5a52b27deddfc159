/** Finds problems in the service log: lines that must not appear in a run without internal errors. */

/** Levels of pino: error is 50, fatal is 60. */
const error = 50;
const shown = 5;

/** Returns sentences about errors and listener leaks. */
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
