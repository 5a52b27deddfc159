/** Copies Electron into the packaged application, without unneeded files, and sets its fuses. */

import { execFileSync } from 'node:child_process';
import { cpSync, renameSync } from 'node:fs';
import path from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire } from '@electron/fuses';
import { BuildProblem } from '../setup/problem.mjs';
import { fusesFor } from './fuses.ts';

/** The name of the executable. It must not be `electron`, so that `app.isPackaged` is true. */
export const EXECUTABLE = 'platen-service';

/** The state of each fuse, by its number in @electron/fuses. */
const fuseStates = Object.fromEntries(
  Object.entries(fusesFor(process.platform)).map(([name, on]) => [
    /** @type {any} */ (FuseV1Options)[`${name[0]?.toUpperCase()}${name.slice(1)}`],
    on,
  ]),
);

/** Returns the folder of the unpacked Electron; on macOS, the folder that contains the .app. @param {string} executable */
export function folderOf(executable) {
  return path.resolve(executable, process.platform === 'darwin' ? '../../../..' : '..');
}

/**
 * Copies Electron into the packaged application, and sets its fuses.
 * @param {string} dist @param {string} target @returns {Promise<string>} the path of the executable
 */
export async function copyRuntime(dist, target) {
  const folder = path.join(target, 'runtime');
  cpSync(dist, folder, { recursive: true, filter: (file) => path.basename(file) !== 'default_app.asar' });
  const executable = path.join(folder, EXECUTABLE);
  renameSync(path.join(folder, 'electron'), executable);
  await flipFuses(executable, { version: FuseVersion.V1, ...fuseStates });
  return executable;
}

/** Checks the fuses of the executable. @param {string} executable @throws {BuildProblem} if a fuse has the wrong state */
export async function verifyFuses(executable) {
  const wire = await getCurrentFuseWire(executable);
  for (const [fuse, on] of Object.entries(fuseStates)) {
    if (/** @type {any} */ (wire)[fuse] !== (on ? '1' : '0').charCodeAt(0))
      throw new BuildProblem(
        `The fuse ${FuseV1Options[Number(fuse)]} could not be set: use an Electron that supports this fuse, then run the command again.`,
      );
  }
}

/** Returns process.versions of the executable. @param {string} executable @returns {Record<string, string>} */
export function versionsOf(executable) {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  return JSON.parse(
    execFileSync(executable, ['-p', 'JSON.stringify(process.versions)'], { env, encoding: 'utf8' }),
  );
}
