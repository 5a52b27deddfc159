/** Reports the slowest files and tests of a suite. */

import path from 'node:path';
import { project } from '../setup/project.mjs';

const maxLines = 8;
/** Shorter files and tests are not reported. */
const minReportedMs = 3000;

/**
 * Returns text that lists the slowest files and tests; empty if none took 3 s or longer. The time of a file is the sum of the
 * times of its top-level tests and suites, without the time to load the file.
 * @param {import('./tally.mjs').Ended[]} ended
 */
export function timesOf(ended) {
  const tests = ended.filter(({ word }) => word !== 'suite');
  const lines = [...longest(byFile(ended)), ...longest(tests.map(shown))];
  return lines.length === 0 ? '' : `\nLongest files and tests\n${lines.join('\n')}\n`;
}

/** @typedef {{ what: string, milliseconds: number }} Timed */

/** @param {import('./tally.mjs').Ended[]} ended @returns {Timed[]} */
function byFile(ended) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const { depth, file, milliseconds } of ended)
    if (depth === 0) sums.set(file, (sums.get(file) ?? 0) + milliseconds);
  return [...sums].map(([file, milliseconds]) => ({ what: shortened(file), milliseconds }));
}

/** @param {import('./tally.mjs').Ended} ended @returns {Timed} */
function shown({ file, name, milliseconds }) {
  return { what: `${shortened(file)}: ${name}`, milliseconds };
}

/** @param {Timed[]} timed */
function longest(timed) {
  const slow = timed.filter(({ milliseconds }) => milliseconds >= minReportedMs);
  return slow
    .sort((a, b) => b.milliseconds - a.milliseconds)
    .slice(0, maxLines)
    .map(({ what, milliseconds }) => `${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${what}`);
}

/** Returns a path relative to the project. @param {string} file */
export function shortened(file) {
  return path.relative(project(), file).replaceAll(path.sep, '/');
}
