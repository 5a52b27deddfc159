/** `npm test` and `npm run test:long`: run the suites and print one summary line. */

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explain, print } from './setup/problem.mjs';
import { output } from './setup/project.mjs';
import { runEngineTests } from './testing/engine-tests.mjs';
import { runNodeTests } from './testing/node-tests.mjs';
import { testFiles } from './testing/files.mjs';

/** @typedef {import('./testing/tally.mjs').Tally} Tally */

/**
 * How a suite runs. `args`: options of `node --test`; `batches`: see node-tests.mjs; `isLive`: see tally.mjs.
 * @typedef {{ minutes: number, args?: string[], batches?: number, isLive?: boolean }} SuiteOptions
 */

/** Test files in parallel. */
const TWO_AT_ONCE = ['--test-concurrency=2'];

/** Stories spend half of their time waiting for a service to start, to convert or to end. */
const THREE_AT_ONCE = ['--test-concurrency=4'];

/** One test file at a time: measurements need the whole machine. */
const ONE_AT_A_TIME = ['--test-concurrency=1'];

/** @type {Record<string, SuiteOptions>} */
const SUITES = {
  unit: { minutes: 15, args: TWO_AT_ONCE, batches: 4 },
  engine: { minutes: 10, isLive: true },
  api: { minutes: 40, args: THREE_AT_ONCE, batches: 3 },
  long: { minutes: 40, args: TWO_AT_ONCE },
  // The corpus suite itself converts two pages in parallel.
  real: { minutes: 15, args: ONE_AT_A_TIME },
  ui: { minutes: 15, args: TWO_AT_ONCE },
  soak: { minutes: 10 },
  wpt: { minutes: 15 },
  bench: { minutes: 10, args: ONE_AT_A_TIME },
};

/** Long suites: they run only with `--long` or by name. */
const LONG = ['long', 'real', 'soak', 'wpt', 'bench'];

/**
 * The lanes run one after the other, the suites of a lane at the same time. The engine suite is one process that waits for Chromium
 * for half of its time, so it shares a lane with the unit suite.
 */
const LANES = [['engine', 'unit'], ['api'], ['long'], ['real'], ['ui'], ['soak'], ['wpt'], ['bench']];

/** Options of suites that run at the same time as another suite of their lane. */
const IN_PARALLEL = { unit: { args: ONE_AT_A_TIME }, engine: { isLive: false } };

const isLong = process.argv.includes('--long');
const words = process.argv.slice(2).filter((word) => word !== '--long');
const named = words.filter((word) => word in SUITES);
const byDefault = Object.keys(SUITES).filter((suite) => LONG.includes(suite) === isLong);
const requested = named.length === 0 ? byDefault : named;
const texts = words.filter((word) => !(word in SUITES));
mkdirSync(output('test'), { recursive: true });
useTemporaryFolder();
/** @type {Tally[]} */
const tallies = [];
let ran = false;
for (const lane of LANES) {
  const suites = lane.filter((suite) => requested.includes(suite));
  const changes = suites.length > 1 ? IN_PARALLEL : {};
  tallies.push(
    ...(await Promise.all(suites.map((suite) => runSuite(suite, { ...SUITES[suite], ...changes[suite] })))),
  );
}
const sum = (/** @type {keyof Tally} */ kind) => tallies.reduce((all, tally) => all + tally[kind], 0);
if (tallies.length > 0 && texts.length > 0 && !ran)
  print(`No test file has ${texts.join(' or ')} in its path.`);
const failures = tallies.flatMap(({ failures = [] }) => failures);
// Repeated at the end, so that the last lines show all failures.
if (failures.length > 0) process.stdout.write(`\nFailed tests\n${failures.join('\n')}\n\n`);
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped\n`);
if (sum('failed') > 0 || sum('passed') === 0) process.exitCode = 1;

/** Uses a temporary folder for the files of the tests, which is deleted after the run. */
function useTemporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'platen-tests-'));
  // Some tests run a program as another user.
  chmodSync(folder, 0o1777);
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  process.on('exit', () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
}

/** @param {string} suite @param {SuiteOptions} options @returns {Promise<Tally>} */
async function runSuite(suite, options) {
  const nothing = { passed: 0, failed: 0, skipped: 0 };
  const files = testFiles(suite, texts);
  if (files.length === 0 && texts.length > 0) return nothing;
  ran = true;
  process.stdout.write(`\n${suite}${options.isLive === false ? ', reported at its end' : ''}\n`);
  const tally = await attempt(suite, files, options);
  if (tally.passed + tally.failed + tally.skipped > 0) return tally;
  print(`The ${suite} suite ran no test: see test/${suite}/.`);
  process.exitCode = 1;
  return nothing;
}

/** A suite that cannot start counts as one failure; the next suite still runs. @param {string} suite @param {string[]} files @param {SuiteOptions} options */
async function attempt(suite, files, options) {
  try {
    if (files.length === 0) return { passed: 0, failed: 0, skipped: 0 };
    return suite === 'engine'
      ? await runEngineTests(files, options)
      : await runNodeTests(suite, files, options);
  } catch (error) {
    print(explain(error));
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
