/** Owns the question whether a package that goes along has a known vulnerability. */

import { npm } from '../setup/npm.mjs';
import { Problem } from '../setup/problem.mjs';
import { auditResult } from './audit-result.ts';

/**
 * Asks the registry, offline or not: an npm that asks nobody finds nothing.
 * @returns {Promise<string>} one sentence with the result, also when it gave none
 * @throws {Problem} when there is one of severity high or critical
 */
export async function auditDependencies() {
  const { output } = await npm(['audit', '--omit=dev', '--json', '--offline=false']);
  const { ok, sentence } = auditResult(output);
  if (!ok) throw new Problem(`${sentence}; bring them up to date, then run the command again.`);
  return sentence;
}
