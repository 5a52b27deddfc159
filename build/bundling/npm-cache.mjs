/** Fills the npm cache of the bundle, from which `npm ci --offline` installs. */

import { npm } from '../setup/npm.mjs';
import { Problem, say, tellingLines } from '../setup/problem.mjs';
import { project, readJson } from '../setup/project.mjs';
import { packagesToCarry } from './packages-to-carry.ts';

/** The number of packages for each npm process. */
const AT_ONCE = 100;

/** @param {string} folder the folder to create @param {readonly string[]} platforms such as linux-x64 */
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
 * Returns the registry URL that is part of the keys in the npm cache; files of the bundle contain it.
 * @returns {Promise<string>} @throws {Problem} when npm does not print it, because it contains a password
 */
export async function registryAddress() {
  const { output } = await npm(['config', 'get', 'registry', '--loglevel=error']);
  const address = /^https?:\/\/\S+$/m.exec(output)?.[0];
  if (!address)
    throw new Problem(
      `npm does not tell the address of its registry (${tellingLines(output)}): if a password is in it, write that into .npmrc as //HOST/:_auth, then run the command again.`,
    );
  // The program `offline` contains it in quotes.
  return address.replaceAll("'", '%27');
}
