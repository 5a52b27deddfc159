/** Builds the Debian package: /opt/platen, /usr/bin/platen, a menu entry, and a systemd unit, which is not enabled. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { BuildProblem, relevantLines } from '../setup/problem.mjs';
import { project, readJson } from '../setup/project.mjs';
import { changelog, control, copyright, debianArchitecture, debianVersion } from './debian-files.ts';
import { debianUnit } from './debian-unit.ts';
import { setDates, makeReadable, sizeOf } from './tar-gz.mjs';

const debianFiles = project('build', 'packaging', 'debian');
const iconSizes = [16, 32, 48, 128, 256, 512];

/** Returns the reason why this machine cannot build the package, or undefined if it can. */
export function debianProblem() {
  try {
    execFileSync('dpkg-deb', ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'dpkg-deb, a part of dpkg, is not installed';
  }
}

/**
 * Builds the package from the application folder, with hard links instead of copies.
 * @param {string} application @param {{ date: Date }} facts
 * @returns {string} the path of the .deb file, next to the application folder
 * @throws {BuildProblem} if dpkg-deb fails
 */
export function writeDebianPackage(application, { date }) {
  const { version } = readJson(project('package.json'));
  const about = {
    version,
    arch: process.arch,
    date,
    maintainer: maintainer(),
    size: sizeOf(application),
    licence: readFileSync(project('LICENSE'), 'utf8'),
  };
  const name = `platen_${debianVersion(version)}_${debianArchitecture(process.arch)}.deb`;
  const file = path.join(path.dirname(application), name);
  // A separate folder for each package, on the same file system as the application, as hard links require.
  const root = mkdtempSync(path.join(path.dirname(application), '.debian-'));
  try {
    linkTree(application, path.join(root, 'opt', 'platen'));
    copyFiles(root, about);
    writeControl(root, about);
    makeReadable(root);
    setDates(root, date);
    build({ root, file, date });
  } finally {
    rmSync(root, { recursive: true });
  }
  return file;
}

/** Returns the maintainer from the environment variables that Debian's tools use (debchange(1)). */
function maintainer() {
  const { DEBFULLNAME, DEBEMAIL } = process.env;
  return `${DEBFULLNAME || 'Platen'} <${DEBEMAIL || 'platen@localhost'}>`;
}

/** @param {string} from @param {string} to */
function linkTree(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory()) linkTree(source, target);
    else linkSync(source, target);
  }
}

/** Writes the files outside /opt/platen. @param {string} root @param {import('./debian-files.ts').DebianPackage} about */
function copyFiles(root, about) {
  const place = (/** @type {string} */ to) => {
    mkdirSync(path.dirname(path.join(root, to)), { recursive: true });
    return path.join(root, to);
  };
  // A link between two top-level folders must be absolute (Debian Policy, 10.5).
  symlinkSync('/opt/platen/platen', place('usr/bin/platen'));
  copyFileSync(path.join(debianFiles, 'apparmor-profile'), place('opt/platen/apparmor-profile'));
  writeFileSync(place('usr/lib/systemd/system/platen.service'), debianUnit());
  copyFileSync(path.join(debianFiles, 'platen.desktop'), place('usr/share/applications/platen.desktop'));
  copyFileSync(path.join(debianFiles, 'lintian-overrides'), place('usr/share/lintian/overrides/platen'));
  for (const size of iconSizes)
    copyFileSync(
      project('build', 'icons', `platen-${size}.png`),
      place(`usr/share/icons/hicolor/${size}x${size}/apps/platen.png`),
    );
  copyFileSync(
    project('build', 'icons', 'platen.svg'),
    place('usr/share/icons/hicolor/scalable/apps/platen.svg'),
  );
  writeFileSync(place('usr/share/doc/platen/copyright'), copyright(about));
  writeFileSync(place('usr/share/doc/platen/changelog.Debian.gz'), gzipSync(changelog(about), { level: 9 }));
}

/** @param {string} root @param {import('./debian-files.ts').DebianPackage} about */
function writeControl(root, about) {
  const folder = path.join(root, 'DEBIAN');
  const sums = filesIn(root).map((file) => `${md5(path.join(root, file))}  ${file}\n`);
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'control'), control(about));
  writeFileSync(path.join(folder, 'md5sums'), sums.join(''));
  for (const name of ['postinst', 'prerm', 'postrm']) {
    copyFileSync(path.join(debianFiles, name), path.join(folder, name));
    chmodSync(path.join(folder, name), 0o755);
  }
}

/** @param {string} root @returns {string[]} */
function filesIn(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** Returns the MD5 hash of a file; `dpkg --verify` supports no other hash. @param {string} file */
function md5(file) {
  return createHash('md5').update(readFileSync(file)).digest('hex');
}

/** @param {{ root: string, file: string, date: Date }} of */
function build({ root, file, date }) {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(Math.floor(date.getTime() / 1000)), LC_ALL: 'C' };
  try {
    // --root-owner-group: all files belong to root. In an eighth of xz's processor time (level 3), zstd makes a sample of Electron's
    // files 18 % larger. dpkg 1.21.18 reads zstd: Debian 12 and Ubuntu, but not Debian 11, whose support
    // ended in August 2026.
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z9', '--build', root, file], {
      env,
      stdio: 'pipe',
    });
  } catch (/** @type {any} */ error) {
    throw new BuildProblem(
      `dpkg-deb failed (${relevantLines(String(error.stderr))}): fix the problem, then run the command again.`,
    );
  }
}
