/** `node build/icons.mjs`: renders the application's icons for Linux, Windows and macOS from build/icons/platen.svg. */

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { project } from './setup/project.mjs';

const folder = project('build', 'icons');
const drawing = path.join(folder, 'platen.svg');
/** Linux uses one file per size. */
const pngSizes = [16, 32, 48, 128, 256, 512];
const icoSizes = [16, 24, 32, 48, 64, 256];
/** Apple's type codes, and the size in pixels for each. */
const icnsTypes = { icp4: 16, icp5: 32, ic07: 128, ic08: 256, ic09: 512 };

for (const size of pngSizes) writeFileSync(path.join(folder, `platen-${size}.png`), await png(size));
writeFileSync(path.join(folder, 'platen.ico'), ico(await Promise.all(icoSizes.map(sized))));
const apples = Object.entries(icnsTypes).map(async ([type, size]) => ({ type, bytes: await png(size) }));
writeFileSync(path.join(folder, 'platen.icns'), icns(await Promise.all(apples)));

/** @param {number} size */
function png(size) {
  return sharp(readFileSync(drawing)).resize(size, size).png({ compressionLevel: 9 }).toBuffer();
}

/** @param {number} size */
async function sized(size) {
  return { size, bytes: await png(size) };
}

/**
 * Returns an ICO file: a header, an entry of 16 bytes for each image, the images.
 * @param {{ size: number, bytes: Buffer }[]} images
 */
function ico(images) {
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  for (const [index, { size, bytes }] of images.entries()) {
    const entry = 6 + 16 * index;
    // Width and height, one byte each; 256 is stored as 0.
    head.set([size % 256, size % 256], entry);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(bytes.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += bytes.length;
  }
  return Buffer.concat([head, ...images.map(({ bytes }) => bytes)]);
}

/** Returns an ICNS file: a header, then type, length and bytes of each image. @param {{ type: string, bytes: Buffer }[]} images */
function icns(images) {
  return block('icns', Buffer.concat(images.map(({ type, bytes }) => block(type, bytes))));
}

/** @param {string} type @param {Buffer} bytes */
function block(type, bytes) {
  const head = Buffer.alloc(8, type, 'latin1');
  head.writeUInt32BE(bytes.length + 8, 4);
  return Buffer.concat([head, bytes]);
}
