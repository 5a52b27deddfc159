/** Finds the test files of a suite, because `--test` of Node.js 20 does not accept patterns, and the programs that tests run. */

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { project } from '../setup/project.mjs';

/** Folders of unit tests that also run under Wine, because their subjects behave differently on Windows. */
const alsoUnderWine = [
  'accounts',
  'app/native-bridge',
  'cli',
  'files',
  'hot-folder',
  'input',
  'launch',
  'log',
  'preflight',
  'settings',
  'subprocess',
  'upgrade',
].map((folder) => `test/unit/${folder}`);

/**
 * Returns the paths of a suite's test files, relative to the project, sorted.
 * @param {string} suite the name of its folder in test/
 * @param {string[]} texts selects files whose path contains one of these strings; empty: all files
 */
export function testFiles(suite, texts) {
  const files = placesOf(suite)
    .flatMap(filesUnder)
    .filter((file) => file.endsWith('.test.ts'));
  return files.filter((file) => texts.length === 0 || texts.some((text) => file.includes(text))).sort();
}

/** @param {string} suite @returns {string[]} folders relative to the project */
function placesOf(suite) {
  // On Windows, these unit tests are part of the unit suite.
  const others = suite === 'windows' && process.platform !== 'win32' ? alsoUnderWine : [];
  return [`test/${suite}`, ...others];
}

/** Returns the paths of the programs that tests start in child processes, relative to the project. */
export function testPrograms() {
  return ['test/unit', 'test/windows', 'test/support']
    .flatMap(filesUnder)
    .filter((file) => file.endsWith('-program.ts'));
}

/** @param {string} folder @returns {string[]} paths relative to the project, with slashes */
function filesUnder(folder) {
  if (!existsSync(project(folder))) return [];
  return readdirSync(project(folder), { recursive: true }).map((name) =>
    path.join(folder, String(name)).replaceAll(path.sep, '/'),
  );
}
