/** Detects changed sources. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { project } from './project.mjs';

/**
 * Returns a hash of the names, modification times and sizes of all files. Deleting a file changes the hash too.
 * @param {{ folders: string[], files: string[] }} sources relative to the project root
 */
export function fingerprintOf({ folders, files }) {
  const hash = createHash('sha256');
  const all = [
    ...folders.flatMap((folder) => filesUnder(project(folder))),
    ...files.map((file) => project(file)),
  ];
  for (const file of all) {
    const facts = statSync(file, { throwIfNoEntry: false });
    if (facts?.isFile()) hash.update(`${file} ${facts.mtimeMs} ${facts.size}\n`);
  }
  return hash.digest('hex');
}

/** @param {string} folder */
function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .sort();
}
