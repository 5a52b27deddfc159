/** Fills the npm cache of the bundle, from which `npm ci --offline` installs. */

import { npm } from '../setup/npm.mjs';
import { Problem, print, relevantLines } from '../setup/problem.mjs';
import { project, readJson } from '../setup/project.mjs';
import { packagesToBundle } from './packages-to-bundle.ts';

/** The number of packages for each npm process. */
const BATCH_SIZE = 100;

/** @param {string} folder the folder to create @param {readonly string[]} platforms such as linux-x64 */
export async function fillNpmCache(folder, platforms) {
  const names = packagesToBundle(readJson(project('package-lock.json')).packages, platforms);
  print(`Fetching ${names.length} packages for ${platforms.join(', ')}.`);
  for (let at = 0; at < names.length; at += BATCH_SIZE) {
    const batch = names.slice(at, at + BATCH_SIZE);
    const { ok, output } = await npm(['cache', 'add', ...batch, '--cache', folder]);
    if (!ok)
      throw new Problem(
        `Packages could not be fetched (${relevantLines(output)}): check that \`npm ping\` reaches a registry, then run the command again.`,
      );
  }
}

/**
 * Returns the registry URL. npm's cache keys contain it, so the script `offline` of the bundle must set the same URL.
 * @returns {Promise<string>} @throws {Problem} when npm does not print it, because it contains a password
 */
export async function registryAddress() {
  const { output } = await npm(['config', 'get', 'registry', '--loglevel=error']);
  const address = /^https?:\/\/\S+$/m.exec(output)?.[0];
  if (!address)
    throw new Problem(
      `npm does not print the URL of its registry (${relevantLines(output)}): if it contains a password, move the password to .npmrc as //HOST/:_auth, then run the command again.`,
    );
  // The script `offline` puts the URL in single quotes.
  return address.replaceAll("'", '%27');
}
