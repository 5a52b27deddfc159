/** Finds the test files of a suite, because `--test` of Node.js 20 does not accept patterns. */

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { project } from '../setup/project.mjs';

/**
 * Returns the paths of a suite's test files, relative to the project, sorted.
 * @param {string} suite the name of its folder in test/
 * @param {string[]} texts selects files whose path contains one of these strings; empty: all files
 */
export function testFiles(suite, texts) {
  const folder = project('test', suite);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true })
    .map((name) => path.join('test', suite, String(name)).replaceAll(path.sep, '/'))
    .filter((file) => file.endsWith('.test.ts'));
  return files.filter((file) => texts.length === 0 || texts.some((text) => file.includes(text))).sort();
}
