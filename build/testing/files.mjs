/** Finds the test files of a suite, since `--test` of Node 20 takes no patterns. */

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { project } from '../setup/project.mjs';

/**
 * A suite's test files, relative to the project, sorted.
 * @param {string} suite its folder under test/
 * @param {string[]} texts only files whose path contains one of these texts; all if empty
 */
export function testFiles(suite, texts) {
  const folder = project('test', suite);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true })
    .map((name) => path.join('test', suite, String(name)).replaceAll(path.sep, '/'))
    .filter((file) => file.endsWith('.test.ts'));
  return files.filter((file) => texts.length === 0 || texts.some((text) => file.includes(text))).sort();
}
