/** Recompression of PNGs that were compressed fast: the same pixels in fewer bytes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp, { type PngOptions } from 'sharp';
import { repackPng } from '../../../../main/output/finish/repack-png.ts';
import { decodeWithImageMagick } from '../../../support/output/image.ts';

const width = 211;
const height = 97;

/** Returns pixels with smooth colours and some noise, like a photograph. */
function photo(channels: 3 | 4): Buffer {
  const value = (at: number) => {
    const x = Math.floor(at / channels) % width;
    const y = Math.floor(at / channels / width);
    const colour = at % channels;
    return 128 + 80 * Math.sin((x + y * (colour + 1)) / 40) + ((at * 89) % 7);
  };
  return Buffer.from(Array.from({ length: width * height * channels }, (_, at) => value(at)));
}

function encoded(pixels: Buffer, channels: 3 | 4, options: PngOptions = {}): Promise<Buffer> {
  const raw = { width, height, channels };
  return sharp(pixels, { raw })
    .png({ compressionLevel: 1, ...options })
    .toBuffer();
}

async function pixelsOf(png: Uint8Array): Promise<Buffer> {
  return await sharp(decodeWithImageMagick(Buffer.from(png), 'png'))
    .raw()
    .toBuffer();
}

describe('A fast-compressed PNG', () => {
  for (const channels of [3, 4] as const) {
    test(`keeps each pixel of ${channels} channels in two thirds of the bytes`, async () => {
      const pixels = photo(channels);
      const fastPng = await encoded(pixels, channels);
      const packed = repackPng(fastPng);
      assert.ok(packed.length < (fastPng.length * 2) / 3, `${packed.length} of ${fastPng.length} bytes`);
      assert.ok((await pixelsOf(packed)).equals(pixels));
    });
  }

  test('may be a view into a larger buffer, as it is when threads exchange it', async () => {
    const pixels = photo(3);
    const fastPng = await encoded(pixels, 3);
    const larger = new Uint8Array(fastPng.length + 20);
    larger.set(fastPng, 7);
    const packed = repackPng(larger.subarray(7, 7 + fastPng.length));
    assert.ok((await pixelsOf(packed)).equals(pixels));
  });

  test('keeps its metadata', async () => {
    const fastPng = await sharp(photo(3), { raw: { width, height, channels: 3 } })
      .withMetadata({ density: 300 })
      .png({ compressionLevel: 1 })
      .toBuffer();
    const { density, space, hasProfile } = await sharp(Buffer.from(repackPng(fastPng))).metadata();
    assert.deepEqual([Math.round(density ?? 0), space, hasProfile], [300, 'srgb', true]);
  });

  test('is returned unchanged if other filters would make it larger', async () => {
    // Two colours, in a pattern with a period of eight rows.
    const pattern = Array.from({ length: 8 * width }, (_, at) => ((at * 7919) % 13 < 6 ? 0 : 255));
    const pixels = Buffer.from(
      Array.from(
        { length: width * height * 3 },
        (_, at) => pattern[Math.floor(at / 3) % pattern.length] ?? 0,
      ),
    );
    const fastPng = await encoded(pixels, 3, { compressionLevel: 9 });
    assert.equal(repackPng(fastPng), fastPng);
  });

  for (const [what, options] of [
    ['with a palette', { palette: true }],
    ['that is interlaced', { progressive: true }],
    ['that has filters already', { adaptiveFiltering: true }],
  ] as const) {
    test(`${what} is unchanged`, async () => {
      const png = await encoded(photo(3), 3, options);
      assert.equal(repackPng(png), png);
    });
  }
});
