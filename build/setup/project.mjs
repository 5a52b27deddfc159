/** Paths in the project, and small functions that read versions and JSON files. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Returns an absolute path in the project. @param {...string} parts */
export function project(...parts) {
  return path.join(root, ...parts);
}

/** Returns an absolute path in `.build/`, the folder of all build output. @param {...string} parts */
export function output(...parts) {
  return project('.build', ...parts);
}

/** Returns the exact version of Electron in package.json. @returns {string} */
export function pinnedElectron() {
  return JSON.parse(readFileSync(project('package.json'), 'utf8')).devDependencies.electron;
}

/** Returns the contents of a JSON file, or undefined if it is missing or invalid. @param {string} file @returns {any} */
export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Returns whether this Node.js has at least that version. @param {number} major @param {number} minor */
export function nodeIsAtLeast(major, minor) {
  const [ours, oursMinor] = process.versions.node.split('.').map(Number);
  return ours > major || (ours === major && oursMinor >= minor);
}
