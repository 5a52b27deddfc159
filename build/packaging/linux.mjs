/**
 * Builds the Linux packages for which electron-builder is not needed: the application folder, the .tar.gz archive, the Debian
 * package.
 */

import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { print } from '../setup/problem.mjs';
import { packApplication, stageApplication } from './application.mjs';
import { writeBillOfMaterials } from './bill-of-materials.mjs';
import { writeChecksums } from './checksums.mjs';
import { debianProblem, writeDebianPackage } from './debian.mjs';
import { writeNotices } from './notices.mjs';
import { copyRuntime, EXECUTABLE, folderOf, verifyFuses, versionsOf } from './runtime.mjs';
import { setDates, makeReadable, writeTarGz } from './tar-gz.mjs';
import { smokeTestArchive } from './smoke-test-archive.mjs';
import { smokeTest } from './smoke-test.mjs';

/**
 * @typedef {import('./installers.mjs').Facts} Facts
 * `made`: the paths of the built files and folders; `skipped`: a message for each package that was not built, with the reason.
 * @typedef {{ made: string[], skipped: string[] }} PackagingResult
 */

/**
 * Builds and tests the application folder, which all other packages contain.
 * @param {string} target @param {Facts} facts @returns {Promise<string>} the target
 */
export async function makeFolder(target, { electron, date }) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  print('Packing the application.');
  const executable = await copyRuntime(folderOf(electron.electron), target);
  const stage = stageApplication({ platform: process.platform, arch: process.arch });
  await packApplication(stage, target);
  await verifyFuses(executable);
  const files = ['resources/app.asar', EXECUTABLE].map((file) => `runtime/${file}`);
  const made = { shipped: stage.shipped, versions: versionsOf(executable), files, date };
  const bill = await writeBillOfMaterials(target, made);
  writeNotices(target, bill);
  await writeChecksums(target);
  makeReadable(target);
  setDates(target, date);
  print('Testing the packaged application.');
  await smokeTest(target);
  return target;
}

/**
 * Builds the requested packages from the application folder, and copies the bill of materials next to them.
 * @param {string} target the application folder
 * @param {readonly string[]} requested @param {Facts} facts @returns {Promise<PackagingResult>}
 */
export async function makeArchives(target, requested, { date }) {
  /** @type {PackagingResult} */
  const result = { made: [], skipped: [] };
  if (requested.includes('tar.gz')) {
    print('Making the archive.');
    await writeTarGz(target, `${target}.tar.gz`);
    print('Testing the unpacked archive as another user.');
    await smokeTestArchive(`${target}.tar.gz`);
    result.made.push(`${target}.tar.gz`);
  }
  if (requested.includes('deb')) {
    const problem = debianProblem();
    if (problem !== undefined) result.skipped.push(`deb: ${problem}.`);
    else {
      print('Making the Debian package.');
      result.made.push(writeDebianPackage(target, { date }));
    }
  }
  copyFileSync(path.join(target, 'sbom.cdx.json'), `${target}.sbom.cdx.json`);
  result.made.push(`${target}.sbom.cdx.json`);
  return result;
}
