/** Owns the npm cache in the bundle, out of which `npm ci --offline` installs. */

import { npm } from '../setup/npm.mjs';
import { Problem, say, tellingLines } from '../setup/problem.mjs';
import { project, readJson } from '../setup/project.mjs';
import { packagesToCarry } from './packages-to-carry.ts';

/** Packages that one npm fetches. */
const AT_ONCE = 100;

/** @param {string} folder to make @param {readonly string[]} platforms as linux-x64 */
export async function fillNpmCache(folder, platforms) {
  const names = packagesToCarry(readJson(project('package-lock.json')).packages, platforms);
  say(`Fetching ${names.length} packages for ${platforms.join(', ')}.`);
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    const { ok, output } = await npm(['cache', 'add', ...some, '--cache', folder]);
    if (!ok)
      throw new Problem(
        `Packages could not be fetched (${tellingLines(output)}): see that \`npm ping\` reaches a registry, then run the command again.`,
      );
  }
}

/**
 * The address by whose name the cache keeps what it holds; it stands in files of the bundle.
 * @returns {Promise<string>} @throws {Problem} when npm tells none, as for one that holds a password
 */
export async function registryAddress() {
  const { output } = await npm(['config', 'get', 'registry', '--loglevel=error']);
  const address = /^https?:\/\/\S+$/m.exec(output)?.[0];
  if (!address)
    throw new Problem(
      `npm does not tell the address of its registry (${tellingLines(output)}): if a password is in it, write that into .npmrc as //HOST/:_auth, then run the command again.`,
    );
  // In the program `offline` it stands in quotes.
  return address.replaceAll("'", '%27');
}
