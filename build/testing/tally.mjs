/** Counts the tests of a suite and reports their times, from the file that the tally reporter writes. */

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { output } from '../setup/project.mjs';
import { sourceOfTest } from './compile-tests.mjs';
import { shortened, timesOf } from './times.mjs';

/**
 * `file`: the test file, relative to the project. It is missing if the suite itself failed, as `name` is. `text`: a paragraph.
 * @typedef {{ file?: string, name?: string, text: string }} FailedTest
 */
/**
 * `unstable`: failures of tests that passed on the second attempt, which count as passed.
 * @typedef {{ passed: number, failed: number, skipped: number, failures: FailedTest[], unstable: FailedTest[] }} Tally
 */
/** @typedef {{ word: string, depth: number, milliseconds: number, file: string, name: string, reason: string }} Ended */

/**
 * Returns the options of `node --test` for two reporters: a readable report, and the tally in a file.
 * @param {string} suite
 * @param {{ counter?: string, isLive?: boolean }} [options] `counter`: the name of the tally reporter's file in this folder.
 *   `isLive`: whether the report is printed during the run (default) or at its end
 */
export function reporters(suite, { counter = 'tally-reporter.mjs', isLive = true } = {}) {
  const reporter = new URL(counter, import.meta.url).href;
  const report = [
    '--test-reporter=spec',
    `--test-reporter-destination=${isLive ? 'stdout' : reportOf(suite)}`,
  ];
  return [...report, `--test-reporter=${reporter}`, `--test-reporter-destination=${tallyFile(suite)}`];
}

/** Deletes the tally and the report of the last run, and returns a reader for those of the next run. @param {string} suite */
export function startTally(suite) {
  rmSync(tallyFile(suite), { force: true });
  rmSync(reportOf(suite), { force: true });
  return {
    /**
     * Prints the report if it was not printed during the run, and the times. A suite that was killed, or that exits with an error but
     * without a failed test, counts as one failure.
     * @param {import('./program.mjs').Ending} ending of the suite's program @returns {Tally}
     */
    read({ code, problem }) {
      const all = ended(suite);
      const count = (/** @type {string} */ kind) => all.filter(({ word }) => word === kind).length;
      const failures = all.filter(({ word }) => word === 'fail').map(failureOf);
      if (problem) failures.push({ text: problem });
      if (code !== 0 && failures.length === 0)
        failures.push({ text: `The ${suite} tests ended with exit code ${code}, although no test failed.` });
      if (existsSync(reportOf(suite))) process.stdout.write(readFileSync(reportOf(suite)));
      process.stdout.write(timesOf(all));
      return {
        passed: count('pass'),
        failed: failures.length,
        skipped: count('skip'),
        failures,
        unstable: [],
      };
    },
  };
}

/** Reads the lines that the reporter wrote. @param {string} suite @returns {Ended[]} */
function ended(suite) {
  const text = existsSync(tallyFile(suite)) ? readFileSync(tallyFile(suite), 'utf8') : '';
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [word = '', depth, milliseconds, file = '', name = '', reason = ''] = line.split('\t');
    return {
      word,
      depth: Number(depth),
      milliseconds: Number(milliseconds),
      file: sourceOfTest(file),
      name,
      reason,
    };
  });
}

/** @param {Ended} ended @returns {FailedTest} */
function failureOf({ file, name, reason }) {
  const shown = shortened(file);
  return { file: shown, name, text: `${shown}: ${name}\n  ${reason}` };
}

/** Returns the path of the file that the tally reporter writes. @param {string} suite */
export function tallyFile(suite) {
  return output('test', `${suite}.tally`);
}

/** @param {string} suite */
function reportOf(suite) {
  return output('test', `${suite}.report`);
}
