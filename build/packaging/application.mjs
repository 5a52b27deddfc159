/** Owns what of the project is in the packaged application: the compiled files, the user interface, packages they find beside them. */

import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createPackageWithOptions } from '@electron/asar';
import { EXTERNAL } from '../setup/compile.mjs';
import { output, project, readJson } from '../setup/project.mjs';
import { packagesToShip } from './packages-to-ship.ts';

const OWN = project('build', 'packaging', 'files');
/** Needed by nobody at run time. */
const UNWANTED = /\.(md|map|d\.[cm]?ts|ts|cc|h|gyp)$|\/(docs|test|tests|scripts|src|install|\.bin)$/i;
/** Native code must be files of the disk. */
const UNPACKED = '*.{node,so,dylib,dll}';

/** @param {string} target @returns {Promise<string[]>} the packages that went along, by name */
export async function packApplication(target) {
  const staging = output('packaging');
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(path.join(staging, '.build'), { recursive: true });
  for (const name of readdirSync(output()).filter(isCompiled))
    copyFileSync(output(name), path.join(staging, '.build', name));
  cpSync(output('renderer'), path.join(staging, '.build', 'renderer'), { recursive: true });
  const shipped = packagesToShip(
    // sharp finds its WebAssembly build by name.
    [...EXTERNAL, '@img/sharp-wasm32'],
    {
      lock: readJson(project('package-lock.json')).packages,
      platform: process.platform,
      isInstalled: (name) => existsSync(project('node_modules', name)),
    },
  );
  for (const name of shipped) copyPackage(name, staging);
  copyFileSync(path.join(OWN, 'launcher.cjs'), path.join(staging, 'launcher.cjs'));
  writeFileSync(path.join(staging, 'package.json'), JSON.stringify(description(), null, 2));
  await createPackageWithOptions(staging, path.join(target, 'runtime', 'resources', 'app.asar'), {
    unpack: UNPACKED,
  });
  rmSync(staging, { recursive: true });
  for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md'])
    copyFileSync(project(name), path.join(target, name));
  copyFileSync(path.join(OWN, 'platen'), path.join(target, 'platen'));
  chmodSync(path.join(target, 'platen'), 0o755);
  return shipped;
}

/** What compile.mjs makes; tests leave bundles of their own there. @param {string} name */
function isCompiled(name) {
  return name.endsWith('.cjs') && name !== 'engine-tests.cjs';
}

function description() {
  const { name, version, description: says, license, main } = readJson(project('package.json'));
  return { name, productName: 'Platen', version, description: says, license, main };
}

/** @param {string} name @param {string} staging */
function copyPackage(name, staging) {
  const from = project('node_modules', name);
  const nested = path.join(from, 'node_modules');
  cpSync(from, path.join(staging, 'node_modules', name), {
    recursive: true,
    dereference: true,
    filter: (file) => file === from || (file !== nested && !UNWANTED.test(file) && !isForeign(file)),
  });
}

/** A native build for another platform, processor or C library. @param {string} file */
function isForeign(file) {
  const built = /[\\/]prebuilds[\\/]([^\\/]+)/.exec(file)?.[1];
  if (!built) return false;
  return built !== `${process.platform}-${process.arch}` || (usesGlibc() && /musl/.test(path.basename(file)));
}

function usesGlibc() {
  const { header } = /** @type {any} */ (process.report.getReport());
  return Boolean(header.glibcVersionRuntime);
}
