import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { adler32 } from '../../../../main/output/png/adler.ts';
import { encodeBand } from '../../../../main/output/png/band.ts';
import { pictureOf } from '../../../../main/output/png/picture.ts';
import { randomOf } from '../../../soak/random.ts';

type Pixel = readonly [red: number, green: number, blue: number, alpha: number];

interface Size {
  readonly width: number;
  readonly height: number;
}

/** As Chromium hands pixels over: blue first, the colours multiplied by the opacity. */
function drawn({ width, height }: Size, pixelAt: (x: number, y: number) => Pixel): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue, alpha] = pixelAt(x, y);
      const shown = [blue, green, red].map((channel) => Math.round((channel * alpha) / 255));
      bytes.set([...shown, alpha], (y * width + x) * 4);
    }
  return bytes;
}

/** Cut into bands of so many rows, encoded and read again: red, green, blue and opacity if there is any. */
async function roundTrip(pixels: Uint8Array<ArrayBuffer>, size: Size, how: { rows: number; alpha: boolean }) {
  const { width, height } = size;
  const { rows, alpha } = how;
  const cut = (top: number) => pixels.slice(top * width * 4, (top + rows) * width * 4);
  const tops = Array.from({ length: Math.ceil(height / rows) }, (_, index) => index * rows);
  const parts = tops.map((top) => encodeBand({ pixels: cut(top), width, alpha, level: 4 }));
  const picture = sharp(pictureOf({ ...size, alpha }, parts), { failOn: 'warning' });
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height, info.channels], [width, height, alpha ? 4 : 3]);
  return data;
}

const random = randomOf(7);
const noise = () => Math.floor(random() * 256);

const pictures: readonly (readonly [string, Size, (x: number, y: number) => Pixel])[] = [
  ['noise', { width: 61, height: 37 }, () => [noise(), noise(), noise(), 255]],
  ['one colour', { width: 200, height: 90 }, () => [1, 2, 3, 255]],
  [
    'text',
    { width: 120, height: 64 },
    (x, y) => ((x * 7 + y) % 11 < 3 ? [0, 0, 0, 255] : [255, 255, 250, 255]),
  ],
  ['a slope', { width: 256, height: 33 }, (x, y) => [x, y, 255 - x, 255]],
  ['a pixel', { width: 1, height: 1 }, () => [9, 8, 7, 255]],
];

describe('A PNG of pixels', () => {
  for (const [name, size, pixelAt] of pictures)
    for (const rows of [size.height, 10])
      test(`of ${name}, in bands of ${rows} rows, has all of them`, async () => {
        const pixels = drawn(size, pixelAt);
        const data = await roundTrip(pixels, size, { rows, alpha: false });
        for (let at = 0; at < size.width * size.height; at += 1) {
          const [blue, green, red] = pixels.subarray(at * 4);
          assert.deepEqual([...data.subarray(at * 3, at * 3 + 3)], [red, green, blue]);
        }
      });

  test('keeps the opacity, and the colours of what something shines through', async () => {
    const size = { width: 64, height: 20 };
    const pixelAt = (x: number, y: number): Pixel => [200, 100, 50, y < 10 ? x * 4 : (x % 2) * 255];
    const data = await roundTrip(drawn(size, pixelAt), size, { rows: 7, alpha: true });
    for (let y = 0; y < size.height; y += 1)
      for (let x = 0; x < size.width; x += 1) {
        const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray((y * size.width + x) * 4);
        assert.equal(alpha, pixelAt(x, y)[3]);
        // What was multiplied by a small number comes back within half of what that number tells apart.
        const near = alpha === 0 ? 0 : 128 / alpha + 1;
        const wanted = alpha === 0 ? [0, 0, 0] : [200, 100, 50];
        for (const [index, channel] of [red, green, blue].entries())
          assert.ok(Math.abs(channel - (wanted[index] ?? 0)) <= near, `${x},${y}: ${channel}`);
      }
  });

  test('is about as small as one that is encoded in one piece', () => {
    const size = { width: 800, height: 600 };
    const pixels = drawn(size, (x, y) =>
      ((x >> 3) * (y >> 4)) % 5 === 0 ? [0, 0, 99, 255] : [255, 255, 255, 255],
    );
    const { chunk } = encodeBand({ pixels, width: 800, alpha: false, level: 4 });
    assert.ok(chunk.length < deflateSync(pixels).length);
  });

  test('has the checksum that zlib has', () => {
    for (const length of [0, 1, 5551, 5552, 5553, 100_000]) {
      const bytes = Buffer.from(Array.from({ length }, () => 255));
      assert.equal(adler32(bytes), deflateSync(bytes).readUInt32BE(deflateSync(bytes).length - 4));
    }
  });
});
