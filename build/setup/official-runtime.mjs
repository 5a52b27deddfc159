/** Installs the official Electron with the installer of the `electron` package. */

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { onExit } from './on-exit.mjs';
import { print } from './problem.mjs';
import { nodeIsAtLeast, output, pinnedElectron, project } from './project.mjs';

const packageFolder = project('node_modules', 'electron');
const distFolder = path.join(packageFolder, 'dist');
const stallTimeoutMs = 15_000;

/** Returns whether this Node.js has the minimum version that the installer requires. */
export function canInstallOfficial() {
  return nodeIsAtLeast(22, 12);
}

/**
 * Returns the folder of the official Electron if the version in package.json is installed, or undefined.
 * @param {string} executable @returns {string | undefined}
 */
export function installedOfficial(executable) {
  const file = path.join(distFolder, 'version');
  if (!existsSync(file) || !existsSync(path.join(distFolder, executable))) return undefined;
  return readFileSync(file, 'utf8').trim().replace(/^v/, '') === pinnedElectron() ? distFolder : undefined;
}

/**
 * Downloads the official Electron, or copies it from the installer's cache.
 * @param {string} executable @returns {Promise<string | undefined>} the folder, or undefined if Electron is not available
 */
export async function installOfficial(executable) {
  if (!canInstallOfficial()) return undefined;
  print(`Fetching Electron ${pinnedElectron()} (official release).`);
  mkdirSync(output(), { recursive: true });
  const scratch = mkdtempSync(output('electron-download-'));
  const removeHook = onExit(() => rmSync(scratch, { recursive: true, force: true }));
  const problem = await runInstaller(scratch);
  removeHook();
  rmSync(scratch, { recursive: true, force: true });
  const dist = installedOfficial(executable);
  if (!dist)
    print(
      `The official Electron ${pinnedElectron()} is not available here (${problem || 'it was not unpacked'}).`,
    );
  return dist;
}

/**
 * @param {string} scratch the temporary folder of the installer, whose growing size shows progress
 * @returns {Promise<string>} the reason for a failure, or ''
 */
function runInstaller(scratch) {
  const env = { ...process.env, TMPDIR: scratch, TEMP: scratch, TMP: scratch };
  const child = spawn(process.execPath, ['install.js'], {
    cwd: packageFolder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const removeHook = onExit(() => child.kill());
  const watch = watchProgress(
    () => sizeOf(scratch) + sizeOf(distFolder),
    () => child.kill(),
  );
  return new Promise((resolve) => {
    let output = '';
    const end = (/** @type {string} */ problem) => (watch.stop(), removeHook(), resolve(problem));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => end(error.message));
    child.on('close', (code) =>
      end(code === 0 ? '' : watch.gaveUp() ? 'no progress for 15 s' : reason(output)),
    );
  });
}

/** Calls `giveUp` if the measured size does not change for 15 s. @param {() => number} measure @param {() => void} giveUp */
function watchProgress(measure, giveUp) {
  let lastSize = 0;
  let lastChange = Date.now();
  let isStalled = false;
  const timer = setInterval(() => {
    const size = measure();
    if (size !== lastSize) {
      lastSize = size;
      lastChange = Date.now();
    }
    if (Date.now() - lastChange < stallTimeoutMs) return;
    isStalled = true;
    giveUp();
  }, 500);
  return { stop: () => clearInterval(timer), gaveUp: () => isStalled };
}

/** @param {string} folder @returns {number} the total size in bytes, 0 if the folder does not exist */
function sizeOf(folder) {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true })
    .map((name) => statSync(path.join(folder, String(name)), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}

/** Returns the line of the output that contains an error message, or else the first line. @param {string} output */
function reason(output) {
  const line =
    output.split('\n').find((text) => text.includes('Error') && text.includes(':')) ??
    output.trim().split('\n')[0];
  return line.trim() || 'its installer failed';
}
