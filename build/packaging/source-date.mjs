/** Determines the timestamp of all packaged files, so that the same sources always produce identical archives. */

import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { project } from '../setup/project.mjs';

/**
 * Returns SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs/source-date-epoch/) if it is set, or else the time of the last
 * commit, or, without a git history, the modification time of package.json.
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
