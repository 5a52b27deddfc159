/** `npm run dist [-- PACKAGE ...] [--arch ARCH]`: writes installable packages to dist/, with bills of materials and checksums. */

import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { auditDependencies } from './packaging/audit.mjs';
import { writeSums } from './packaging/checksums.mjs';
import { makeInstallers } from './packaging/installers.mjs';
import { makeArchives, makeFolder } from './packaging/linux.mjs';
import { sourceDate } from './packaging/source-date.mjs';
import { sizeOf } from './packaging/tar-gz.mjs';
import { packagesWithoutElectronBuilder, readTargets } from './packaging/targets.ts';
import { chosenRuntime } from './setup/electron-runtime.mjs';
import { explain, BuildProblem, print } from './setup/problem.mjs';
import { project, readJson } from './setup/project.mjs';

const distFolder = project('dist');

try {
  await dist(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${explain(error, 'The package build')}\n`);
  process.exitCode = 1;
}

/** @param {string[]} words */
async function dist(words) {
  // Every user must be able to read the installed files, whatever the umask of the build.
  process.umask(0o022);
  const { packages, arch } = readArguments(words);
  const chosen = chosenRuntime();
  if (!chosen) throw new BuildProblem('Electron is not installed yet: run `node build/bootstrap.mjs`.');
  print(await auditDependencies());
  mkdirSync(distFolder, { recursive: true });
  const { version } = readJson(project('package.json'));
  const facts = { version, arch, electron: chosen, date: sourceDate() };
  const { made, skipped } = await (process.platform === 'linux' ? onLinux : elsewhere)(packages, facts);
  await writeSums(distFolder, version);
  for (const place of made) print(`${megabytes(place).padStart(7)} MB  ${place}`);
  for (const sentence of skipped) print(`Skipped ${sentence}`);
  if (made.length === 0) throw new BuildProblem('No package was built: fix the problems in the lines above.');
}

/** @param {string[]} words */
function readArguments(words) {
  try {
    return readTargets({ words, platform: process.platform, arch: process.arch });
  } catch (/** @type {any} */ error) {
    throw new BuildProblem(error.message);
  }
}

/** @param {readonly string[]} packages @param {import('./packaging/installers.mjs').Facts} facts */
async function onLinux(packages, facts) {
  const name = `platen-${facts.version}-${process.platform}-${facts.arch}`;
  const target = await makeFolder(path.join(distFolder, name), facts);
  const archives = await makeArchives(target, packages, facts);
  const others = packages.filter((name) => !packagesWithoutElectronBuilder.includes(name));
  const installers = await makeInstallers(distFolder, others, { ...facts, prepackaged: target });
  return {
    made: [target, ...archives.made, ...installers.made],
    skipped: [...archives.skipped, ...installers.skipped],
  };
}

/** @param {readonly string[]} packages @param {import('./packaging/installers.mjs').Facts} facts */
function elsewhere(packages, facts) {
  return makeInstallers(distFolder, packages, facts);
}

/** @param {string} place */
function megabytes(place) {
  const facts = statSync(place);
  return ((facts.isDirectory() ? sizeOf(place) : facts.size) / 1e6).toFixed(1);
}
