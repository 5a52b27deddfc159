/** Owns the question whether a package that goes along has a known vulnerability. */

import { npm } from '../setup/npm.mjs';
import { Problem } from '../setup/problem.mjs';

/**
 * Asks the registry. @returns {Promise<string>} one sentence with the result, also when it gave none
 * @throws {Problem} when there is one of severity high or critical
 */
export async function auditDependencies() {
  const { output } = await npm(['audit', '--omit=dev', '--json']);
  return auditResult(output);
}

/** @param {string} output of npm audit --json, with whatever npm says besides */
export function auditResult(output) {
  const report = reportIn(output);
  const counts = report?.metadata?.vulnerabilities;
  if (!counts) {
    const why = String(report?.message ?? report?.error?.summary ?? 'no report came').split('\n')[0];
    return `NOT AUDITED: the registry gives no advisories (${why}); run \`npm audit --omit=dev\` where it does.`;
  }
  const high = counts.high + counts.critical;
  if (high === 0) return `npm audit: nothing high, ${counts.total} lower.`;
  const names = Object.values(report.vulnerabilities)
    .filter(({ severity }) => /high|critical/.test(severity))
    .map(({ name }) => name);
  throw new Problem(
    `npm audit tells of ${high} packages with a vulnerability of severity high (${names.join(', ')}): bring them up to date, then run the command again.`,
  );
}

/** @param {string} output @returns {any} */
function reportIn(output) {
  const [start, end] = [output.indexOf('{'), output.lastIndexOf('}')];
  try {
    return JSON.parse(output.slice(start, end + 1));
  } catch {
    return undefined;
  }
}
