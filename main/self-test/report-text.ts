/** Formats a self-test report for a terminal. */
import type { SelfTestReport } from '../console/contract.ts';

type CheckReport = SelfTestReport['checks'][number];

/** Returns one line for each check, and a summary. */
export function reportText({ checks, took, passed }: SelfTestReport): string {
  const nameWidth = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.map(
    (check) =>
      `${stateOf(check).padEnd(8)}${check.name.padEnd(nameWidth + 2)}${String(check.took).padStart(6)} ms  ${check.message}`,
  );
  const failed = checks.filter((row) => !row.passed).length;
  const verdict = passed ? 'All checks passed' : `${failed} of ${checks.length} checks failed`;
  return `${lines.join('\n')}\n\n${verdict}${warnings(checks)}; it took ${(took / 1000).toFixed(1)} s.\n`;
}

function stateOf({ passed, warning }: CheckReport): string {
  if (!passed) return 'failed';
  return warning === true ? 'warning' : 'ok';
}

function warnings(checks: readonly CheckReport[]): string {
  const count = checks.filter(({ warning }) => warning === true).length;
  if (count === 0) return '';
  return count === 1 ? ', with a warning' : `, with ${count} warnings`;
}
