/**
 * Builds packages with electron-builder: on Windows and macOS from the collected files, on Linux from the folder that linux.mjs
 * builds.
 */

import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BuildProblem, print, relevantLines } from '../setup/problem.mjs';
import { output, project } from '../setup/project.mjs';
import { copyDocumentation, stageApplication } from './application.mjs';
import { writeBillOfMaterials } from './bill-of-materials.mjs';
import { runElectronBuilder, toolsProblem } from './electron-builder.mjs';
import { fusesFor } from './fuses.ts';
import { installerConfiguration, signingBy } from './installer-configuration.ts';
import { writeNotices } from './notices.mjs';
import { folderOf, versionsOf } from './runtime.mjs';

/** The command-line option of electron-builder for this platform. */
const platformOption =
  { win32: '--win', darwin: '--mac' }[/** @type {string} */ (process.platform)] ?? '--linux';
/** Package formats that need no downloaded tools. */
const formatsWithoutTools = ['dir'];

/**
 * `electron.electron`: the path of Electron's executable; `date`: the timestamp of all packaged files.
 * @typedef {{ version: string, arch: string, electron: { version: string, electron: string }, date: Date }} Facts
 */

/**
 * Builds each package separately, so that a failure does not affect the other packages.
 * @param {string} dist @param {readonly string[]} requested
 * @param {Facts & { prepackaged?: string }} facts `prepackaged`: the folder of the complete application, on Linux
 * @returns {Promise<import('./linux.mjs').PackagingResult>}
 */
export async function makeInstallers(dist, requested, { prepackaged, ...facts }) {
  const problem = requested.every((name) => formatsWithoutTools.includes(name))
    ? undefined
    : await toolsProblem();
  const possible = requested.filter((name) => problem === undefined || formatsWithoutTools.includes(name));
  /** @type {import('./linux.mjs').PackagingResult} */
  const result = {
    made: [],
    skipped: requested.filter((name) => !possible.includes(name)).map((name) => `${name}: ${problem}.`),
  };
  if (possible.length === 0) return result;
  const configuration = await writeConfiguration(dist, facts);
  const prepackagedArgs = prepackaged ? ['--prepackaged', prepackaged] : [];
  for (const name of possible) {
    print(`Making ${name}.`);
    const before = Date.now();
    const args = [
      platformOption,
      name,
      `--${facts.arch}`,
      '--config',
      configuration,
      ...prepackagedArgs,
      '--publish',
      'never',
    ];
    const { ok, output } = await runElectronBuilder(args);
    // A release must not lack a package, or contain an unsigned one, because the signature failed.
    if (!ok && output.includes('PLATEN_SIGN_COMMAND'))
      throw new BuildProblem(`${name} was not signed: ${signProblem(output)}`);
    if (ok) result.made.push(...madeSince(dist, before));
    else result.skipped.push(`${name}: electron-builder failed (${relevantLines(output)}).`);
  }
  return result;
}

/** Returns the message of sign.cjs in the output of electron-builder, with the output of the command. @param {string} output */
function signProblem(output) {
  const [message = ''] = output.slice(output.indexOf('the command in PLATEN_SIGN_COMMAND')).split(/\n *at /);
  return message.trim();
}

/** Returns the paths of the packages created since the moment. @param {string} dist @param {number} moment @returns {string[]} */
function madeSince(dist, moment) {
  return readdirSync(dist)
    .filter((name) => !/^builder-|\.ya?ml$|^SHA256SUMS$/.test(name))
    .map((name) => path.join(dist, name))
    .filter((place) => statSync(place).ctimeMs >= moment);
}

/** @param {string} dist @param {Facts} facts @returns {Promise<string>} the path of the configuration file */
async function writeConfiguration(dist, { electron, arch, date }) {
  const stage = stageApplication({ platform: process.platform, arch });
  const documents = output('packaging', 'documents');
  mkdirSync(documents);
  copyDocumentation(documents);
  const made = { shipped: stage.shipped, versions: versionsOf(electron.electron), files: [], date };
  writeNotices(documents, await writeBillOfMaterials(documents, made));
  const configuration = installerConfiguration({
    electronVersion: electron.version,
    // For another processor, electron-builder downloads Electron (from ELECTRON_MIRROR if it is set).
    electronDist: arch === process.arch ? folderOf(electron.electron) : undefined,
    ...signingBy(process.env),
    fuses: fusesFor(process.platform),
    paths: {
      app: stage.app,
      modules: stage.modules,
      documents,
      output: dist,
      icons: project('build', 'icons'),
      packaging: project('build', 'packaging'),
    },
  });
  const file = output('packaging', 'electron-builder.json');
  writeFileSync(file, JSON.stringify(configuration, null, 2));
  return file;
}
