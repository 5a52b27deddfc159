/** Owns telling where the time of a suite went. */

import path from 'node:path';
import { project } from '../setup/project.mjs';

const MOST = 8;
/** Milliseconds. Of what is shorter nobody needs to know. */
const WORTH_TELLING = 3000;

/**
 * The longest files and the longest tests, a line each; empty when nothing took long.
 * A file's time is that of its tests and what surrounds them, without that of loading it.
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
  const told = timed.filter(({ milliseconds }) => milliseconds >= WORTH_TELLING);
  return told
    .sort((one, other) => other.milliseconds - one.milliseconds)
    .slice(0, MOST)
    .map(({ what, milliseconds }) => `${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${what}`);
}

/** A path as seen from the project. @param {string} file */
export function shortened(file) {
  return path.relative(project(), file).replaceAll(path.sep, '/');
}
