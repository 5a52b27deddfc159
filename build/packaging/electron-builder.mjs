/** Runs electron-builder, and installs it once per user from a separate lock file. */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onExit } from '../setup/on-exit.mjs';
import { npm } from '../setup/npm.mjs';
import { BuildProblem, print, relevantLines } from '../setup/problem.mjs';
import { project } from '../setup/project.mjs';

const lockFolder = project('build', 'packaging', 'electron-builder');
const defaultMirror = 'https://github.com/electron-userland/electron-builder-binaries/releases/download/';

/**
 * Returns the reason why the tools for installers cannot be downloaded, or undefined if they can. Without this check,
 * electron-builder retries for minutes before it fails.
 * @returns {Promise<string | undefined>}
 */
export async function toolsProblem() {
  const { ELECTRON_BUILDER_BINARIES_MIRROR, NPM_CONFIG_ELECTRON_BUILDER_BINARIES_MIRROR } = process.env;
  const mirror =
    ELECTRON_BUILDER_BINARIES_MIRROR || NPM_CONFIG_ELECTRON_BUILDER_BINARIES_MIRROR || defaultMirror;
  try {
    await fetch(mirror, { method: 'HEAD', signal: AbortSignal.timeout(5000) });
    return undefined;
  } catch (/** @type {any} */ error) {
    const why = error.cause?.code ?? error.cause?.message ?? error.message;
    return `electron-builder's tools cannot be fetched from ${mirror} (${why}); set ELECTRON_BUILDER_BINARIES_MIRROR to the URL of a mirror`;
  }
}

/** @param {string[]} args @returns {Promise<{ ok: boolean, output: string }>} */
export async function runElectronBuilder(args) {
  const program = path.join(await installed(), 'node_modules', 'electron-builder', 'cli.js');
  const child = spawn(process.execPath, [program, ...args], {
    cwd: project(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const removeHook = onExit(() => child.kill());
  return new Promise((resolve) => {
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => ((output += error.message), removeHook(), resolve({ ok: false, output })));
    child.on('close', (code) => (removeHook(), resolve({ ok: code === 0, output })));
  });
}

/**
 * Installs electron-builder if necessary. Only packaging needs its 300 packages, so they are not in the project's lock file.
 * @returns {Promise<string>} the folder of the installation
 */
async function installed() {
  const lock = readFileSync(path.join(lockFolder, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 8);
  const folder = path.join(cacheFolder(), `electron-builder-${hash}`);
  const done = path.join(folder, 'complete');
  if (existsSync(done)) return folder;
  print('Fetching electron-builder from the package registry (once per user).');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(path.join(lockFolder, name), path.join(folder, name));
  const { ok, output } = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder]);
  if (!ok)
    throw new BuildProblem(
      `electron-builder could not be fetched (${relevantLines(output)}): check that \`npm ping\` reaches a registry, then run the command again.`,
    );
  writeFileSync(done, '');
  return folder;
}

function cacheFolder() {
  return path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'platen');
}
