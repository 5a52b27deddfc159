/** Reads images pixel by pixel. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import sharp from 'sharp';
import type { Colour } from '../../../main/engine/health/pixel.ts';

export type { Colour };

export interface PixelImage {
  readonly width: number;
  readonly height: number;
  readonly format: string;
  readonly at: (x: number, y: number) => Colour;
}

export async function readImage(bytes: Buffer): Promise<PixelImage> {
  const { format } = await sharp(bytes, { limitInputPixels: false }).metadata();
  const { data, info } = await sharp(bytes, { limitInputPixels: false })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    format,
    at(x, y) {
      const offset = (y * info.width + x) * info.channels;
      return [data[offset] ?? -1, data[offset + 1] ?? -1, data[offset + 2] ?? -1];
    },
  };
}

/** Decodes an image of the named format with ImageMagick, independently of the service, and returns it as a PNG. */
export function decodeWithImageMagick(bytes: Buffer, format: string): Buffer {
  // On Windows, convert.exe belongs to the system and converts file systems.
  const program = process.platform === 'win32' ? 'magick' : 'convert';
  const { stdout, stderr, error } = spawnSync(program, [`${format}:-`, 'png:-'], {
    input: bytes,
    maxBuffer: 2 ** 28,
  });
  assert.equal(error, undefined);
  assert.ok(stdout.length > 0, stderr.toString());
  return stdout;
}

/** Returns whether no channel differs by more than the tolerance, which allows for JPEG compression. */
export function isNear(left: Colour, right: Colour, tolerance = 8): boolean {
  return left.every((channel, index) => Math.abs(channel - (right[index] ?? 0)) <= tolerance);
}

/** Returns the share of pixels of which a channel differs by more than the tolerance. */
export function differingShare(left: PixelImage, right: PixelImage, tolerance: number): number {
  let differing = 0;
  for (let y = 0; y < left.height; y += 1)
    for (let x = 0; x < left.width; x += 1)
      if (!isNear(left.at(x, y), right.at(x, y), tolerance)) differing += 1;
  return differing / (left.width * left.height);
}

/** Returns the bounding box of the pixels close to the colour, inclusive; undefined if there are none. */
export function extent(
  image: PixelImage,
  colour: Colour,
): { left: number; top: number; right: number; bottom: number } | undefined {
  let box: { left: number; top: number; right: number; bottom: number } | undefined;
  for (let y = 0; y < image.height; y += 1) {
    for (let x = 0; x < image.width; x += 1) {
      if (!isNear(image.at(x, y), colour)) continue;
      box ??= { left: x, top: y, right: x, bottom: y };
      box = { left: Math.min(box.left, x), top: box.top, right: Math.max(box.right, x), bottom: y };
    }
  }
  return box;
}
