/** Checks for the libraries, programs and fonts that Electron and the tests need on a Linux machine. */

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { BuildProblem } from './problem.mjs';
import { project, readJson } from './project.mjs';

/**
 * `packages`: the names of the Debian packages; `needed`: false for fonts.
 * @typedef {{ what: string, packages: string[], needed: boolean }} MissingLibraries
 */

const libraryPackages = ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1'];
/** Names of programs that test/support/console/browser.ts can drive. @type {string[]} */
const browserNames = readJson(project('build', 'setup', 'browsers.json'));
const requiredFonts = [
  { what: 'the Liberation fonts', file: /^LiberationSans-Regular\./, packages: ['fonts-liberation'] },
  { what: 'the Noto fonts', file: /^NotoSans[-[](Regular|wght|wdth|VF)/, packages: ['fonts-noto-core'] },
  { what: 'an emoji font', file: /^Noto-?ColorEmoji/i, packages: ['fonts-noto-color-emoji'] },
  { what: 'Chinese, Japanese and Korean fonts', file: /^NotoSansCJK/, packages: ['fonts-noto-cjk'] },
];

/**
 * Checks all requirements.
 * @param {{ electron: string, withTests?: boolean }} wanted
 * @returns {{ missing: MissingLibraries[], found: string[] }} `found`: the paths of the files found
 * @throws {BuildProblem} if Electron cannot be loaded, or PLATEN_TEST_BROWSER does not exist
 */
export function checkSystem({ electron, withTests }) {
  const parts = [checkLibraries(electron), checkFonts()];
  if (!process.env.DISPLAY) parts.push(checkPrograms(['Xvfb'], 'xvfb'));
  if (withTests)
    parts.push(
      checkPrograms(['pdfinfo', 'pdftotext', 'pdftoppm', 'pdfimages'], 'poppler-utils'),
      checkPrograms(['qpdf'], 'qpdf'),
      // `convert` alone may belong to another program.
      checkPrograms(['identify', 'convert'], 'imagemagick'),
      checkPrograms(['zip'], 'zip'),
      checkBrowser(),
    );
  return { missing: parts.flatMap(({ missing }) => missing), found: parts.flatMap(({ found }) => found) };
}

/** @param {string} electron */
function checkLibraries(electron) {
  const lines = ldd(electron).split('\n');
  const absent = lines.filter((line) => line.includes('not found')).map((line) => line.trim().split(' ')[0]);
  const found = lines.map((line) => /=> (\/\S+)/.exec(line)?.[1] ?? '').filter(Boolean);
  if (absent.length === 0) return { missing: [], found };
  return { missing: [{ what: absent.join(', '), packages: libraryPackages, needed: true }], found };
}

/** @param {string} electron */
function ldd(electron) {
  try {
    return execFileSync('ldd', [electron], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C' },
    });
  } catch {
    throw new BuildProblem(
      `Electron (${electron}) cannot be loaded on this machine: use a Linux with glibc (Debian, Ubuntu, Fedora), for instance the image node:20-bookworm.`,
    );
  }
}

/** @param {string[]} names @param {string} debianPackage */
function checkPrograms(names, debianPackage) {
  const places = names.map((name) => ({ name, place: placeOf(name) }));
  const absent = places.filter(({ place }) => !place).map(({ name }) => name);
  const found = places.flatMap(({ place }) => place ?? []);
  if (absent.length === 0) return { missing: [], found };
  return { missing: [{ what: absent.join(', '), packages: [debianPackage], needed: true }], found };
}

/** Checks for a supported browser: the path in PLATEN_TEST_BROWSER, or else a program on PATH. */
function checkBrowser() {
  const named = process.env.PLATEN_TEST_BROWSER;
  if (named && !existsSync(named))
    throw new BuildProblem(
      `PLATEN_TEST_BROWSER is ${named}, which does not exist: set it to an installed browser.`,
    );
  const place = named || browserNames.flatMap((name) => placeOf(name) ?? [])[0];
  if (place) return { missing: [], found: [place] };
  return { missing: [{ what: 'a browser for tests', packages: ['chromium'], needed: true }], found: [] };
}

/** Returns the path of a program on PATH. @param {string} name @returns {string | undefined} */
export function placeOf(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

function checkFonts() {
  const files = fontFolders().flatMap(filesUnder);
  const looked = requiredFonts.map((font) => ({
    ...font,
    place: files.find((file) => font.file.test(path.basename(file))),
  }));
  const missing = looked
    .filter(({ place }) => !place)
    .map(({ what, packages }) => ({ what, packages, needed: false }));
  return { missing, found: looked.flatMap(({ place }) => place ?? []) };
}

function fontFolders() {
  const userFolders = ['.fonts', '.local/share/fonts'].map((folder) => path.join(os.homedir(), folder));
  return ['/usr/share/fonts', '/usr/local/share/fonts', ...userFolders];
}

/** @param {string} folder */
function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true }).map((name) => path.join(folder, String(name)));
}
