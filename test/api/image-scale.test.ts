import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { convert, type Fields } from '../support/convert.ts';
import { isNear, judged, readPicture, type Picture } from '../support/picture.ts';
import { startService, type Service } from '../support/service.ts';

const shades = 'linear-gradient(90deg,rgb(200,120,20),rgb(20,120,200))';

/** Columns that are the same in every row from `top` to the end, each but the first in a layer of its own over red. */
const columns = [
  { left: 20, top: 0, style: '' },
  { left: 70, top: 0, style: 'transform:translateZ(0)' },
  { left: 120, top: 37, style: 'will-change:transform' },
  { left: 170, top: 14, style: 'margin-top:-0.7px;will-change:transform;transform:translateY(0)' },
  { left: 220, top: 5, style: 'overflow:auto' },
  { left: 270, top: 50, style: 'transform-origin:0 0;transform:scale(1,1.5);will-change:transform' },
  { left: 320, top: 3, style: 'opacity:0.99;will-change:opacity' },
] as const;

const layers = (height: number) => {
  const column = ({ left, top, style }: (typeof columns)[number]) => {
    const tall = style.includes('scale') ? (height - top) / 1.5 : height - top;
    const content = style.includes('auto') ? `<b style="height:${2 * height}px"></b>` : '';
    return `<i style="left:${left - 20}px;top:${top}px;height:${tall}px;${style}">${content}</i>`;
  };
  return `<!doctype html><style>body{margin:0;height:${height}px;position:relative;overflow:hidden;background:rgb(255,0,0)}
    i,b{display:block;width:40px;background:${shades}} i{position:absolute}</style>${columns.map(column).join('')}`;
};

/** Fails at the first row in which a column is not what it is in its middle. */
function assertEven(picture: Picture, column: { left: number; top: number }, scale: number): void {
  const x = Math.floor(column.left * scale);
  const expected = picture.at(x, Math.floor(picture.height / 2) + 3);
  assert.ok(expected[1] > 90, `column ${column.left} is not there`);
  for (let y = Math.ceil(column.top * scale) + 1; y < picture.height - 2; y += 1) {
    const colour = picture.at(x, y);
    if (!isNear(colour, expected, 3))
      assert.fail(`column ${column.left}, row ${y} is ${String(colour)}, not ${String(expected)}`);
  }
}

describe('Scaled pictures', () => {
  let service: Service;
  before(async () => (service = await startService()));
  after(() => service[Symbol.asyncDispose]());

  for (const [scale_factor, height] of [
    [10, 20_000],
    [35, 16_000],
    [45, 20_000],
    [50, 12_000],
    [65, 15_000],
    [70, 8000],
    [85, 8000],
    [90, 20_000],
    [95, 8000],
    [100, 8000],
    [125, 6000],
    [150, 6000],
    [250, 3000],
  ] as const) {
    test(`a picture at ${scale_factor} % has no row missing, of the page and of the layers over it`, async () => {
      const fields = { output_format: 'png', screenshot_width: 400, scale_factor };
      const picture = await readPicture(await convert(service, { text: layers(height), ...fields }));
      const scale = scale_factor / 100;
      assert.deepEqual([picture.width, picture.height], [400 * scale, height * scale]);
      for (const column of columns) assertEven(picture, column, scale);
    });
  }

  const wide = `<!doctype html><style>body{margin:0}div{width:1000px;height:20000px;background:${shades}}</style><div></div>`;
  for (const [what, more] of [
    ['of a wider layout', { content_viewport_width: 1000 }],
    ['of a layout as wide as its content', { content_viewport_width: 'balanced' }],
    ['that is transparent', { content_viewport_width: 1000, background_color: '00000000' }],
    ['as jpg', { content_viewport_width: 1000, output_format: 'jpg', screenshot_height: 5700 }],
  ] as [string, Fields][]) {
    test(`a picture ${what} has no row missing`, async () => {
      const fields = { text: wide, output_format: 'png', screenshot_width: 700, ...more };
      const picture = await readPicture(await convert(service, fields));
      assert.deepEqual([picture.width, picture.height], [700, 'screenshot_height' in more ? 5700 : 14_000]);
      for (const left of [100, 900]) assertEven(picture, { left, top: 0 }, 0.7);
    });
  }

  for (const [fields, tall, width, height] of [
    [{ output_format: 'webp', screenshot_width: 700, content_viewport_width: 1000 }, 8002, 700, 5602],
    [{ output_format: 'bmp', screenshot_width: 700, content_viewport_width: 1000 }, 17_002, 700, 11_902],
    [{ output_format: 'png', screenshot_width: 700, content_viewport_width: 1000 }, 17_002, 700, 11_902],
    [{ output_format: 'tiff', screenshot_width: 2501, content_viewport_width: 1000 }, 1401, 2501, 3504],
    [{ output_format: 'sgi', screenshot_width: 2501, content_viewport_width: 1000 }, 1401, 2501, 3504],
    [{ output_format: 'png', screenshot_width: 800, scale_factor: 150 }, 1001, 1200, 1502],
    [
      { output_format: 'png', screenshot_width: 333, scale_factor: 250, screenshot_height: 1000 },
      1100,
      833,
      2500,
    ],
    [
      { output_format: 'ppm', screenshot_width: 333, scale_factor: 250, screenshot_height: 1000 },
      1100,
      833,
      2500,
    ],
  ] as const) {
    test(`${JSON.stringify(fields)} of a page ${tall} pixels tall shows the page down to row ${height}`, async () => {
      const text = `<!doctype html><style>body{margin:0}div{height:${tall}px;background:linear-gradient(rgb(200,120,20),rgb(20,120,200))}</style><div></div>`;
      const bytes = await convert(service, { text, ...fields });
      const judges = /bmp|sgi|ppm/.exec(fields.output_format);
      const picture = await readPicture(judges === null ? bytes : judged(bytes, judges[0]));
      assert.deepEqual([picture.width, picture.height], [width, height]);
      const scale = width / ('content_viewport_width' in fields ? 1000 : fields.screenshot_width);
      for (let y = 0; y < height; y += 1) {
        const part = (y + 0.5) / (tall * scale);
        const expected = [200 - 180 * part, 120, 20 + 180 * part] as const;
        const colour = picture.at(width - 3, y);
        // A page that ends within a row has white in it, and WebP spreads that over its neighbours.
        const near = y < height - 3 ? isNear(colour, expected) : colour[1] > 100;
        assert.ok(near, `row ${y} is ${String(colour)}`);
      }
    });
  }

  test('a page does not know how large its picture is', async () => {
    const text = `<!doctype html><body><script>addEventListener('load', () => {
      const { width, height, scale } = visualViewport;
      new IntersectionObserver(([{ rootBounds }]) => {
        const seen = [innerWidth, innerHeight, width, height, scale, devicePixelRatio, screen.width, rootBounds.width, rootBounds.height];
        document.body.style = 'margin:0;height:100px;background:' + (String(seen) === '800,600,800,600,1,1,800,800,600' ? 'rgb(0,99,0)' : 'rgb(200,0,0)');
      }).observe(document.body);
    })</script>`;
    for (const scale_factor of [100, 20, 300]) {
      const fields = {
        text,
        output_format: 'png',
        screenshot_width: 800,
        scale_factor,
        javascript_delay: 200,
      };
      const picture = await readPicture(await convert(service, fields));
      assert.deepEqual(picture.at(5, 5), [0, 99, 0], `at ${scale_factor} %`);
    }
  });
});
