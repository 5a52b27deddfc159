/**
 * Runs the tests of Windows behaviour under Wine, in Node.js for Windows. The tests are compiled on this system, because esbuild
 * does not run under Wine.
 */

import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { compile } from '../../setup/compile.mjs';
import { BuildProblem } from '../../setup/problem.mjs';
import { output, project } from '../../setup/project.mjs';
import { placeOf } from '../../setup/system-inventory.mjs';
import { compileTests } from '../compile-tests.mjs';
import { installerFolder } from '../files.mjs';
import { runNodeTests } from '../node-tests.mjs';
import { startTally, tallyFile } from '../tally.mjs';
import { unixPath, Wine, winePaths } from './wine.mjs';
import { windowsNode } from './windows-node.mjs';

/** @typedef {import('../tally.mjs').Tally} Tally */
/** @typedef {import('../compile-tests.mjs').TestFile} TestFile */

/** The programs that the tests use, with their Debian packages. */
const requiredPrograms = {
  wine: 'wine',
  wineserver: 'wine64',
  makensis: 'nsis',
  wixl: 'wixl',
  msiinfo: 'msitools',
};

const concurrency = 2;
/** The time limit of a test file. */
const fileMinutes = 5;

/** The report, the tally and the output of each test file. */
const resultFolder = output('test', 'windows');

/**
 * @param {string[]} files relative to the project
 * @param {{ minutes: number }} options `minutes`: the time limit of the tests of the installers
 * @returns {Promise<Tally>}
 */
export async function runWindowsTests(files, { minutes }) {
  assertInstalled();
  const node = await windowsNode();
  // The tests run the compiled command line.
  if (!compile.ready({})) await compile.run({});
  const wine = new Wine();
  try {
    await wine.create();
    const inWindows = files.filter((file) => !file.startsWith(installerFolder));
    const installers = files.filter((file) => file.startsWith(installerFolder));
    const tally = await runUnderWine(inWindows, { wine, node });
    if (installers.length === 0) return tally;
    const args = ['--test-concurrency=1'];
    return sum(tally, await runNodeTests('installer', installers, { minutes, args, env: wine.environment }));
  } finally {
    wine.close();
  }
}

/** @throws {BuildProblem} if a program is missing */
function assertInstalled() {
  const missing = Object.entries(requiredPrograms).filter(([name]) => placeOf(name) === undefined);
  if (missing.length === 0) return;
  const names = missing.map(([name]) => name).join(', ');
  const packages = [...new Set(missing.map(([, debianPackage]) => debianPackage))].join(' ');
  throw new BuildProblem(
    `The tests of Windows behaviour need ${names}: install Debian's packages ${packages} (\`sudo apt-get install ${packages}\`), then run the command again.`,
  );
}

/**
 * @param {string[]} files relative to the project
 * @param {{ wine: Wine, node: string }} options @returns {Promise<Tally>}
 */
async function runUnderWine(files, options) {
  const waiting = await compileTests('windows', files, winePaths);
  const tally = startTally('windows');
  rmSync(resultFolder, { recursive: true, force: true });
  mkdirSync(resultFolder, { recursive: true });
  let code = 0;
  const work = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift())
      if (!(await runFile(file, options))) code = 1;
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return tally.read({ code });
}

/**
 * Runs a test file, prints its report and adds its tests to the tally. Returns whether the file has ended without an error.
 * @param {TestFile} file
 * @param {{ wine: Wine, node: string }} options
 */
async function runFile({ source, compiled }, { wine, node }) {
  const base = path.join(resultFolder, source.replaceAll('/', '-'));
  const [report, tally, text] = ['report', 'tally', 'output'].map((ending) => `${base}.${ending}`);
  const command = [
    winePaths.path(node),
    '--enable-source-maps',
    '--test-reporter=spec',
    `--test-reporter-destination=${winePaths.path(report)}`,
    `--test-reporter=${winePaths.url(new URL('../tally-reporter.mjs', import.meta.url).pathname)}`,
    `--test-reporter-destination=${winePaths.path(tally)}`,
    winePaths.path(project(compiled)),
  ];
  const code = await wine.run(command, { minutes: fileMinutes, output: text, folder: project() });
  const lines = textOf(tally).split('\n').filter(Boolean).map(withUnixPath);
  if (code !== 0 && !lines.some((line) => line.startsWith('fail\t')))
    lines.push(brokenLine(source, project(compiled), { code, text: textOf(text) }));
  process.stdout.write(`\n${source}\n${textOf(report)}`);
  appendFileSync(tallyFile('windows'), lines.map((line) => `${line}\n`).join(''));
  return code === 0;
}

/** @param {string} file */
function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Replaces the path of the test file in a line of the tally. @param {string} line */
function withUnixPath(line) {
  const [word, depth, milliseconds, file = '', ...rest] = line.split('\t');
  return [word, depth, milliseconds, unixPath(file), ...rest].join('\t');
}

/**
 * Returns a line of the tally for a test file that ended without a result.
 * @param {string} source
 * @param {string} compiled
 * @param {{ code: number | undefined, text: string }} result
 */
function brokenLine(source, compiled, { code, text }) {
  const reason =
    code === undefined ? `did not end within ${fileMinutes} minutes` : `ended with exit code ${code}`;
  return ['fail', 0, 0, compiled, source, `${reason} ${text.replaceAll(/\s+/g, ' ').slice(-1500)}`].join(
    '\t',
  );
}

/** @param {Tally} one @param {Tally} other @returns {Tally} */
function sum(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    failures: [...one.failures, ...other.failures],
    unstable: [...one.unstable, ...other.unstable],
  };
}
