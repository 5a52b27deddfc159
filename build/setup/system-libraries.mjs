/** Installs the system packages that Electron needs on a Linux machine: shared libraries, an X server, fonts. */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { chosenRuntime } from './electron-runtime.mjs';
import { BuildProblem, print, relevantLines } from './problem.mjs';
import { output, readJson } from './project.mjs';
import { checkSystem } from './system-inventory.mjs';

const recordFile = output('system.json');
const installArgs = ['install', '-y', '--no-install-recommends'];

/** @type {import('./set-up.mjs').Step} */
export const systemLibraries = {
  ready: (options) => process.platform !== 'linux' || isRecordValid(options),
  run(options) {
    const electron = currentElectron();
    let { missing, found } = checkSystem({ ...options, electron });
    if (missing.length > 0 && canInstall()) {
      install(missing.flatMap(({ packages }) => packages));
      ({ missing, found } = checkSystem({ ...options, electron }));
    }
    if (missing.length > 0) reportMissing(missing);
    writeRecord({ electron, found, wanted: options });
  },
};

/**
 * Returns whether the result of the last check is still valid: for the same Electron, and all files found then still exist.
 * @param {import('./set-up.mjs').SetUpOptions} wanted
 */
function isRecordValid({ withTests }) {
  const record = readJson(recordFile);
  if (record?.electron !== currentElectron()) return false;
  if (withTests && !record.withTests) return false;
  if (!process.env.DISPLAY && !record.withoutDisplay) return false;
  return record.found.every((/** @type {string} */ file) => existsSync(file));
}

/** @param {{ electron: string, found: string[], wanted: import('./set-up.mjs').SetUpOptions }} facts */
function writeRecord({ electron, found, wanted }) {
  const record = {
    electron,
    withTests: Boolean(wanted.withTests),
    withoutDisplay: !process.env.DISPLAY,
    found,
  };
  writeFileSync(recordFile, `${JSON.stringify(record, null, 2)}\n`);
}

function currentElectron() {
  return chosenRuntime()?.electron ?? '';
}

function canInstall() {
  return process.getuid?.() === 0 && hasApt();
}

function hasApt() {
  return existsSync('/usr/bin/apt-get');
}

/** @param {string[]} names Debian's package names without `t64` */
function install(names) {
  print(`Installing Debian packages: ${names.join(' ')}.`);
  // A failure of the update is ignored, because the package lists may be current; otherwise the installation fails.
  apt(['update']);
  const { ok, text } = apt([...installArgs, ...knownNames(names)]);
  if (ok) return;
  print(relevantLines(text));
  throw new BuildProblem(
    `apt-get could not install the packages that Electron needs: run \`apt-get update && ${command(names)}\` to see the error.`,
  );
}

/** @param {string[]} args */
function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  const commonArgs = ['-q', '-o', 'DPkg::Lock::Timeout=300'];
  const { status, stdout, stderr } = spawnSync('apt-get', [...commonArgs, ...args], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { ok: status === 0, text: `${stdout}${stderr}` };
}

/**
 * Appends `t64` to the names of packages that are available under that name. Debian 13 and Ubuntu 24.04 renamed libraries in this
 * way; the old name may remain without an installable version.
 * @param {string[]} names
 */
function knownNames(names) {
  const policy = execFileSync('apt-cache', ['policy', ...names.map((name) => `${name}t64`)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  const known = [...policy.matchAll(/^(\S+):\n.*\n +Candidate: (?!\(none\))/gm)].map(([, name]) => name);
  return names.map((name) => (known.includes(`${name}t64`) ? `${name}t64` : name));
}

/** Returns the apt-get command that installs the packages. @param {string[]} names */
function command(names) {
  return `apt-get ${installArgs.join(' ')} ${knownNames(names).join(' ')}`;
}

/**
 * Throws a BuildProblem if something required is missing. Missing fonts are only reported, because pages can be printed without
 * them.
 * @param {import('./system-inventory.mjs').MissingLibraries[]} missing
 */
function reportMissing(missing) {
  const what = missing.map(({ what }) => what).join(', ');
  const names = missing.flatMap(({ packages }) => packages);
  const remedy = hasApt()
    ? `run \`sudo apt-get update && sudo ${command(names)}\``
    : `install them with your package manager (on Debian: ${names.join(' ')})`;
  if (missing.some(({ needed }) => needed))
    throw new BuildProblem(`This machine lacks ${what}: ${remedy}, then run the command again.`);
  print(`Some documents will show boxes instead of letters, because this machine lacks ${what}: ${remedy}.`);
}
