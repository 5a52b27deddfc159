/** Owns the packages that electron-builder makes: from our stage on Windows and macOS, from our folder on Linux. */

import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { say, tellingLines } from '../setup/problem.mjs';
import { output, project } from '../setup/project.mjs';
import { copyPapers, stageApplication } from './application.mjs';
import { writeBillOfMaterials } from './bill-of-materials.mjs';
import { runElectronBuilder, toolsProblem } from './electron-builder.mjs';
import { fusesFor } from './fuses.ts';
import { installerConfiguration, signingBy } from './installer-configuration.ts';
import { writeNotices } from './notices.mjs';
import { folderOf, versionsOf } from './runtime.mjs';

/** Electron-builder's switch for this platform. */
const PLATFORM = { win32: '--win', darwin: '--mac' }[/** @type {string} */ (process.platform)] ?? '--linux';
/** Made without any tool that is fetched. */
const PLAIN = ['dir'];

/**
 * @typedef {{ version: string, arch: string, electron: { version: string, electron: string }, date: Date }} Facts `electron.electron`:
 * its executable
 */

/**
 * Makes each for itself, so that one that fails leaves the others.
 * @param {string} dist @param {readonly string[]} wanted
 * @param {Facts & { prepackaged?: string }} facts `prepackaged`: the finished folder
 * @returns {Promise<import('./linux.mjs').Result>}
 */
export async function makeInstallers(dist, wanted, { prepackaged, ...facts }) {
  const problem = wanted.every((name) => PLAIN.includes(name)) ? undefined : await toolsProblem();
  const possible = wanted.filter((name) => problem === undefined || PLAIN.includes(name));
  /** @type {import('./linux.mjs').Result} */
  const result = {
    made: [],
    skipped: wanted.filter((name) => !possible.includes(name)).map((name) => `${name}: ${problem}.`),
  };
  if (possible.length === 0) return result;
  const configuration = await writeConfiguration(dist, facts);
  const given = prepackaged ? ['--prepackaged', prepackaged] : [];
  for (const name of possible) {
    say(`Making ${name}.`);
    const before = Date.now();
    const args = [
      PLATFORM,
      name,
      `--${facts.arch}`,
      '--config',
      configuration,
      ...given,
      '--publish',
      'never',
    ];
    const { ok, output } = await runElectronBuilder(args);
    if (ok) result.made.push(...madeSince(dist, before));
    else result.skipped.push(`${name}: electron-builder made none (${tellingLines(output)}).`);
  }
  return result;
}

/** @param {string} dist @param {number} moment @returns {string[]} */
function madeSince(dist, moment) {
  return readdirSync(dist)
    .filter((name) => !/^builder-|\.ya?ml$|^SHA256SUMS$/.test(name))
    .map((name) => path.join(dist, name))
    .filter((place) => statSync(place).ctimeMs >= moment);
}

/** @param {string} dist @param {Facts} facts @returns {Promise<string>} the file */
async function writeConfiguration(dist, { electron, arch, date }) {
  const stage = stageApplication({ platform: process.platform, arch });
  const papers = output('packaging', 'papers');
  mkdirSync(papers);
  copyPapers(papers);
  const made = { shipped: stage.shipped, versions: versionsOf(electron.electron), files: [], date };
  writeNotices(papers, await writeBillOfMaterials(papers, made));
  const configuration = installerConfiguration({
    electronVersion: electron.version,
    // Of another processor it is fetched (ELECTRON_MIRROR).
    electronDist: arch === process.arch ? folderOf(electron.electron) : undefined,
    ...signingBy(process.env),
    fuses: fusesFor(process.platform),
    places: {
      ...{ app: stage.app, modules: stage.modules, papers, output: dist },
      icons: project('build', 'icons'),
      own: project('build', 'packaging'),
    },
  });
  const file = output('packaging', 'electron-builder.json');
  writeFileSync(file, JSON.stringify(configuration, null, 2));
  return file;
}
