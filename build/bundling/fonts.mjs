/** Copies the fonts of installed Debian packages into the bundle, each with its licence. */

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

const fontPackages = ['fonts-liberation', 'fonts-noto-core', 'fonts-noto-color-emoji', 'fonts-noto-cjk'];

/**
 * @param {string} target
 * @returns {{ fonts: string[], missing: string[] }} `fonts`: the copied packages; `missing`: for each package that is not
 *   installed, its name and the reason
 */
export function copyFonts(target) {
  /** @type {string[]} */
  const fonts = [];
  /** @type {string[]} */
  const missing = [];
  for (const name of fontPackages) {
    const files = filesOf(name);
    if (files.length === 0) {
      missing.push(`${name}, because it is not installed on the machine that built the bundle.`);
      continue;
    }
    mkdirSync(path.join(target, name), { recursive: true });
    for (const file of files) copyFileSync(file, path.join(target, name, path.basename(file)));
    fonts.push(name);
  }
  return { fonts, missing };
}

/**
 * Returns the paths of the font files and the copyright file of an installed package, or none.
 * @param {string} name @returns {string[]}
 */
function filesOf(name) {
  try {
    const listed = execFileSync('dpkg', ['-L', name], { encoding: 'utf8', stdio: 'pipe' }).split('\n');
    const wanted = listed.filter((file) => /\.(ttf|ttc|otf)$|\/doc\/[^/]+\/copyright$/.test(file));
    return wanted.filter((file) => existsSync(file));
  } catch {
    return [];
  }
}
