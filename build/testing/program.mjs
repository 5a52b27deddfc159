/** Runs one test program with a time limit, ends it with this process, and filters its noise. */

import { spawn } from 'node:child_process';
import readline from 'node:readline';
import { whenEnding } from '../setup/ending.mjs';
import { say } from '../setup/problem.mjs';
import { project } from '../setup/project.mjs';

/** Chromium reports D-Bus errors on every machine without a desktop. */
const NOISE = /\bbus\.cc\(|object_proxy\.cc/;

/**
 * @param {{ file: string, args: string[], env: NodeJS.ProcessEnv, minutes: number, name: string }} program
 * @returns {Promise<number>} the exit code; 1 if the program was killed
 */
export function runProgram({ file, args, env, minutes, name }) {
  // A separate process group, so that its children end with it.
  const child = spawn(file, args, {
    cwd: project(),
    env,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const forget = whenEnding(() => kill(child));
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    say(
      `The ${name} tests did not end within ${minutes} minutes and were killed: the last test above, or the one after it, hangs.`,
    );
    kill(child);
  }, minutes * 60_000);
  readline.createInterface({ input: child.stderr }).on('line', (line) => NOISE.test(line) || say(line));
  return new Promise((resolve, reject) => {
    const end = () => (clearTimeout(timer), forget());
    child.on('error', (error) => (end(), reject(error)));
    child.on('exit', (code, signal) => {
      end();
      if (signal && !timedOut)
        say(`The ${name} tests were ended by ${signal}: the last test above, or the one after it, crashes.`);
      kill(child);
      resolve(code ?? 1);
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
