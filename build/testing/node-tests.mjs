/** Runs a suite with `node --test`, prints its report during the run, and counts its tests. */

import { project } from '../setup/project.mjs';
import { inBatches } from './batches.mjs';
import { compileTests } from './compile-tests.mjs';
import { runProgram } from './program.mjs';
import { reporters, startTally } from './tally.mjs';

/**
 * @param {string} suite
 * @param {string[]} files relative to the project
 * @param {{ minutes: number, fileMinutes?: number, args?: string[], batches?: number, env?: NodeJS.ProcessEnv }} options
 *   `minutes`: the time limit of the suite; `fileMinutes`: the time limit of a test file or batch, which fails alone if it hangs
 *   (default: `minutes`); `batches`: the number of processes for test files that can share a process (default: each file runs in a
 *   separate process)
 */
export async function runNodeTests(suite, files, options) {
  const { minutes, fileMinutes = minutes, args = [], batches, env = process.env } = options;
  const compiled = await compileTests(suite, files);
  const paths =
    batches === undefined ? compiled.map((file) => file.compiled) : inBatches(suite, compiled, batches);
  const tally = startTally(suite);
  const ending = await runProgram({
    file: process.execPath,
    args: [
      '--enable-source-maps',
      '--test',
      `--test-timeout=${fileMinutes * 60_000}`,
      ...args,
      ...reporters(suite),
      ...paths.map((file) => project(file)),
    ],
    env,
    minutes,
    name: suite,
  });
  return tally.read(ending);
}
