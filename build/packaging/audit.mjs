/** Checks the shipped packages for known vulnerabilities. */

import { npm } from '../setup/npm.mjs';
import { Problem } from '../setup/problem.mjs';
import { auditResult } from './audit-result.ts';

/**
 * Asks the registry, also when npm is set to offline: an offline audit reports nothing.
 * @returns {Promise<string>} one sentence with the result, or with the reason why there is none
 * @throws {Problem} when a vulnerability is high or critical
 */
export async function auditDependencies() {
  const { output } = await npm(['audit', '--omit=dev', '--json', '--offline=false']);
  const { ok, sentence } = auditResult(output);
  if (!ok) throw new Problem(`${sentence}; bring them up to date, then run the command again.`);
  return sentence;
}
