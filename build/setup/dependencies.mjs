/** Installs the packages in package-lock.json when the file changes. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { npm } from './npm.mjs';
import { BuildProblem, print, relevantLines } from './problem.mjs';
import { project, readJson } from './project.mjs';

const stamp = project('node_modules', '.platen-lock');

/** @type {import('./set-up.mjs').Step} */
export const dependencies = {
  ready: () => existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash(),
  async run() {
    if (!installedByHand()) await install();
    writeFileSync(stamp, lockHash());
  },
};

function lockHash() {
  if (!existsSync(project('package-lock.json')))
    throw new BuildProblem('package-lock.json is missing: restore it with `git checkout package-lock.json`.');
  return createHash('sha256')
    .update(readFileSync(project('package-lock.json')))
    .digest('hex');
}

/** Returns whether npm's record lists all packages of the lock file as installed, for example because the user ran `npm ci`. */
function installedByHand() {
  const locked = readJson(project('package-lock.json'))?.packages;
  const present = readJson(project('node_modules', '.package-lock.json'))?.packages;
  if (!locked || !present) return false;
  return Object.entries(locked).every(([place, { version, optional, devOptional }]) => {
    if (place === '') return true;
    if (!present[place]) return Boolean(optional ?? devOptional);
    return present[place].version === version && existsSync(project(place));
  });
}

async function install() {
  print('Installing the packages in package-lock.json (npm ci).');
  const args = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  const { ok, output } = await npm([...args, '--no-progress']);
  if (ok) return;
  print(relevantLines(output));
  throw new BuildProblem(
    'The packages could not be installed: check that `npm ping` reaches a registry (`npm config set registry <URL>` sets another), then run `npm ci --ignore-scripts --include=dev`.',
  );
}
