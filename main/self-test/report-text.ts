/** A report of the self-test as people read it in a terminal. */
import type { SelfTestReport } from '../console/contract.ts';

type Row = SelfTestReport['checks'][number];

/** A line for each check, and one that sums up. */
export function reportText({ checks, took, passed }: SelfTestReport): string {
  const longest = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.map(
    (row) =>
      `${stateOf(row).padEnd(8)}${row.name.padEnd(longest + 2)}${String(row.took).padStart(6)} ms  ${row.says}`,
  );
  const failed = checks.filter((row) => !row.passed).length;
  const verdict = passed ? 'All is well' : `${failed} of ${checks.length} checks failed`;
  return `${lines.join('\n')}\n\n${verdict}${warnings(checks)}; it took ${(took / 1000).toFixed(1)} s.\n`;
}

function stateOf({ passed, warning }: Row): string {
  if (!passed) return 'failed';
  return warning === true ? 'warning' : 'ok';
}

function warnings(checks: readonly Row[]): string {
  const count = checks.filter(({ warning }) => warning === true).length;
  if (count === 0) return '';
  return count === 1 ? ', with a warning' : `, with ${count} warnings`;
}
