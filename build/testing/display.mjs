/** Starts an X server (Xvfb) on Linux if there is no display. */

import { spawn } from 'node:child_process';
import { onExit } from '../setup/on-exit.mjs';
import { BuildProblem } from '../setup/problem.mjs';

const args = ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'];

/**
 * Resolves with the environment variables for a program that needs a display. `close` ends the X server if one was started.
 * @returns {Promise<{ env: NodeJS.ProcessEnv, close(): void }>} @throws {BuildProblem} if Xvfb does not start
 */
export async function openDisplay() {
  if (process.platform !== 'linux' || process.env.DISPLAY) return { env: process.env, close: () => {} };
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const removeHook = onExit(() => server.kill());
  const number = await displayNumber(server);
  const close = () => (removeHook(), server.kill());
  return { env: { ...process.env, DISPLAY: `:${number}` }, close };
}

/** @param {import('node:child_process').ChildProcess} server @returns {Promise<string>} */
function displayNumber(server) {
  return new Promise((resolve, reject) => {
    const fail = () =>
      reject(
        new BuildProblem(
          'Xvfb does not start: run `node build/bootstrap.mjs --with-tests`, then `Xvfb :99` to see the error.',
        ),
      );
    let text = '';
    server.stdio[3]?.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.trim());
    });
    server.on('error', fail).on('exit', fail);
  });
}
