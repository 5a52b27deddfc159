/** Selects the Electron to use: the one in PLATEN_ELECTRON_DIST, the official release, or the one in an npm package. */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { canInstallOfficial, installedOfficial, installOfficial } from './official-runtime.mjs';
import { packagedRuntime, canUsePackagedRuntime } from './packaged-runtime.mjs';
import { BuildProblem } from './problem.mjs';
import { output, pinnedElectron, readJson } from './project.mjs';

/** The path of the executable in an unpacked Electron, by platform. */
const executable =
  { win32: 'electron.exe', darwin: 'Electron.app/Contents/MacOS/Electron' }[process.platform] ?? 'electron';
const record = output('runtime.json');

/**
 * `electron`: the path of the executable; `choice`: the inputs of the selection.
 * @typedef {{ electron: string, version: string, source: RuntimeSource, choice: string }} SelectedRuntime
 * @typedef {'PLATEN_ELECTRON_DIST' | 'official' | 'packaged'} RuntimeSource
 */

/** @type {import('./set-up.mjs').Step} */
export const electronRuntime = {
  ready() {
    const runtime = chosenRuntime();
    if (!runtime || runtime.choice !== choice() || !existsSync(runtime.electron)) return false;
    return runtime.source !== 'packaged' || !installedOfficial(executable);
  },
  async run() {
    const { dist, source } = await choose();
    const electron = path.join(dist, executable);
    const runtime = { electron, version: versionOf(dist, electron), source, choice: choice() };
    writeFileSync(record, `${JSON.stringify(runtime, null, 2)}\n`);
  },
};

/** Returns the selected Electron, or undefined before the set-up. @returns {SelectedRuntime | undefined} */
export function chosenRuntime() {
  return readJson(record);
}

/** Returns all inputs of the selection as text. If one of them changes, Electron is selected again. */
function choice() {
  const { PLATEN_ELECTRON_DIST, ELECTRON_MIRROR } = process.env;
  return JSON.stringify([PLATEN_ELECTRON_DIST, pinnedElectron(), canInstallOfficial() && [ELECTRON_MIRROR]]);
}

/** @returns {Promise<{ dist: string, source: SelectedRuntime['source'] }>} */
async function choose() {
  if (process.env.PLATEN_ELECTRON_DIST)
    return { dist: namedRuntime(process.env.PLATEN_ELECTRON_DIST), source: 'PLATEN_ELECTRON_DIST' };
  const official = installedOfficial(executable) ?? (await installOfficial(executable));
  if (official) return { dist: official, source: 'official' };
  if (canUsePackagedRuntime()) return { dist: await packagedRuntime(), source: 'packaged' };
  const node = canInstallOfficial() ? '' : 'use Node.js 22.12 or newer so that Electron can be downloaded, ';
  throw new BuildProblem(
    `No Electron for ${process.platform} ${process.arch} is available: ${node}set ELECTRON_MIRROR to the URL of a mirror of its releases, or PLATEN_ELECTRON_DIST to a folder with an unpacked Electron, then run the command again.`,
  );
}

/** @param {string} folder */
function namedRuntime(folder) {
  const dist = path.resolve(folder);
  if (existsSync(path.join(dist, executable))) return dist;
  throw new BuildProblem(
    `PLATEN_ELECTRON_DIST names ${dist}, which does not contain ${executable}: set it to a folder with an unpacked Electron, or unset it.`,
  );
}

/** @param {string} dist @param {string} electron */
function versionOf(dist, electron) {
  const file = path.join(dist, 'version');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim().replace(/^v/, '');
  try {
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
    return execFileSync(electron, ['-p', 'process.versions.electron'], {
      env,
      encoding: 'utf8',
      timeout: 20_000,
      stdio: 'pipe',
    }).trim();
  } catch {
    // A later step may install the libraries that Electron needs. The service logs the version when it starts.
    return 'unknown';
  }
}
