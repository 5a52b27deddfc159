/** Finds lines in the service log that must not appear: errors and leaked event listeners. */

/** The level `error` of pino; `fatal` is 60. */
const error = 50;
const shown = 5;

/** Returns messages with the first such lines. */
export function logProblems(log: string): string[] {
  const lines = log.split('\n').filter((line) => line !== '');
  const bad = lines.filter((line) => levelOf(line) >= error || line.includes('MaxListenersExceeded'));
  return bad
    .slice(0, shown)
    .map((line) => `the log contains ${bad.length} lines with problems, such as: ${line.slice(0, 600)}`);
}

function levelOf(line: string): number {
  return Number(/"level":(\d+)/.exec(line)?.[1] ?? 0);
}
