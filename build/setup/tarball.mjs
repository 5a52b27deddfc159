/** Extracts one file from an npm tarball, for machines without `tar`. */

import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

const block = 512;

/**
 * Writes one member of a gzipped tarball to a file. @throws {Error} if the tarball does not contain it
 * @param {string} tarball
 * @param {string} name its path in the tarball, such as package/index.js
 * @param {string} target
 */
export async function extractMember(tarball, name, target) {
  const tar = `${target}.tar`;
  await pipeline(createReadStream(tarball), createGunzip(), createWriteStream(tar));
  const { start, size } = await findMember(tar, name);
  await pipeline(createReadStream(tar, { start, end: start + size - 1 }), createWriteStream(target));
  rmSync(tar);
}

/**
 * @param {string} tar
 * @param {string} wanted @returns {Promise<{ start: number, size: number }>} the position of its contents, in bytes
 */
async function findMember(tar, wanted) {
  const file = await open(tar);
  try {
    for (let at = 0; ;) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(block), 0, block, at);
      const { name, size } = readHeader(buffer);
      if (bytesRead < block || name === '') throw new Error(`the package does not contain ${wanted}`);
      if (name === wanted) return { start: at + block, size };
      at += block + Math.ceil(size / block) * block;
    }
  } finally {
    await file.close();
  }
}

/** @param {Buffer} head a POSIX ustar header: name at 0, size in octal at 124 */
function readHeader(head) {
  const text = (/** @type {number} */ from, /** @type {number} */ to) =>
    head.toString('latin1', from, to).split('\0')[0].trim();
  return { name: text(0, 100), size: Number.parseInt(text(124, 136), 8) || 0 };
}
