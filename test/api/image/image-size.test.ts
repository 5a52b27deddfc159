import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import sharp from 'sharp';
import { convert, refusal, type Fields } from '../../support/service/convert.ts';
import {
  extent,
  isNear,
  decodeWithImageMagick,
  readImage,
  type Colour,
  type PixelImage,
} from '../../support/output/image.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';

const page = (style: string, body: string) => `<!doctype html><style>body{margin:0}${style}</style>${body}`;

/** Returns the colour of a row. Each of 65,000 rows has a different colour. */
const rowColour = (row: number): Colour => [row % 251, Math.floor(row / 251) % 251, (row * 7) % 256];

/** Asserts the colour of each pixel in a column, except where `expected` returns undefined. */
function assertColumn(image: PixelImage, x: number, expected: (y: number) => Colour | undefined): void {
  for (let y = 0; y < image.height; y += 1) {
    const colour = expected(y);
    if (colour !== undefined && !isNear(image.at(x, y), colour, 2))
      assert.fail(`${x},${y} is ${String(image.at(x, y))}, not ${String(colour)}`);
  }
}

/** Returns the number of rows, and a function that returns the bytes of a row. */
async function rowsOf(bytes: Buffer) {
  const { data, info } = await sharp(bytes, { limitInputPixels: false })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const stride = info.width * 3;
  return { count: info.height, row: (y: number) => data.subarray(y * stride, (y + 1) * stride) };
}

/** Returns a script that paints each row in its colour, on several canvases, because a canvas can have at most 32,767 rows. */
const painted = (height: number) => `<script>
  for (let top = 0; top < ${height}; top += 10000) {
    const canvas = document.createElement('canvas');
    canvas.style.display = 'block'; canvas.width = 60; canvas.height = Math.min(10000, ${height} - top);
    document.querySelector('.rows').append(canvas);
    const context = canvas.getContext('2d');
    for (let y = 0; y < canvas.height; y += 1) {
      const row = top + y;
      context.fillStyle = 'rgb(' + [row % 251, Math.floor(row / 251) % 251, row * 7 % 256] + ')';
      context.fillRect(0, y, 60, 1);
    }
  }</script>`;

