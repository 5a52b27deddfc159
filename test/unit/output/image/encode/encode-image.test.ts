import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { encodeTo } from '../../../../../main/output/image/encode/encode-image.ts';
import type { ImageFormat } from '../../../../../main/job/image-formats.ts';
import { decodeWithImageMagick } from '../../../../support/output/image.ts';

const width = 37;
const heights = [20, 20, 7];
const height = 47;
/** Every pixel differs from its neighbours. */
const pixels = Buffer.from(Array.from({ length: width * height * 3 }, (_, at) => (at * 89) % 256));

describe('The encoder', () => {
  let folder: string;
  const bands: string[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platen-encode-'));
    let top = 0;
    for (const rows of heights) {
      const raw = { width, height: rows, channels: 3 } as const;
      const file = join(folder, `${top}.png`);
      await sharp(pixels.subarray(top * width * 3, (top + rows) * width * 3), { raw })
        .png()
        .toFile(file);
      bands.push(file);
      top += rows;
    }
  });
  after(() => rm(folder, { recursive: true }));

  const encoded = async (format: ImageFormat): Promise<Buffer> => {
    const output = join(folder, `out.${format}`);
    await encodeTo(output, { bands, folder, width, height, format, quality: 90, hasAlpha: false });
    return readFile(output);
  };

  for (const [format, decoder] of [
    ...(['png', 'tiff', 'bmp', 'ico', 'ppm', 'pnm', 'tga', 'sgi', 'sun'] as const).map(
      (name) => [name, name] as const,
    ),
    ['ras', 'sun'] as const,
  ]) {
    test(`joins bands into a ${format} with every pixel in its place`, async () => {
      const image = sharp(decodeWithImageMagick(await encoded(format), decoder))
        .removeAlpha()
        .raw();
      const { data, info } = await image.toBuffer({ resolveWithObject: true });
      assert.deepEqual([info.width, info.height], [width, height]);
      assert.ok(data.equals(pixels));
    });
  }

  for (const [format, bytes] of [
    ['bmp', 54 + 112 * height],
    ['ppm', 13 + 111 * height],
    ['pgm', 13 + width * height],
    ['pbm', 9 + 5 * height],
    ['tga', 18 + 111 * height + 26],
    ['sgi', 512 + 111 * height],
    ['ras', 32 + 112 * height],
  ] as const) {
    test(`writes a ${format} file of the expected length`, async () => {
      assert.equal((await encoded(format)).length, bytes);
    });
  }

  test('dithers a pbm of several bands to the mean brightness of the image', async () => {
    const image = sharp(decodeWithImageMagick(await encoded('pbm'), 'pbm')).raw();
    const { data, info } = await image.toBuffer({ resolveWithObject: true });
    const light = (values: Uint8Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
    assert.ok(Math.abs(light(data) - light(pixels)) < 6, `${light(data)} ${light(pixels)} ${info.channels}`);
  });
});
