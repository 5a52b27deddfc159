import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import sharp from 'sharp';
import { imageFormats, imageContentTypes, type ImageFormat } from '../../../main/job/image-formats.ts';
import { convert, refusal, send, type Fields } from '../../support/service/convert.ts';
import { isNear, decodeWithImageMagick, readImage, type Colour } from '../../support/output/image.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { serveWeb } from '../../support/servers/web-server.ts';

/**
 * A page that is red above and blue below, with a green strip on the left. It is 301 pixels wide, so that rows end at odd bytes.
 */
const flag: Fields = {
  text: `<!doctype html><style>body{margin:0}div{height:100px;border-left:20px solid rgb(0,160,0)}</style>
    <div style="background:rgb(220,20,20)"></div><div style="background:rgb(20,20,220)"></div>`,
  screenshot_width: 301,
};
const expectedPixels: readonly (readonly [x: number, y: number, colour: Colour])[] = [
  [5, 5, [0, 160, 0]],
  [5, 194, [0, 160, 0]],
  [295, 5, [220, 20, 20]],
  [150, 95, [220, 20, 20]],
  [150, 105, [20, 20, 220]],
  [300, 199, [20, 20, 220]],
];

async function alphaAt(bytes: Buffer, x: number, y: number): Promise<number> {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return data[(y * info.width + x) * 4 + 3] ?? -1;
}

