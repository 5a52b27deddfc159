/** Owns the moment that everything packaged is dated to, so that the same sources make the same archive. */

import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { project } from '../setup/project.mjs';

/**
 * SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs/source-date-epoch/), or when the last commit was made, or in sources
 * without a history what package.json is dated to.
 * @returns {Date}
 */
export function sourceDate() {
  const seconds = process.env.SOURCE_DATE_EPOCH || lastCommit();
  return new Date(seconds ? Number(seconds) * 1000 : Math.floor(statSync(project('package.json')).mtimeMs));
}

function lastCommit() {
  try {
    return execFileSync('git', ['log', '-1', '--format=%ct'], {
      cwd: project(),
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  } catch {
    return '';
  }
}
