/** Runs a suite with `node --test`, prints its report during the run, and counts its tests. */

import { project } from '../setup/project.mjs';
import { inBatches } from './batches.mjs';
import { compileTests } from './compile-tests.mjs';
import { runProgram } from './program.mjs';
import { reporters, startTally } from './tally.mjs';

/**
 * @param {string} suite
 * @param {string[]} files relative to the project
 * @param {{ minutes: number, args?: string[], batches?: number, env?: NodeJS.ProcessEnv }} options `batches`: the number of
 *   processes for test files that can share a process (default: each file runs in a separate process)
 */
export async function runNodeTests(suite, files, { minutes, args = [], batches, env = process.env }) {
  const compiled = await compileTests(suite, files);
  const paths =
    batches === undefined ? compiled.map((file) => file.compiled) : inBatches(suite, compiled, batches);
  const tally = startTally(suite);
  const ending = await runProgram({
    file: process.execPath,
    args: [
      '--enable-source-maps',
      '--test',
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
