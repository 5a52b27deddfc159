/**
 * `node build/icons.mjs`: renders the application's icons for Linux, Windows and macOS from build/icons/platen.svg, and the icons
 * of the tray for Windows.
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { allTrayIcos, drawIcon, trayIcoName, trayIcoSizes } from '../main/app/tray/tray-icon.ts';
import { project } from './setup/project.mjs';

const folder = project('build', 'icons');
const drawing = path.join(folder, 'platen.svg');
/** Linux uses one file per size. */
const pngSizes = [16, 32, 48, 128, 256, 512];
const icoSizes = [16, 20, 24, 32, 40, 48, 64, 256];
/** Apple's type codes, and the size in pixels for each. */
const icnsTypes = { icp4: 16, icp5: 32, ic07: 128, ic08: 256, ic09: 512 };

for (const size of pngSizes) writeFileSync(path.join(folder, `platen-${size}.png`), await png(size));
writeFileSync(path.join(folder, 'platen.ico'), await ico(await Promise.all(icoSizes.map(sized))));
const apples = Object.entries(icnsTypes).map(async ([type, size]) => ({ type, bytes: await png(size) }));
writeFileSync(path.join(folder, 'platen.icns'), icns(await Promise.all(apples)));

const trayFolder = path.join(folder, 'tray');
rmSync(trayFolder, { recursive: true, force: true });
mkdirSync(trayFolder);
for (const icon of allTrayIcos()) {
  const images = trayIcoSizes.map((size) => ({ size, bytes: drawIcon(icon, size) }));
  writeFileSync(path.join(trayFolder, `${trayIcoName(icon)}.ico`), await ico(images));
}

/** @param {number} size */
function png(size) {
  return sharp(readFileSync(drawing)).resize(size, size).png({ compressionLevel: 9 }).toBuffer();
}

/** @param {number} size */
async function sized(size) {
  return { size, bytes: await png(size) };
}

/**
 * Returns an ICO file: a header, an entry of 16 bytes for each image, the images. An image of 256 pixels is a PNG; smaller ones are
 * bitmaps, which every program that reads icons understands.
 * @param {{ size: number, bytes: Buffer }[]} pngs
 */
async function ico(pngs) {
  const images = await Promise.all(
    pngs.map(async ({ size, bytes }) => ({ size, bytes: size === 256 ? bytes : await bitmap(size, bytes) })),
  );
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

/**
 * Returns a bitmap as ICO files contain it: a BITMAPINFOHEADER with twice the height, the pixels in blue, green, red, opacity
 * from the bottom row up, and an empty mask, which readers without support for opacity use.
 * @param {number} size @param {Buffer} bytes of a PNG
 */
async function bitmap(size, bytes) {
  const pixels = await sharp(bytes).ensureAlpha().raw().toBuffer();
  const head = Buffer.alloc(40);
  head.writeUInt32LE(40, 0);
  head.writeInt32LE(size, 4);
  head.writeInt32LE(2 * size, 8);
  head.writeUInt16LE(1, 12);
  head.writeUInt16LE(32, 14);
  const body = Buffer.alloc(pixels.length);
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column < size; column += 1) {
      const from = (row * size + column) * 4;
      const to = ((size - 1 - row) * size + column) * 4;
      body.writeUInt32LE(pixels.readUInt32BE(from) >>> 8, to);
      body[to + 3] = pixels[from + 3];
    }
  // Each row of the mask has one bit a pixel and is padded to four bytes.
  const mask = Buffer.alloc(Math.ceil(size / 32) * 4 * size);
  return Buffer.concat([head, body, mask]);
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
