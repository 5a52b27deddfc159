/** `npm test` and `npm run test:long`: run the suites and print one summary line. */

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explain, say } from './setup/problem.mjs';
import { output } from './setup/project.mjs';
import { runEngineTests } from './testing/engine-tests.mjs';
import { runNodeTests } from './testing/node-tests.mjs';
import { testFiles } from './testing/files.mjs';

/** @typedef {import('./testing/tally.mjs').Tally} Tally */
/** Test files in parallel. */
const TWO_AT_ONCE = ['--test-concurrency=2'];

/** Stories spend half of their time waiting for a service to start, to convert or to end. */
const THREE_AT_ONCE = ['--test-concurrency=3'];

/** One test file at a time: measurements need the whole machine. */
const ONE_AT_A_TIME = ['--test-concurrency=1'];

/** @type {Record<string, (files: string[], isBeside: boolean) => Promise<Tally>>} `isBeside`: another suite runs at the same time */
const SUITES = {
  unit: (files, isBeside) =>
    runNodeTests('unit', files, { minutes: 15, args: isBeside ? ONE_AT_A_TIME : TWO_AT_ONCE, batches: 4 }),
  engine: (files, isBeside) => runEngineTests(files, { minutes: 10, isLive: !isBeside }),
  api: (files) => runNodeTests('api', files, { minutes: 40, args: THREE_AT_ONCE, batches: 3 }),
  long: (files) => runNodeTests('long', files, { minutes: 40, args: TWO_AT_ONCE }),
  // The corpus suite itself converts two pages in parallel.
  real: (files) => runNodeTests('real', files, { minutes: 15, args: ONE_AT_A_TIME }),
  ui: (files) => runNodeTests('ui', files, { minutes: 15, args: TWO_AT_ONCE }),
  soak: (files) => runNodeTests('soak', files, { minutes: 10 }),
  wpt: (files) => runNodeTests('wpt', files, { minutes: 15 }),
  bench: (files) => runNodeTests('bench', files, { minutes: 10, args: ONE_AT_A_TIME }),
};

/** Long suites: they run only with `--long` or by name. */
const LONG = ['long', 'real', 'soak', 'wpt', 'bench'];

const isLong = process.argv.includes('--long');
const words = process.argv.slice(2).filter((word) => word !== '--long');
const named = words.filter((word) => word in SUITES);
const byDefault = Object.keys(SUITES).filter((suite) => LONG.includes(suite) === isLong);
const texts = words.filter((word) => !(word in SUITES));
mkdirSync(output('test'), { recursive: true });
useOwnFolder();
/** @type {Tally[]} */
const tallies = [];
let ran = false;
const suites = Object.keys(SUITES).filter((suite) =>
  (named.length === 0 ? byDefault : named).includes(suite),
);
// The engine suite is one process that waits for Chromium for half of its time.
const areBeside = suites.includes('unit') && suites.includes('engine');
const engineTally = areBeside ? runSuite('engine', true) : undefined;
for (const suite of suites) {
  const isEngine = suite === 'engine' && engineTally !== undefined;
  tallies.push(await (isEngine ? engineTally : runSuite(suite, areBeside && suite === 'unit')));
}
const sum = (/** @type {keyof Tally} */ kind) => tallies.reduce((all, tally) => all + tally[kind], 0);
if (tallies.length > 0 && texts.length > 0 && !ran)
  say(`No test file has ${texts.join(' or ')} in its path.`);
const failures = tallies.flatMap(({ failures = [] }) => failures);
// Repeated at the end, so that the last lines show all failures.
if (failures.length > 0) process.stdout.write(`\nFailed tests\n${failures.join('\n')}\n\n`);
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped\n`);
if (sum('failed') > 0 || sum('passed') === 0) process.exitCode = 1;

/** Removes the temporary files of the tests after the run. */
function useOwnFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'platen-tests-'));
  // Some tests run a program as another user.
  chmodSync(folder, 0o1777);
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  process.on('exit', () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
}

/** @param {string} suite @param {boolean} isBeside @returns {Promise<Tally>} */
async function runSuite(suite, isBeside) {
  const nothing = { passed: 0, failed: 0, skipped: 0 };
  const files = testFiles(suite, texts);
  if (files.length === 0 && texts.length > 0) return nothing;
  ran = true;
  process.stdout.write(`\n${suite}${isBeside && suite === 'engine' ? ', reported at its end' : ''}\n`);
  const tally = await attempt(suite, files, isBeside);
  if (tally.passed + tally.failed + tally.skipped > 0) return tally;
  say(`The ${suite} suite ran no test: see test/${suite}/.`);
  process.exitCode = 1;
  return nothing;
}

/** A suite that cannot start counts as one failure; the next suite still runs. @param {string} suite @param {string[]} files @param {boolean} isBeside */
async function attempt(suite, files, isBeside) {
  try {
    return files.length === 0 ? { passed: 0, failed: 0, skipped: 0 } : await SUITES[suite](files, isBeside);
  } catch (error) {
    say(explain(error));
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
