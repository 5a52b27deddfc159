/** Writes the file SHA256SUMS, which `sha256sum --check` reads: in the packaged application, and in dist/. */

import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Writes SHA256SUMS for every file in the folder and its subfolders. @param {string} folder */
export async function writeChecksums(folder) {
  const lines = [];
  for (const file of filesIn(folder)) lines.push(`${await sha256(path.join(folder, file))}  ${file}\n`);
  writeFileSync(path.join(folder, 'SHA256SUMS'), lines.join(''));
}

/**
 * Writes SHA256SUMS for the files of one version in dist/, without subfolders.
 * @param {string} folder @param {string} version
 */
export async function writeSums(folder, version) {
  // eslint-disable-next-line platen/linear-pattern -- The version of a release.
  const ofVersion = new RegExp(`[-_]${version.replaceAll('.', '\\.')}[-.]`);
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && ofVersion.test(entry.name) && !entry.name.endsWith('.sha256'))
    .map(({ name }) => name);
  const lines = [];
  for (const name of names.sort()) lines.push(`${await sha256(path.join(folder, name))}  ${name}\n`);
  writeFileSync(path.join(folder, 'SHA256SUMS'), lines.join(''));
}

/** Returns the hash of a file in hexadecimal. @param {string} file */
export async function sha256(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** @param {string} folder @returns {string[]} relative paths, with slashes */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort();
}
