import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkSize, sizeOf, bandsOf, clipOf } from '../../../../main/output/image/bands.ts';

const optionsOf = (screenshot_width: number, scale_factor: number, screenshot_height?: number) => ({
  screenshot_width,
  scale_factor,
  screenshot_height,
});

describe('The size of an image', () => {
  test('is screenshot_width by the height of the content, scaled', () => {
    assert.deepEqual(sizeOf(optionsOf(1000, 33), 1000, 600), { width: 330, height: 198, layoutWidth: 1000 });
    assert.deepEqual(sizeOf(optionsOf(500, 100), 1000, 601), { width: 500, height: 301, layoutWidth: 1000 });
  });

  test('has no extra row from floating-point rounding', () => {
    for (let percent = 10; percent <= 500; percent += 1)
      assert.equal(sizeOf(optionsOf(1000, percent), 1000, 100).height, Math.ceil((100 * percent) / 100));
  });

  test('has the height screenshot_height, scaled, whatever the height of the content', () => {
    assert.deepEqual(sizeOf(optionsOf(500, 250, 333), 1000, 9), {
      width: 1250,
      height: 833,
      layoutWidth: 1000,
    });
  });

  test('may be 2,000 by 65,000 pixels, but not 2,200 by 65,000', () => {
    checkSize({ width: 2000, height: 65_000, layoutWidth: 1 }, 'png');
    assert.throws(() => {
      checkSize({ width: 2200, height: 65_000, layoutWidth: 1 }, 'png');
    }, /140 million/);
  });

  test('is at most 16,383 pixels a side for WebP', () => {
    assert.throws(() => {
      checkSize({ width: 100, height: 16_384, layoutWidth: 1 }, 'webp');
    }, /a webp image can have at most 16383 pixels a side.*another output_format/);
    checkSize({ width: 100, height: 16_383, layoutWidth: 1 }, 'webp');
  });
});

describe('Bands', () => {
  for (const [width, height, layoutWidth] of [
    [1024, 65_000, 1024],
    [700, 60_001, 1000],
    [4999, 20_000, 9973],
    [64_999, 2000, 65_000],
    [65_000, 2153, 65_000],
  ] as const) {
    test(`of ${width} x ${height} pixels have no gaps and stay within their maximum size`, () => {
      const bands = bandsOf({ width, height, layoutWidth }, 'png');
      let next = 0;
      for (const band of bands) {
        assert.equal(band.top, next);
        assert.ok(band.height * width <= 4_000_000);
        next += band.height;
      }
      assert.equal(next, height);
      assert.equal(new Set(bands.slice(0, -1).map((band) => band.height)).size, 1);
    });
  }

  test('start on whole pixels of the page and of the image', () => {
    const size = { width: 700, height: 60_000, layoutWidth: 1000 };
    for (const band of bandsOf(size, 'png')) {
      const { y } = clipOf(band, size);
      assert.equal(y, Math.round(y));
    }
  });

  test('of an ordinary page are a single band', () => {
    assert.equal(bandsOf({ width: 1024, height: 1448, layoutWidth: 1024 }, 'png').length, 1);
    assert.equal(bandsOf({ width: 1024, height: 3900, layoutWidth: 1024 }, 'jpg').length, 1);
  });
});
