/** Collects the files of the packaged application: the compiled code, the user interface, and the npm packages that they need. */

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

/** The folder of the start scripts, which are copied into the packages. */
export const FILES = project('build', 'packaging', 'files');
/** Matches paths that are not needed at run time. */
const unwanted = /\.(md|map|d\.[cm]?ts|ts|cc|h|gyp)$|\/(docs|test|tests|scripts|src|install|\.bin)$/i;
/** Matches the builds of PDFium for browsers and workers, 7 MB. */
const unusedPdfium =
  /[\\/]@hyzyla[\\/]pdfium[\\/]dist[\\/](index\.(cjs|esm\.)|worker\.bundle\.js|pdfium\.wasm\.base64)/;
/** Matches native code, which cannot be loaded from app.asar. */
export const UNPACKED = '*.{node,so,dylib,dll}';

/**
 * The contents of app.asar, collected in two folders of .build/packaging: `app`, and `modules` for the npm packages, because
 * electron-builder ignores a folder named node_modules. `shipped`: the names of the packages in `modules`.
 * @typedef {{ app: string, modules: string, shipped: string[] }} Stage
 */

/** @param {{ platform: NodeJS.Platform, arch: string }} kind of machine @returns {Stage} */
export function stageApplication({ platform, arch }) {
  const app = output('packaging', 'app');
  const modules = output('packaging', 'modules');
  rmSync(output('packaging'), { recursive: true, force: true });
  mkdirSync(path.join(app, '.build'), { recursive: true });
  mkdirSync(modules);
  for (const name of readdirSync(output()).filter(isCompiled))
    copyFileSync(output(name), path.join(app, '.build', name));
  cpSync(output('renderer'), path.join(app, '.build', 'renderer'), { recursive: true });
  for (const folder of ['tray', 'invoice-schemas', 'fonts'])
    cpSync(output(folder), path.join(app, '.build', folder), { recursive: true });
  // sharp loads its WebAssembly build by package name.
  const shipped = packagesToShip([...EXTERNAL, '@img/sharp-wasm32'], {
    lock: readJson(project('package-lock.json')).packages,
    platform,
    arch,
    isInstalled: (name) => existsSync(project('node_modules', name)),
  });
  for (const name of shipped) copyPackage(name, path.join(modules, name), { platform, arch });
  for (const name of ['launcher.cjs', 'start.cjs'])
    copyFileSync(path.join(FILES, name), path.join(app, name));
  writeFileSync(path.join(app, 'package.json'), JSON.stringify(description(), null, 2));
  return { app, modules, shipped };
}

/** Creates app.asar, and copies the start script and the documentation. @param {Stage} stage @param {string} target */
export async function packApplication({ app, modules }, target) {
  renameSync(modules, path.join(app, 'node_modules'));
  await createPackageWithOptions(app, path.join(target, 'runtime', 'resources', 'app.asar'), {
    unpack: UNPACKED,
  });
  rmSync(output('packaging'), { recursive: true });
  copyDocumentation(target);
  copyFileSync(path.join(FILES, 'platen'), path.join(target, 'platen'));
  chmodSync(path.join(target, 'platen'), 0o755);
}

/** Copies the documentation, except docs/decisions. @param {string} target */
export function copyDocumentation(target) {
  for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'])
    copyFileSync(project(name), path.join(target, name));
  const decisions = project('docs', 'decisions');
  cpSync(project('docs'), path.join(target, 'docs'), {
    recursive: true,
    filter: (file) => file !== decisions,
  });
}

/**
 * Returns whether a file in .build/ belongs to the application. The engine test suite writes its bundle to the same folder.
 * @param {string} name
 */
function isCompiled(name) {
  return /\.(cjs|css)$/.test(name) && name !== 'engine-tests.cjs';
}

function description() {
  const { name, version, description: text, license } = readJson(project('package.json'));
  return { name, productName: 'Platen', version, description: text, license, main: 'start.cjs' };
}

/** @param {string} name @param {string} to @param {{ platform: NodeJS.Platform, arch: string }} kind */
function copyPackage(name, to, kind) {
  const from = project('node_modules', name);
  const nested = path.join(from, 'node_modules');
  cpSync(from, to, {
    recursive: true,
    dereference: true,
    filter: (file) => file === from || (file !== nested && !isUnneeded(file) && !isForeign(file, kind)),
  });
}

/** @param {string} file */
function isUnneeded(file) {
  return unwanted.test(file) || unusedPdfium.test(file);
}

/**
 * Returns whether the file is a native build for another platform, processor or C library.
 * @param {string} file @param {{ platform: NodeJS.Platform, arch: string }} kind
 */
function isForeign(file, { platform, arch }) {
  const built = /[\\/]prebuilds[\\/]([^\\/]+)/.exec(file)?.[1];
  if (!built) return false;
  return built !== `${platform}-${arch}` || (usesGlibc() && /musl/.test(path.basename(file)));
}

function usesGlibc() {
  const { header } = /** @type {any} */ (process.report.getReport());
  return Boolean(header.glibcVersionRuntime);
}
