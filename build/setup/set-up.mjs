/** Runs the steps of the set-up in order. A lock file prevents two set-ups of a clone at the same time. */

import { mkdirSync } from 'node:fs';
import { compile } from './compile.mjs';
import { dependencies } from './dependencies.mjs';
import { electronRuntime } from './electron-runtime.mjs';
import { userInterface } from './interface.mjs';
import { withLock } from './lock.mjs';
import { explain } from './problem.mjs';
import { output } from './project.mjs';
import { systemLibraries } from './system-libraries.mjs';
import { windowsExec } from './windows-exec.mjs';

/**
 * A step of the set-up. `ready` returns, quickly and without side effects, whether the step is complete; `run` does the work.
 * @typedef {{ dependenciesOnly?: boolean, withTests?: boolean }} SetUpOptions
 * @typedef {{ ready(wanted: SetUpOptions): boolean, run(wanted: SetUpOptions): void | Promise<void> }} Step
 */

/**
 * Runs the steps that are not complete.
 * @param {SetUpOptions} options
 * @throws {import('./problem.mjs').BuildProblem} with a message for the user
 */
export async function setUp(options) {
  const steps = stepsFor(options);
  if (steps.every((step) => step.ready(options))) return;
  mkdirSync(output(), { recursive: true });
  await withLock(output('set-up.lock'), async () => {
    for (const step of steps) {
      if (!step.ready(options)) await step.run(options);
    }
  });
}

/** Runs the set-up. On failure, prints a message and sets exit code 1. @param {SetUpOptions} options */
export async function setUpOrExplain(options) {
  try {
    await setUp(options);
  } catch (error) {
    process.stderr.write(`${explain(error, 'Set-up')}\n`);
    process.exitCode = 1;
  }
}

/** @param {SetUpOptions} options @returns {Step[]} */
function stepsFor(options) {
  if (options.dependenciesOnly) return [dependencies, windowsExec];
  return [dependencies, windowsExec, electronRuntime, systemLibraries, compile, userInterface];
}
