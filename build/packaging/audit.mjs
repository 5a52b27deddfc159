/** Checks the shipped packages for known vulnerabilities. */

import { npm } from '../setup/npm.mjs';
import { BuildProblem } from '../setup/problem.mjs';
import { auditResult } from './audit-result.ts';

/**
 * Queries the registry even if npm is configured as offline, because an offline audit reports nothing.
 * @returns {Promise<string>} a message with the result, or with the reason why there is no result
 * @throws {BuildProblem} if the severity of a vulnerability is high or critical
 */
export async function auditDependencies() {
  const { output } = await npm(['audit', '--omit=dev', '--json', '--offline=false']);
  const { ok, sentence } = auditResult(output);
  if (!ok) throw new BuildProblem(`${sentence}; update these packages, then run the command again.`);
  return sentence;
}
