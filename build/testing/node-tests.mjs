/** Runs a suite with `node --test`, with live output, and counts its tests. */

import { project } from '../setup/project.mjs';
import { runProgram } from './program.mjs';
import { reporters, startTally } from './tally.mjs';

/**
 * @param {string} suite
 * @param {string[]} files relative to the project
 * @param {{ minutes: number, args?: string[] }} options
 */
export async function runNodeTests(suite, files, { minutes, args = [] }) {
  const tally = startTally(suite);
  const code = await runProgram({
    file: process.execPath,
    args: ['--import', 'tsx', '--test', ...args, ...reporters(suite), ...files.map((file) => project(file))],
    env: process.env,
    minutes,
    name: suite,
  });
  return tally.read(code);
}
