/** Owns what of the project is in the packaged application: the compiled files, the user interface, packages they find beside them. */

import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createPackageWithOptions } from '@electron/asar';
import { EXTERNAL } from '../setup/compile.mjs';
import { output, project, readJson } from '../setup/project.mjs';
import { packagesToShip } from './packages-to-ship.ts';

/** What of packaging is no program of this folder. */
export const FILES = project('build', 'packaging', 'files');
/** Needed by nobody at run time. */
const UNWANTED = /\.(md|map|d\.[cm]?ts|ts|cc|h|gyp)$|\/(docs|test|tests|scripts|src|install|\.bin)$/i;
/** Native code must be files of the disk. */
export const UNPACKED = '*.{node,so,dylib,dll}';

/**
 * What goes into the archive, gathered in .build/packaging. The packages lie apart, because electron-builder leaves out a folder
 * named node_modules.
 * @typedef {{ app: string, modules: string, shipped: string[] }} Stage `shipped`: the packages, by name
 */

/** @param {{ platform: NodeJS.Platform, arch: string }} kind of machine @returns {Stage} */
export function stageApplication({ platform, arch }) {
  const [app, modules] = [output('packaging', 'app'), output('packaging', 'modules')];
  rmSync(output('packaging'), { recursive: true, force: true });
  mkdirSync(path.join(app, '.build'), { recursive: true });
  mkdirSync(modules);
  for (const name of readdirSync(output()).filter(isCompiled))
    copyFileSync(output(name), path.join(app, '.build', name));
  cpSync(output('renderer'), path.join(app, '.build', 'renderer'), { recursive: true });
  // sharp finds its WebAssembly build by name.
  const shipped = packagesToShip([...EXTERNAL, '@img/sharp-wasm32'], {
    lock: readJson(project('package-lock.json')).packages,
    ...{ platform, arch },
    isInstalled: (name) => existsSync(project('node_modules', name)),
  });
  for (const name of shipped) copyPackage(name, path.join(modules, name), { platform, arch });
  for (const name of ['launcher.cjs', 'start.cjs'])
    copyFileSync(path.join(FILES, name), path.join(app, name));
  writeFileSync(path.join(app, 'package.json'), JSON.stringify(description(), null, 2));
  return { app, modules, shipped };
}

/** Makes the archive, and puts beside it what starts it. @param {Stage} stage @param {string} target */
export async function packApplication({ app, modules }, target) {
  renameSync(modules, path.join(app, 'node_modules'));
  await createPackageWithOptions(app, path.join(target, 'runtime', 'resources', 'app.asar'), {
    unpack: UNPACKED,
  });
  rmSync(output('packaging'), { recursive: true });
  copyPapers(target);
  copyFileSync(path.join(FILES, 'platen'), path.join(target, 'platen'));
  chmodSync(path.join(target, 'platen'), 0o755);
}

/** What people read, the pages that README.md names with it. @param {string} target */
export function copyPapers(target) {
  for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'])
    copyFileSync(project(name), path.join(target, name));
  const decisions = project('docs', 'decisions');
  cpSync(project('docs'), path.join(target, 'docs'), {
    recursive: true,
    filter: (file) => file !== decisions,
  });
}

/** What compile.mjs makes; tests leave bundles of their own there. @param {string} name */
function isCompiled(name) {
  return name.endsWith('.cjs') && name !== 'engine-tests.cjs';
}

function description() {
  const { name, version, description: says, license } = readJson(project('package.json'));
  return { name, productName: 'Platen', version, description: says, license, main: 'start.cjs' };
}

/** @param {string} name @param {string} to @param {{ platform: NodeJS.Platform, arch: string }} kind */
function copyPackage(name, to, kind) {
  const from = project('node_modules', name);
  const nested = path.join(from, 'node_modules');
  cpSync(from, to, {
    recursive: true,
    dereference: true,
    filter: (file) => file === from || (file !== nested && !UNWANTED.test(file) && !isForeign(file, kind)),
  });
}

/** A native build for another platform, processor or C library. @param {string} file @param {{ platform: NodeJS.Platform, arch: string }} kind */
function isForeign(file, { platform, arch }) {
  const built = /[\\/]prebuilds[\\/]([^\\/]+)/.exec(file)?.[1];
  if (!built) return false;
  return built !== `${platform}-${arch}` || (usesGlibc() && /musl/.test(path.basename(file)));
}

function usesGlibc() {
  const { header } = /** @type {any} */ (process.report.getReport());
  return Boolean(header.glibcVersionRuntime);
}
