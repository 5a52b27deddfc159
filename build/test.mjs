/** `npm test` and `npm run test:long`: run the suites and print one summary line. */

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explain, print } from './setup/problem.mjs';
import { output } from './setup/project.mjs';
import { runEngineTests } from './testing/engine-tests.mjs';
import { runNodeTests } from './testing/node-tests.mjs';
import { testFiles } from './testing/files.mjs';
import { withSecondAttempt } from './testing/second-attempt.mjs';
import { runWindowsTests } from './testing/wine/windows-tests.mjs';

/** @typedef {import('./testing/tally.mjs').Tally} Tally */

/**
 * How a suite runs. `minutes`: its time limit; `fileMinutes`: the time limit of a test file, or of a batch of files (default:
 * `minutes`); `args`: options of `node --test`; `batches`: the number of processes that share the test files that can share a
 * process (default: one process per file); `isLive`: whether the report is printed during the run (default) or at its end.
 * @typedef {{ minutes: number, fileMinutes?: number, args?: string[], batches?: number, isLive?: boolean }} SuiteOptions
 */

/** Runs two test files in parallel. */
const twoAtOnce = ['--test-concurrency=2'];

/** Runs three test files in parallel: a third of the time, the tests wait for a service to start, convert or end. */
const threeAtOnce = ['--test-concurrency=3'];

/** Runs one test file at a time: measurements need the whole machine. */
const oneAtATime = ['--test-concurrency=1'];

/** @type {Record<string, SuiteOptions>} */
const allSuites = {
  unit: { minutes: 30, fileMinutes: 10, args: twoAtOnce, batches: 4 },
  windows: { minutes: 15 },
  engine: { minutes: 10, isLive: true },
  api: { minutes: 55, fileMinutes: 20, args: threeAtOnce, batches: 3 },
  long: { minutes: 40, args: twoAtOnce },
  // The corpus suite itself converts two pages in parallel.
  real: { minutes: 15, args: oneAtATime },
  ui: { minutes: 15, fileMinutes: 10, args: twoAtOnce },
  soak: { minutes: 10 },
  wpt: { minutes: 40 },
  bench: { minutes: 10, args: oneAtATime },
};

/** Suites that run only with `--long` or if named on the command line. */
const longSuites = ['long', 'real', 'soak', 'wpt', 'bench'];

/**
 * Groups of suites. The groups run one after the other, and the suites of a group at the same time. The engine suite is one process
 * that waits for Chromium half of the time, so it runs together with the unit suite. The long and the wpt suite wait for services
 * and restarts.
 */
const suiteGroups = [
  ['engine', 'unit'],
  ['windows'],
  ['api'],
  ['long', 'wpt'],
  ['real'],
  ['ui'],
  ['soak'],
  ['bench'],
];

/** Changed options of suites that run at the same time as another suite. */
const inParallel = { unit: { args: oneAtATime }, engine: { isLive: false } };

const isLong = process.argv.includes('--long');
const words = process.argv.slice(2).filter((word) => word !== '--long');
const named = words.filter((word) => word in allSuites);
const byDefault = Object.keys(allSuites).filter(
  // On other systems than Windows, the suite needs Wine and runs only if it is named.
  (suite) => longSuites.includes(suite) === isLong && (suite !== 'windows' || process.platform === 'win32'),
);
const requested = named.length === 0 ? byDefault : named;
const texts = words.filter((word) => !(word in allSuites));
mkdirSync(output('test'), { recursive: true });
useTemporaryFolder();
/** @type {Tally[]} */
const tallies = [];
let ran = false;
for (const group of suiteGroups) {
  const suites = group.filter((suite) => requested.includes(suite));
  const changes = suites.length > 1 ? inParallel : {};
  tallies.push(
    ...(await Promise.all(
      suites.map((suite) => runSuite(suite, { ...allSuites[suite], ...changes[suite] })),
    )),
  );
}
const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ kind) =>
  tallies.reduce((all, tally) => all + tally[kind], 0);
if (tallies.length > 0 && texts.length > 0 && !ran)
  print(`No test file has ${texts.join(' or ')} in its path.`);
// Prints the failures again, so that the last lines of the output contain all of them.
list('Passed only on the second attempt', 'unstable');
list('Failed tests', 'failures');
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped\n`);
if (sum('failed') > 0 || sum('passed') === 0) process.exitCode = 1;

/** @param {string} heading @param {'unstable' | 'failures'} kind */
function list(heading, kind) {
  const texts = tallies.flatMap((tally) => tally[kind].map(({ text }) => text));
  if (texts.length > 0) process.stdout.write(`\n${heading}\n${texts.join('\n')}\n\n`);
}

/** Creates a folder for the temporary files of the tests, and deletes it after the run. */
function useTemporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'platen-tests-'));
  // Writable for all users, because some tests run a program as another user.
  chmodSync(folder, 0o1777);
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  process.on('exit', () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
}

/** @param {string} suite @param {SuiteOptions} options @returns {Promise<Tally>} */
async function runSuite(suite, options) {
  const files = testFiles(suite, texts);
  if (files.length === 0 && texts.length > 0) return nothing();
  ran = true;
  process.stdout.write(`\n${suite}${options.isLive === false ? ', reported at its end' : ''}\n`);
  const tally = await attempt(suite, files, options);
  if (tally.passed + tally.failed + tally.skipped > 0) return tally;
  return failed(`The ${suite} suite ran no tests: check the files in test/${suite}/.`);
}

/**
 * Runs a suite, and its failed files again. A suite that cannot start counts as one failure, and the next suite still runs.
 * @param {string} suite @param {string[]} files @param {SuiteOptions} options
 */
async function attempt(suite, files, options) {
  try {
    if (files.length === 0) return nothing();
    const tally = await runFiles(suite, files, options);
    if (texts.length > 0) return tally;
    const alone = { ...options, args: oneAtATime, batches: undefined };
    return await withSecondAttempt(tally, files, (failedFiles) => {
      print(`Second attempt: ${failedFiles.join(', ')}`);
      return runFiles(suite, failedFiles, alone);
    });
  } catch (error) {
    return failed(explain(error, `The ${suite} suite`));
  }
}

/** @param {string} suite @param {string[]} files @param {SuiteOptions} options @returns {Promise<Tally>} */
async function runFiles(suite, files, options) {
  if (suite === 'engine') return await runEngineTests(files, options);
  if (suite === 'windows' && process.platform !== 'win32') return await runWindowsTests(files, options);
  return await runNodeTests(suite, files, options);
}

/** Returns the tally of a suite without tests. @returns {Tally} */
function nothing() {
  return { passed: 0, failed: 0, skipped: 0, failures: [], unstable: [] };
}

/** Prints why a suite could not run, and returns its tally. @param {string} reason @returns {Tally} */
function failed(reason) {
  print(reason);
  return { passed: 0, failed: 1, skipped: 0, failures: [{ text: reason }], unstable: [] };
}
