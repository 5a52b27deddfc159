/** Finds the test files of a suite, because `--test` of Node.js 20 does not accept patterns, and the programs that tests run. */

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { project } from '../setup/project.mjs';

/**
 * Unit tests that also run under Wine, because their subjects behave differently on Windows: folders or files in test/unit. `fetch`
 * does not work under Wine, and starting many processes takes minutes there.
 */
const alsoUnderWine = [
  'accounts/',
  'app/native-bridge/',
  'cli/account/',
  'cli/config/',
  'cli/convert/glob',
  'cli/convert/inputs',
  'cli/convert/plan',
  'cli/convert/watch',
  'cli/convert/write-output',
  'cli/service/',
  'files/',
  'hot-folder/',
  'input/folder-files',
  'input/sibling-files',
  'launch/',
  'log/rotating-file',
  'settings/',
  'subprocess/',
  'upgrade/',
];

/** The tests in this folder run in Node.js on Linux, and start Windows programs with Wine themselves. */
export const installerFolder = 'test/windows/installer/';

/**
 * Returns the paths of a suite's test files, relative to the project, sorted.
 * @param {string} suite the name of its folder in test/
 * @param {string[]} texts selects files whose path contains one of these strings; empty: all files
 */
export function testFiles(suite, texts) {
  const files = [...filesUnder(`test/${suite}`), ...unitTestsOf(suite)]
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => process.platform !== 'win32' || !file.startsWith(installerFolder));
  return files.filter((file) => texts.length === 0 || texts.some((text) => file.includes(text))).sort();
}

/** Returns the files of test/unit that belong to another suite too. @param {string} suite @returns {string[]} */
function unitTestsOf(suite) {
  // On Windows, they are part of the unit suite only.
  if (suite !== 'windows' || process.platform === 'win32') return [];
  return filesUnder('test/unit').filter((file) =>
    alsoUnderWine.some((start) => file.startsWith(`test/unit/${start}`)),
  );
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
