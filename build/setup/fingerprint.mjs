/** Owns how it is noticed that sources have changed. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { project } from './project.mjs';

/**
 * All these files as one hash of names, times and sizes; a deleted file counts too.
 * @param {{ folders: string[], files: string[] }} sources from the project's root
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
