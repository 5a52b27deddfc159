/** Runs the steps of the set-up in order, one set-up at a time for each clone. */

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
 * A step: `ready` checks quickly and without side effects; `run` does the work.
 * @typedef {{ dependenciesOnly?: boolean, withTests?: boolean }} SetUpOptions
 * @typedef {{ ready(wanted: SetUpOptions): boolean, run(wanted: SetUpOptions): void | Promise<void> }} Step
 */

/**
 * Runs the steps that are not ready.
 * @param {SetUpOptions} options
 * @throws {import('./problem.mjs').Problem} with one sentence for the user
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

/** Runs the set-up; on failure, prints one sentence and sets exit code 1. @param {SetUpOptions} options */
export async function setUpOrExplain(options) {
  try {
    await setUp(options);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

/** @param {SetUpOptions} options @returns {Step[]} */
function stepsFor(options) {
  if (options.dependenciesOnly) return [dependencies, windowsExec];
  return [dependencies, windowsExec, electronRuntime, systemLibraries, compile, userInterface];
}
