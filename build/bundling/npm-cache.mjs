/** Fills the npm cache of the bundle, from which `npm ci --offline` installs. */

import { npm } from '../setup/npm.mjs';
import { BuildProblem, print, relevantLines } from '../setup/problem.mjs';
import { project, readJson } from '../setup/project.mjs';
import { packagesToBundle } from './packages-to-bundle.ts';

/** The number of packages that one npm process fetches. */
const batchSize = 100;

/** @param {string} folder the cache to create @param {readonly string[]} platforms such as linux-x64 @throws {BuildProblem} */
export async function fillNpmCache(folder, platforms) {
  const names = packagesToBundle(readJson(project('package-lock.json')).packages, platforms);
  print(`Fetching ${names.length} packages for ${platforms.join(', ')}.`);
  for (let at = 0; at < names.length; at += batchSize) {
    const batch = names.slice(at, at + batchSize);
    const { ok, output } = await npm(['cache', 'add', ...batch, '--cache', folder]);
    if (!ok)
      throw new BuildProblem(
        `Packages could not be fetched (${relevantLines(output)}): check that \`npm ping\` reaches a registry, then run the command again.`,
      );
  }
}

/**
 * Returns the URL of the registry. npm's cache keys contain the URL, so the script `offline` of the bundle must set the same URL.
 * @returns {Promise<string>} @throws {BuildProblem} if npm does not print the URL, for example because it contains a password
 */
export async function registryAddress() {
  const { output } = await npm(['config', 'get', 'registry', '--loglevel=error']);
  const address = /^https?:\/\/\S+$/m.exec(output)?.[0];
  if (!address)
    throw new BuildProblem(
      `npm does not print the URL of its registry (${relevantLines(output)}): if it contains a password, move the password to .npmrc as //HOST/:_auth, then run the command again.`,
    );
  // Single quotes enclose the URL in the script `offline`.
  return address.replaceAll("'", '%27');
}
