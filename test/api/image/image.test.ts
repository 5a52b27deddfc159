import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { convert, refusal, send } from '../../support/service/convert.ts';
import { isNear, readImage } from '../../support/output/image.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';

const box = (height: number, more = '') =>
  `<!doctype html><style>body{margin:0}${more}</style><div style="height:${height}px;background:rgb(200,30,60)"></div>`;

describe('Images', () => {
  let service: Service;
  before(async () => (service = await defaultService()));

  for (const [output_format, format, type] of [
    ['png', 'png', 'image/png'],
    ['JPG', 'jpeg', 'image/jpeg'],
  ] as const) {
    test(`output_format=${output_format} returns a ${format} image of the whole page, 1024 pixels wide`, async () => {
      const { headers, body } = await send(service, { text: box(1300), output_format });
      const image = await readImage(body);
      assert.deepEqual([image.format, image.width, image.height], [format, 1024, 1300]);
      assert.ok(isNear(image.at(1023, 1299), [200, 30, 60]));
      assert.equal(headers.get('content-type'), type);
      assert.equal(headers.get('x-service-output-size'), String(body.length));
      assert.equal(headers.get('x-service-pages'), null);
    });
  }

  test('an image of a page shorter than the viewport is only as tall as the page', async () => {
    assert.equal(
      (await readImage(await convert(service, { text: box(90), output_format: 'png' }))).height,
      90,
    );
    const quirks = box(90).replace('<!doctype html>', '');
    assert.equal(
      (await readImage(await convert(service, { text: quirks, output_format: 'png' }))).height,
      90,
    );
  });

  // To capture more than the viewport, Chromium first lays out the page at 1 x 1 pixel. Charts that redraw on resize events became
  // empty.
  for (const height of [90, 1300])
    for (const wait of [{}, { javascript_delay: 50 }, { wait_until: 'loaded' }])
      test(`the capture of a page of ${height} px fires no resize event in the page, with ${JSON.stringify(wait)}`, async () => {
        const script = `addEventListener('resize', () => document.body.replaceChildren())`;
        const text = `${box(height)}<script>${script}</script>`;
        const image = await readImage(await convert(service, { text, output_format: 'png', ...wait }));
        assert.equal(image.height, height);
        for (const y of [0, height - 1]) assert.ok(isNear(image.at(500, y), [200, 30, 60]));
      });

  for (const [screenshot_width, scale_factor, content_viewport_width, width, height] of [
    [800, 100, '', 800, 600],
    [800, 50, '', 400, 300],
    [1000, 33, '', 330, 198],
    [640, 250, '', 1600, 1500],
    [500, 100, '1000px', 500, 300],
    [500, 200, 'small', 1000, 1250],
  ] as const) {
    test(`screenshot_width=${screenshot_width}, scale_factor=${scale_factor}, viewport '${content_viewport_width}' returns an image ${width} pixels wide`, async () => {
      const fields = {
        text: box(600),
        output_format: 'png',
        screenshot_width,
        scale_factor,
        content_viewport_width,
      };
      const image = await readImage(await convert(service, fields));
      assert.equal(image.width, width);
      assert.ok(Math.abs(image.height - height) <= 1, String(image.height));
      assert.ok(isNear(image.at(width - 2, image.height - 2), [200, 30, 60]));
    });
  }

  test('the layout is as wide as content_viewport_width, or else as screenshot_width', async () => {
    const text = box(
      50,
      '@media (width: 1200px){div{background:rgb(0,99,0)!important}}@media (width: 700px){div{background:rgb(0,0,99)!important}}',
    );
    const wide = await readImage(
      await convert(service, {
        text,
        output_format: 'png',
        content_viewport_width: 'large',
        screenshot_width: 600,
      }),
    );
    assert.deepEqual(wide.at(5, 5), [0, 99, 0]);
    const narrow = await readImage(
      await convert(service, { text, output_format: 'png', screenshot_width: 700 }),
    );
    assert.deepEqual(narrow.at(5, 5), [0, 0, 99]);
  });

  const stripes = (count: number) =>
    Array.from(
      { length: count },
      (_, row) =>
        `<div style="height:100px;background:rgb(${row % 256},${(row * 7) % 256},${(row * 13) % 256})"></div>`,
    ).join('');

  for (const output_format of ['png', 'jpg']) {
    test(`a ${output_format} image 30,000 pixels tall is correct in every row`, async () => {
      const text = `<!doctype html><style>body{margin:0}</style>${stripes(300)}`;
      const image = await readImage(await convert(service, { text, output_format, screenshot_width: 800 }));
      assert.deepEqual([image.width, image.height], [800, 30_000]);
      for (let row = 0; row < 300; row += 1) {
        for (const offset of [10, 50, 90]) {
          assert.ok(
            isNear(image.at(400, row * 100 + offset), [row % 256, (row * 7) % 256, (row * 13) % 256]),
            `row ${row * 100 + offset}`,
          );
        }
      }
    });
  }

  test('a tall page is laid out as wide as the image, without a scroll bar', async () => {
    const tiles =
      '<i style="display:inline-block;width:100px;height:100px;background:rgb(1,2,3)"></i>'.repeat(200);
    const text = `<!doctype html><body style="margin:0;font-size:0">${tiles}`;
    const image = await readImage(
      await convert(service, { text, output_format: 'png', screenshot_width: 1000 }),
    );
    assert.deepEqual([image.width, image.height], [1000, 2000]);
    assert.deepEqual(image.at(999, 1999), [1, 2, 3]);
  });

  test('an element as tall as the viewport keeps its height in a taller image', async () => {
    const text =
      '<!doctype html><style>body{margin:0}.v{height:100vh;background:rgb(0,0,200)}.t{height:2000px;background:rgb(0,200,0)}</style><div class="v"></div><div class="t"></div>';
    const image = await readImage(
      await convert(service, { text, output_format: 'png', screenshot_width: 400 }),
    );
    assert.equal(image.height, 2300);
    assert.deepEqual(image.at(10, 301), [0, 200, 0]);
  });

  test('an image that exceeds the limits because of scale_factor is refused with its size and the remedy', async () => {
    const answer = await refusal(service, { text: box(64_000), output_format: 'png', scale_factor: 500 });
    assert.match(answer, /^400\.306 - .*5120 x 320000 .*screenshot_width or scale_factor/);
  });
});