describe('Image formats', () => {
  let service: Service;
  before(async () => (service = await defaultService()));

  for (const output_format of ['png', 'jpg', 'webp', 'gif', 'tiff', 'avif'] as const) {
    test(`output_format=${output_format} returns an image in that format, with the colours of the page and the media type`, async () => {
      const { headers, body } = await send(service, { ...flag, output_format });
      const image = await readImage(body);
      const format = { jpg: 'jpeg', avif: 'heif' }[output_format as string] ?? output_format;
      assert.deepEqual([image.format, image.width, image.height], [format, 301, 200]);
      for (const [x, y, colour] of expectedPixels)
        assert.ok(isNear(image.at(x, y), colour, 20), `${x},${y}: ${String(image.at(x, y))}`);
      assert.equal(headers.get('content-type'), imageContentTypes[output_format]);
    });
  }

  for (const [output_format, decode] of [
    ['bmp', 'bmp'],
    ['ico', 'ico'],
    ['ppm', 'ppm'],
    ['pnm', 'pnm'],
    ['tga', 'tga'],
    ['sgi', 'sgi'],
    ['ras', 'sun'],
    ['sun', 'sun'],
  ] as const) {
    test(`output_format=${output_format} returns an image that ImageMagick decodes to the pixels of the page`, async () => {
      const { headers, body } = await send(service, { ...flag, output_format, screenshot_width: 201 });
      const image = await readImage(decodeWithImageMagick(body, decode));
      assert.deepEqual([image.width, image.height], [201, 200]);
      for (const [x, y, colour] of expectedPixels) assert.deepEqual(image.at(Math.min(x, 200), y), colour);
      assert.equal(headers.get('content-type'), imageContentTypes[output_format]);
    });
  }

  test('a pgm image has greys with the luminance of the colours', async () => {
    const image = await readImage(
      decodeWithImageMagick(await convert(service, { ...flag, output_format: 'pgm' }), 'pgm'),
    );
    assert.deepEqual([image.width, image.height], [301, 200]);
    const grey = ([red, green, blue]: Colour) => Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue);
    for (const [x, y, colour] of expectedPixels)
      assert.ok(isNear(image.at(x, y), [grey(colour), grey(colour), grey(colour)], 1));
  });

  test('a pbm image is black and white, with more black pixels where the page is darker', async () => {
    const half = `<!doctype html><style>body{margin:0}div{height:100px}</style>
      <div style="background:#000"></div><div style="background:#fff"></div><div style="background:rgb(64,64,64)"></div>`;
    const fields = { text: half, output_format: 'pbm', screenshot_width: 301 };
    const image = await readImage(decodeWithImageMagick(await convert(service, fields), 'pbm'));
    const light = (top: number) => {
      let count = 0;
      for (let y = top; y < top + 100; y += 1)
        for (let x = 0; x < 301; x += 1) count += image.at(x, y)[0] === 255 ? 1 : 0;
      return count / 30_100;
    };
    assert.deepEqual([image.width, image.height], [301, 300]);
    assert.deepEqual([light(0), light(100)], [0, 1]);
    assert.ok(Math.abs(light(200) - 64 / 255) < 0.02, String(light(200)));
  });

  test('a page too large for an icon is scaled down, with a note in the debug log', async () => {
    const fields = { ...flag, screenshot_width: 400, output_format: 'ico', debug_log: true };
    const { body, headers } = await send(service, fields);
    const image = await readImage(decodeWithImageMagick(body, 'ico'));
    assert.deepEqual([image.width, image.height], [256, 128]);
    assert.ok(isNear(image.at(128, 20), [220, 20, 20]));
    const log = await (await fetch(headers.get('x-service-debug-log') ?? '')).text();
    assert.match(log, /An icon is at most 256 x 256 pixels/);
  });

  test('jpg, webp and avif images with a high image_quality are more than twice as large as with a low one', async () => {
    const text = '<!doctype html><body style="font:13px serif">' + 'The quick brown fox. '.repeat(300);
    for (const output_format of ['jpg', 'webp', 'avif']) {
      const sizes = await Promise.all(
        [20, 95].map((image_quality) => convert(service, { text, output_format, image_quality })),
      );
      assert.ok((sizes[0]?.length ?? 0) * 2 < (sizes[1]?.length ?? 0), output_format);
    }
  });

  test('an unknown format is refused with the list of formats', async () => {
    for (const output_format of ['psb', 'pct']) {
      const answer = await refusal(service, { ...flag, output_format });
      assert.match(
        answer,
        new RegExp(`^400\\.311 .*'${output_format}' of output_format is not allowed.*pdf, png, jpg, webp`),
      );
    }
  });

  describe('background_color', () => {
    const mark =
      '<!doctype html><body style="margin:0"><div style="height:60px;width:60px;background:rgb(200,30,60)"></div>';
    const imageOf = (output_format: ImageFormat, background_color: string, more: Fields = {}) =>
      convert(service, {
        text: mark,
        output_format,
        screenshot_width: 200,
        ...more,
        ...(background_color !== '' && { background_color }),
      });

    for (const format of ['png', 'webp', 'gif', 'tiff', 'avif'] as const) {
      test(`00000000 makes a ${format} image transparent where the page paints nothing`, async () => {
        const bytes = await imageOf(format, '00000000');
        assert.deepEqual([await alphaAt(bytes, 30, 30), await alphaAt(bytes, 150, 30)], [255, 0]);
        assert.ok(isNear((await readImage(bytes)).at(30, 30), [200, 30, 60], 12));
      });
    }

    test('00000000 makes an ico image transparent where the page paints nothing', async () => {
      const bytes = decodeWithImageMagick(await imageOf('ico', '00000000'), 'ico');
      assert.deepEqual([await alphaAt(bytes, 30, 30), await alphaAt(bytes, 150, 30)], [255, 0]);
    });

    test('with an alpha of 50 % makes an image half transparent', async () => {
      const bytes = await imageOf('png', '0a64c880');
      assert.equal(await alphaAt(bytes, 150, 30), 128);
      assert.ok(isNear((await readImage(bytes)).at(150, 30), [10, 100, 200], 2));
    });

    test('is behind the page in every format, and blended with white in formats without transparency', async () => {
      for (const format of imageFormats.filter((name) => !['pgm', 'pbm', 'ras', 'pnm'].includes(name))) {
        const judge =
          format in { bmp: 0, ico: 0, ppm: 0, tga: 0, sgi: 0, sun: 0 }
            ? decodeWithImageMagick
            : (bytes: Buffer) => bytes;
        const opaque = await readImage(judge(await imageOf(format, '3264c8'), format));
        assert.ok(isNear(opaque.at(150, 30), [50, 100, 200], 12), `${format} ${String(opaque.at(150, 30))}`);
      }
      for (const format of ['jpg', 'bmp', 'ppm'] as const) {
        const bytes = await imageOf(format, '00000000');
        const clear = await readImage(format === 'jpg' ? bytes : decodeWithImageMagick(bytes, format));
        assert.ok(isNear(clear.at(150, 30), [255, 255, 255], 2), `${format} ${String(clear.at(150, 30))}`);
      }
      const half = await readImage(await imageOf('jpg', '00000080'));
      assert.ok(isNear(half.at(150, 30), [127, 127, 127]));
    });

    test("is behind the page's own background", async () => {
      const text = '<!doctype html><html style="background:rgb(1,2,3)"><p>x';
      const bytes = await imageOf('png', '00000000', { text });
      assert.equal(await alphaAt(bytes, 150, 30), 255);
      assert.deepEqual((await readImage(bytes)).at(190, 5), [1, 2, 3]);
    });

    test('is behind a page that is converted by URL, and does not affect the next image', async () => {
      await using site = await serveWeb({ '/': mark });
      for (let round = 0; round < 4; round += 1) {
        const bytes = await convert(service, {
          url: `${site.url}/`,
          output_format: 'png',
          screenshot_width: 200,
          background_color: '00000000',
        });
        assert.equal(await alphaAt(bytes, 150, 30), 0);
        const next = await imageOf('png', '');
        assert.equal(await alphaAt(next, 150, 30), 255);
        assert.deepEqual((await readImage(next)).at(150, 30), [255, 255, 255]);
      }
    });
  });
});
