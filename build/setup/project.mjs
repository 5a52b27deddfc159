/** Owns where things are in this clone: the project's root, its build output, the pinned versions. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** An absolute path inside the project. @param {...string} parts */
export function project(...parts) {
  return path.join(ROOT, ...parts);
}

/** An absolute path inside `.build/`, where everything made goes. @param {...string} parts */
export function output(...parts) {
  return project('.build', ...parts);
}

/** The exact Electron version that package.json asks for. @returns {string} */
export function pinnedElectron() {
  return JSON.parse(readFileSync(project('package.json'), 'utf8')).devDependencies.electron;
}

/** What a JSON file holds, or undefined when it is missing or broken. @param {string} file @returns {any} */
export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** True when the running Node is at least that. @param {number} major @param {number} minor */
export function nodeIsAtLeast(major, minor) {
  const [ours, oursMinor] = process.versions.node.split('.').map(Number);
  return ours > major || (ours === major && oursMinor >= minor);
}
