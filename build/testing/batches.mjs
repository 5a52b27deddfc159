/**
 * Groups test files so that a process runs many of them. Starting a process and loading its modules takes longer than most unit
 * tests, and starting a service takes longer than most tests of the api suite.
 */

import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { output, project } from '../setup/project.mjs';

/**
 * Matches unit tests that need a separate process: hooks outside a suite would apply to all files of a batch, and some tests change
 * or count global state of the process.
 */
const needsOwnProcess =
  // eslint-disable-next-line platen/linear-pattern -- Source files of this project.
  /^(before|after|beforeEach|afterEach)\(|\bmock\.|\bprocess\.|\bglobalThis\b|\bdocument\b.*=|from '(electron|node:child_process)'|no handle/m;

/**
 * For each suite, a function that returns whether a test file with that source can share a process. Test files of the api suite do
 * so in order to share a service.
 */
const mayShareProcess = {
  unit: (/** @type {string} */ source) => !needsOwnProcess.test(source),
  api: (/** @type {string} */ source) => source.includes('defaultService('),
};

/** A run with fewer files does not combine them into batches, so that the report names each file. */
const minFiles = 20;

/**
 * Returns the files to run: generated batch files, which import several test files each, and the test files that need a separate
 * process.
 * @param {keyof typeof mayShareProcess} suite
 * @param {import('./compile-tests.mjs').TestFile[]} files
 * @param {number} count of batches
 * @returns {string[]} paths relative to the project
 */
export function inBatches(suite, files, count) {
  const folder = output('test');
  const isBatch = (/** @type {string} */ name) => name.startsWith(`${suite}-batch-`);
  for (const name of readdirSync(folder).filter(isBatch)) rmSync(path.join(folder, name));
  if (files.length < minFiles) return files.map(({ compiled }) => compiled);
  const shared = files.filter(({ source }) => mayShareProcess[suite](readFileSync(project(source), 'utf8')));
  const alone = files.filter((file) => !shared.includes(file));
  const batches = Array.from({ length: count }, (_, batch) => {
    const imports = shared
      .filter((_file, index) => index % count === batch)
      .map(({ compiled }) => `import ${JSON.stringify(pathToFileURL(project(compiled)).href)};\n`);
    const name = path.join(folder, `${suite}-batch-${batch + 1}.test.mjs`);
    writeFileSync(name, imports.join(''));
    return path.relative(project(), name);
  });
  return [...batches, ...alone.map(({ compiled }) => compiled)];
}
