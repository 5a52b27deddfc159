/** Copies the committed sources into the bundle, with `git archive`. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar';
import { BuildProblem, print } from '../setup/problem.mjs';
import { project } from '../setup/project.mjs';

/** @param {string} target */
export async function copySources(target) {
  warnAboutChanges();
  mkdirSync(target, { recursive: true });
  const git = spawn('git', ['archive', '--format=tar', 'HEAD'], {
    cwd: project(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(git, 'close');
  await pipeline(git.stdout, extract({ cwd: target }));
  const [code] = await ended;
  if (code !== 0)
    throw new BuildProblem('git archive failed: fix the problem above, then run the command again.');
}

function warnAboutChanges() {
  try {
    const args = ['status', '--porcelain', '--untracked-files=no'];
    const changed = execFileSync('git', args, { cwd: project(), encoding: 'utf8', stdio: 'pipe' });
    if (changed.trim()) print('The bundle does not contain uncommitted changes.');
  } catch {
    throw new BuildProblem(
      'The bundle contains the committed sources, but git does not find a repository here: run the command in a clone, with git installed.',
    );
  }
}
