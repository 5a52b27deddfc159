/** Creates reproducible archives: sorted entries with the same date and without owner names. */

import { chmodSync, lstatSync, lutimesSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { create } from 'tar';

/**
 * Writes an archive of the folder, whose name all entries start with.
 * @param {string} folder @param {string} file ending in .tar.gz
 */
export async function writeTarGz(folder, file) {
  const cwd = path.dirname(folder);
  const entries = [folder, ...entriesIn(folder)].map((entry) => path.relative(cwd, entry));
  await create({ file, cwd, gzip: { level: 6 }, portable: true, noDirRecurse: true }, entries);
}

/**
 * Makes the folder and its contents readable for all users, and executable files executable for all users.
 * @param {string} folder
 */
export function makeReadable(folder) {
  for (const entry of [...entriesIn(folder), folder]) {
    const facts = lstatSync(entry);
    if (facts.isSymbolicLink()) continue;
    const runs = facts.isDirectory() || (facts.mode & 0o100) !== 0;
    chmodSync(entry, (facts.mode & 0o7777) | (runs ? 0o555 : 0o444));
  }
}

/** Sets the date of the folder and its contents. @param {string} folder @param {Date} date */
export function setDates(folder, date) {
  for (const entry of [...entriesIn(folder), folder]) lutimesSync(entry, date, date);
}

/** Returns the total size of the files in a folder, in bytes. @param {string} folder */
export function sizeOf(folder) {
  return entriesIn(folder)
    .map((entry) => statSync(entry))
    .reduce((sum, facts) => sum + (facts.isFile() ? facts.size : 0), 0);
}

/** @param {string} folder @returns {string[]} absolute paths, sorted */
function entriesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .sort();
}
