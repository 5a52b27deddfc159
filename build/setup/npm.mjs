/** Runs npm without prompts, and returns its output. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { onExit } from './on-exit.mjs';
import { project } from './project.mjs';

/**
 * Two retries within about 10 s. With npm's default retries, a failure is reported only after a minute if the registry is
 * unreachable.
 */
const retryOptions = ['--fetch-retries=2', '--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=8000'];

/**
 * Runs npm in the project, so that the registry settings of the user and the project apply.
 * @param {string[]} args
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export function npm(args) {
  const { file, first, shell } = command();
  const child = spawn(file, [...first, ...args, ...retryOptions], {
    cwd: project(),
    shell,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const removeHook = onExit(() => child.kill());
  return new Promise((resolve) => {
    let output = '';
    const end = (/** @type {boolean} */ ok) => (removeHook(), resolve({ ok, output }));
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => ((output += `npm cannot be started: ${error.message}\n`), end(false)));
    child.on('close', (code) => end(code === 0));
  });
}

/**
 * Returns how to run npm: its script with this Node.js if possible, because `npm.cmd` would need a shell. Prefers the npm that
 * started this process.
 */
function command() {
  const script = [process.env.npm_execpath ?? '', ...npmNextToNode()].find(
    (file) => path.basename(file) === 'npm-cli.js' && existsSync(file),
  );
  if (script) return { file: process.execPath, first: [script], shell: false };
  return { file: 'npm', first: [], shell: process.platform === 'win32' };
}

function npmNextToNode() {
  const folder = path.dirname(process.execPath);
  const inside = path.join('node_modules', 'npm', 'bin', 'npm-cli.js');
  return [path.join(folder, inside), path.join(folder, '..', 'lib', inside)];
}