describe('Image sizes', () => {
  let service: Service;
  before(async () => (service = await defaultService()));

  test('a page of 65,000 px is correct in every row, with fixed, sticky and moving elements', async () => {
    const text = page(
      `body{height:65000px;position:relative} i{position:absolute;width:50px}
       .rows{position:absolute;left:0;top:0}
       .top{position:fixed;top:0;left:100px;width:50px;height:30px;background:rgb(255,0,0)}
       .bottom{position:fixed;bottom:0;left:200px;width:50px;height:30px;background:rgb(0,128,0)}
       .track{position:absolute;left:300px;top:200px;width:50px;height:60000px}
       .sticky{position:sticky;top:0;height:40px;background:rgb(0,0,255)}
       .view{left:400px;top:0;height:100vh;background:rgb(255,128,0)}
       .fade{left:500px;top:0;height:65000px;background:linear-gradient(rgb(0,0,0),rgb(255,255,255))}
       .move{left:600px;top:0;height:65000px;animation:m 4s linear infinite alternate}
       .script{left:700px;top:0;height:65000px}
       @keyframes m{from{background:rgb(0,0,0)}to{background:rgb(255,255,255)}}`,
      `<div class="rows"></div><div class="top"></div><div class="bottom"></div><div class="track"><div class="sticky"></div></div>
       <i class="view"></i><i class="fade"></i><i class="move"></i><i class="script"></i>${painted(65_000)}
       <script>let ticks = 0; setInterval(() => {
         document.querySelector('.script').style.background = 'rgb(' + (ticks += 1) % 256 + ',0,0)'; }, 10)</script>`,
    );
    const image = await readImage(await convert(service, { text, output_format: 'png' }));
    assert.deepEqual([image.width, image.height], [1024, 65_000]);
    const inside = (from: number, to: number, colour: Colour) => (y: number) =>
      y >= from && y < to ? colour : ([255, 255, 255] as const);
    assertColumn(image, 30, rowColour);
    assertColumn(image, 125, inside(0, 30, [255, 0, 0]));
    assertColumn(image, 225, inside(64_970, 65_000, [0, 128, 0]));
    assertColumn(image, 325, inside(200, 240, [0, 0, 255]));
    assertColumn(image, 425, inside(0, 768, [255, 128, 0]));
    assertColumn(image, 525, (y) => {
      const grey = Math.round((y / 65_000) * 255);
      return [grey, grey, grey];
    });
    assertColumn(image, 625, () => image.at(625, 0));
    assertColumn(image, 725, () => image.at(725, 0));
  });

  for (const [fields, seam] of [
    [{ screenshot_width: 1024 }, 976],
    [{ screenshot_width: 900, content_viewport_width: 1200 }, 1110],
    [{ screenshot_width: 1023, content_viewport_width: 1024 }, 1023],
    [{ screenshot_width: 400, content_viewport_width: 800, scale_factor: 250 }, 1000],
  ] as const) {
    test(`text across the border of two captured bands is complete, with ${JSON.stringify(fields)}`, async () => {
      const lines = Array.from(
        { length: 200 },
        (_, row) =>
          `<p style="color:rgb(${rowColour(row * 50).join()})">${`${row} lines of text `.repeat(20)}</p>`,
      );
      const text = page(
        'p{margin:0;height:23px;font:17.3px/1.3 serif;overflow:hidden;transform:rotate(0.7deg)}',
        lines.join(''),
      );
      const rows = await rowsOf(await convert(service, { text, output_format: 'png', ...fields }));
      // The height of an image that is small enough to be captured in one piece.
      const scale = 'scale_factor' in fields ? fields.scale_factor / 100 : 1;
      const screenshot_height = Math.floor((seam + 400) / scale);
      const piece = await rowsOf(
        await convert(service, { text, output_format: 'png', screenshot_height, ...fields }),
      );
      assert.ok(rows.count > seam * 2 && piece.count > seam, `${rows.count} ${piece.count}`);
      for (let y = 0; y < piece.count; y += 1)
        assert.ok(rows.row(y).equals(piece.row(y)), `row ${y} of ${piece.count}`);
    });
  }

  for (const output_format of ['tiff', 'bmp', 'sgi', 'pgm']) {
    test(`a ${output_format} image that is captured in many bands is correct in every row`, async () => {
      const text = page('.rows{position:absolute;left:0;top:0}', `<div class="rows"></div>${painted(4000)}`);
      const bytes = await convert(service, {
        text,
        output_format,
        screenshot_width: 2000,
      });
      const readable = output_format === 'tiff' ? bytes : decodeWithImageMagick(bytes, output_format);
      const image = await readImage(readable);
      assert.deepEqual([image.width, image.height], [2000, 4000]);
      const grey = ([red, green, blue]: Colour) => Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue);
      for (let y = 0; y < 4000; y += 1) {
        const colour = rowColour(y);
        const expected: Colour =
          output_format === 'pgm' ? [grey(colour), grey(colour), grey(colour)] : colour;
        assert.ok(isNear(image.at(30, y), expected, 2), `row ${y}`);
      }
    });
  }

  // Between tiles whose scaled height is fractional, Chromium 130 leaves a row unpainted.
  test(
    'an image with a fractional scale has no missing row',
    { todo: 'row 5589 is black, even if the image is captured in one piece' },
    async () => {
      const text = page(
        'div{height:8000px;background:linear-gradient(90deg,rgb(200,120,20),rgb(20,120,200))}',
        '<div></div>',
      );
      const fields = { text, output_format: 'png', screenshot_width: 700, content_viewport_width: 1000 };
      const image = await readImage(await convert(service, fields));
      assert.equal(image.height, 5600);
      assertColumn(image, 350, () => [110, 120, 110]);
    },
  );

  test('a transparent image that is captured in bands is transparent in every row', async () => {
    const text = page('', '<div style="width:50px;height:20000px;background:rgb(9,9,9)"></div>');
    const bytes = await convert(service, { text, output_format: 'png', background_color: '00000000' });
    const { data, info } = await sharp(bytes, { limitInputPixels: false })
      .raw()
      .toBuffer({ resolveWithObject: true });
    assert.equal(info.channels, 4);
    for (let y = 0; y < info.height; y += 1)
      if (data[(y * info.width + 20) * 4 + 3] !== 255 || data[(y * info.width + 900) * 4 + 3] !== 0)
        assert.fail(`row ${y}`);
  });

  test('animations and timers run in the job after an image that is captured in bands', async () => {
    const moving = page(
      '@keyframes m{from{background:rgb(255,0,0)}to{background:rgb(0,0,255)}} div{height:100px;animation:m 50ms forwards}',
      '<div></div><script>setTimeout(() => (document.body.innerHTML += "<p style=\\"height:50px;margin:0;background:rgb(0,99,0)\\">"), 50)</script>',
    );
    await convert(service, { text: page('', '<div style="height:30000px">'), output_format: 'png' });
    const image = await readImage(
      await convert(service, { text: moving, output_format: 'png', javascript_delay: 300 }),
    );
    assert.deepEqual(image.at(5, 5), [0, 0, 255]);
    assert.deepEqual(image.at(5, 125), [0, 99, 0]);
  });

  describe('screenshot_height', () => {
    const tall = page(
      'div{height:2000px;background:linear-gradient(rgb(200,30,60) 500px,rgb(0,0,0) 500px)}',
      '<div></div>',
    );
    for (const [fields, width, height] of [
      [{ screenshot_height: 700 }, 1024, 700],
      [{ screenshot_height: 700, scale_factor: 33 }, 338, 231],
      [{ screenshot_height: 333, scale_factor: 250, screenshot_width: 500 }, 1250, 833],
      [{ screenshot_height: 400, content_viewport_width: 2048 }, 1024, 400],
      [{ screenshot_height: 1, screenshot_width: 96 }, 96, 1],
    ] as const) {
      test(`${JSON.stringify(fields)} returns ${width} x ${height} pixels, and cuts off the rest of the page`, async () => {
        const image = await readImage(
          await convert(service, { text: tall, output_format: 'png', ...fields }),
        );
        assert.deepEqual([image.width, image.height], [width, height]);
        assert.ok(isNear(image.at(width - 1, 0), [200, 30, 60]));
      });
    }

    test('shows the background below a shorter page', async () => {
      const text = page('', '<div style="height:50px;background:rgb(200,30,60)"></div>');
      const fields = { text, output_format: 'png', screenshot_height: 3000, background_color: '0000ff' };
      const image = await readImage(await convert(service, fields));
      assert.equal(image.height, 3000);
      assertColumn(image, 500, (y) => (y < 50 ? [200, 30, 60] : [0, 0, 255]));
    });

    test('is the height of the viewport', async () => {
      const text = page(
        '.v{height:100vh;width:50px;background:rgb(0,0,200)} .f{position:fixed;bottom:0;left:100px;width:50px;height:10px;background:rgb(0,99,0)}',
        '<div class="v"></div><div style="height:3000px"></div><div class="f"></div>',
      );
      for (const more of [{}, { content_viewport_width: 512 }, { scale_factor: 50 }] as Fields[]) {
        const scale = 'scale_factor' in more ? 0.5 : 1;
        const image = await readImage(
          await convert(service, { text, output_format: 'png', screenshot_height: 600, ...more }),
        );
        assert.equal(image.height, 600 * scale);
        assert.equal(extent(image, [0, 0, 200])?.bottom, 600 * scale - 1);
        assert.equal(extent(image, [0, 99, 0])?.bottom, 600 * scale - 1);
      }
    });
  });

  describe('An image that is too large', () => {
    const box = (height: number) => page('', `<div style="height:${height}px"></div>`);
    for (const [what, fields, pattern] of [
      [
        'because of its total number of pixels',
        { text: box(64_000), output_format: 'bmp', screenshot_width: 2500 },
        /2500 x 64000 pixels; an image can have at most 65000 pixels a side and 140 million in all\. Choose a smaller screenshot_width or scale_factor, or cut the page with screenshot_height\.$/,
      ],
      [
        'because of the length of a side',
        { text: box(70_000), output_format: 'png', screenshot_width: 100 },
        /100 x 70000 pixels; an image can/,
      ],
      [
        'for webp',
        { text: box(17_000), output_format: 'webp', screenshot_width: 100 },
        /a webp image can have at most 16383 pixels a side.*or choose another output_format such as png\.$/,
      ],
      [
        'for avif',
        { text: box(17_000), output_format: 'avif', screenshot_width: 100 },
        /an? avif image can have at most 16384 pixels a side/,
      ],
      [
        'for gif',
        { text: box(50_000), output_format: 'gif' },
        /a gif image can have at most 65000 pixels a side and 20 million in all.*such as png/,
      ],
    ] as const) {
      test(`${what} is refused with a message that contains its size and the remedy`, async () => {
        const answer = (await refusal(service, fields)).trim();
        assert.match(answer, /^400\.306 /);
        assert.match(answer, pattern);
      });
    }
  });
});
