/** The note about documents that are many times what the page loaded. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import sharp from 'sharp';
import { zip } from '../../support/archives/zip-writer.ts';
import { send, type Fields } from '../../support/service/convert.ts';
import { defaultService } from '../../support/service/default-service.ts';
import type { Service } from '../../support/service/service.ts';

const width = 1600;
const height = 1200;

/** Returns smooth colours with some noise, which WebP and JPEG compress far better than a PDF. */
function photograph(): ReturnType<typeof sharp> {
  let state = 7;
  const pixels = Buffer.from(
    Array.from({ length: width * height * 3 }, (_, index) => {
      state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + index;
      return ((index / 5000) % 200) + ((state >>> 16) % 60);
    }),
  );
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

describe('a document that is many times what the page loaded', () => {
  let service: Service;
  let webp: Buffer;
  before(async () => {
    service = await defaultService();
    webp = await photograph().webp({ quality: 20 }).toBuffer();
  });

  const refused = async (fields: Fields) => {
    const { status, body } = await send(service, { ...fields, fail_on_notes: 'output-oversized' });
    return status === 200 ? '' : body.toString();
  };
  const shown = '<p>x<img src="photo.webp" width="300">';
  const archive = (body = shown) => {
    const files = [
      { name: 'index.html', contents: body },
      { name: 'photo.webp', contents: webp },
    ];
    return { file: new File([new Uint8Array(zip(files))], 'a.zip') };
  };

  test('has a note that names the picture', async () => {
    assert.match(
      await refused(archive()),
      /has [\d.]+ MB, \d+ times the [\d.]+ (k|M)B .*: photo\.webp \(1,600 × 1,200 px, [\d.]+ MB\)/,
    );
  });

  test('has a note that names the elements whose effects are drawn', async () => {
    const card =
      '<div style="height: 900px; filter: blur(3px)"><div style="height: 900px; background: conic-gradient(red, blue, lime)">';
    assert.match(
      await refused({ text: `${card}</div></div>`.repeat(6) }),
      /: div:nth-of-type\(1\) \(filter\), .* remove shadows and filters/,
    );
  });

  test('has no note if its pictures are JPEG files, or become ones', async () => {
    const jpeg = (await photograph().jpeg({ quality: 30 }).toBuffer()).toString('base64');
    assert.equal(await refused({ text: `<p>x<img src="data:image/jpeg;base64,${jpeg}">` }), '');
    assert.equal(await refused({ ...archive(), convert_images_to_jpeg: 'opaque', jpeg_quality: 20 }), '');
  });
});
