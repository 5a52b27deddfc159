/** Owns SHA256SUMS, which `sha256sum --check` reads: every file of the packaged application but itself. */

import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** @param {string} folder */
export async function writeChecksums(folder) {
  const lines = [];
  for (const file of filesIn(folder)) lines.push(`${await sha256(path.join(folder, file))}  ${file}\n`);
  writeFileSync(path.join(folder, 'SHA256SUMS'), lines.join(''));
}

/** In hexadecimal. @param {string} file */
export async function sha256(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** @param {string} folder @returns {string[]} relative, with slashes */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort();
}
