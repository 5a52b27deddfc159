/** Owns the order of the set-up's steps, and that only one set-up at a time works on a clone. */

import { mkdirSync } from 'node:fs';
import { compile } from './compile.mjs';
import { dependencies } from './dependencies.mjs';
import { electronRuntime } from './electron-runtime.mjs';
import { userInterface } from './interface.mjs';
import { exclusively } from './lock.mjs';
import { explain } from './problem.mjs';
import { output } from './project.mjs';
import { systemLibraries } from './system-libraries.mjs';
import { windowsExec } from './windows-exec.mjs';

/**
 * A step: `ready` looks, quickly and without changing anything; `run` does the work.
 * @typedef {{ dependenciesOnly?: boolean, withTests?: boolean }} Wanted
 * @typedef {{ ready(wanted: Wanted): boolean, run(wanted: Wanted): void | Promise<void> }} Step
 */

/**
 * Sets up whatever is missing.
 * @param {Wanted} wanted
 * @throws {import('./problem.mjs').Problem} with one sentence for the reader
 */
export async function setUp(wanted) {
  const steps = stepsFor(wanted);
  if (steps.every((step) => step.ready(wanted))) return;
  mkdirSync(output(), { recursive: true });
  await exclusively(output('set-up.lock'), async () => {
    for (const step of steps) {
      if (!step.ready(wanted)) await step.run(wanted);
    }
  });
}

/** Sets up; on failure writes one sentence and leaves exit code 1. @param {Wanted} wanted */
export async function setUpOrExplain(wanted) {
  try {
    await setUp(wanted);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

/** @param {Wanted} wanted @returns {Step[]} */
function stepsFor(wanted) {
  if (wanted.dependenciesOnly) return [dependencies, windowsExec];
  return [dependencies, windowsExec, electronRuntime, systemLibraries, compile, userInterface];
}
