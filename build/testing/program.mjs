/** Runs a test program with a time limit, kills it when this process exits, and removes irrelevant messages of Chromium. */

import { spawn } from 'node:child_process';
import readline from 'node:readline';
import { onExit } from '../setup/on-exit.mjs';
import { print } from '../setup/problem.mjs';
import { project } from '../setup/project.mjs';

/** Matches D-Bus errors, which Chromium reports on every machine without a desktop. */
const noise = /\bbus\.cc\(|object_proxy\.cc/;

/**
 * How a test program ended. `code`: its exit code, or 1 if a signal ended it; `problem`: a sentence about a program that was killed
 * or crashed.
 * @typedef {{ code: number, problem?: string }} Ending
 */

/**
 * @param {{ file: string, args: string[], env: NodeJS.ProcessEnv, minutes: number, name: string }} program
 * @returns {Promise<Ending>}
 */
export function runProgram({ file, args, env, minutes, name }) {
  // A process group, so that the child processes of the program are killed as well.
  const child = spawn(file, args, {
    cwd: project(),
    env,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const removeHook = onExit(() => kill(child));
  /** @type {string | undefined} */
  let problem;
  const timer = setTimeout(() => {
    problem = `The ${name} tests did not end within ${minutes} minutes and were killed: the last test above, or the one after it, hangs.`;
    kill(child);
  }, minutes * 60_000);
  readline.createInterface({ input: child.stderr }).on('line', (line) => noise.test(line) || print(line));
  return new Promise((resolve, reject) => {
    const end = () => (clearTimeout(timer), removeHook());
    child.on('error', (error) => (end(), reject(error)));
    child.on('exit', (code, signal) => {
      end();
      if (signal)
        problem ??= `The ${name} tests were ended by ${signal}: the last test above, or the one after it, crashes.`;
      if (problem) print(problem);
      kill(child);
      resolve({ code: code ?? 1, problem });
    });
  });
}

/** @param {import('node:child_process').ChildProcess} child */
function kill(child) {
  try {
    if (process.platform === 'win32' || !child.pid) child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The whole group has ended already.
  }
}
