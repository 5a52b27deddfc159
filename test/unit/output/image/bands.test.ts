/** How a tall image is divided into captures, depending on its detail. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { captureAll, type Band } from '../../../../main/output/image/bands.ts';

const size = { width: 1024, height: 20_000, layoutWidth: 1024 };

/** Captures the image. `detailFrom`: the first row with much detail. Returns the bands of the image and the number of captures. */
async function capture(detailFrom: number, { height }: { readonly height: number } = size) {
  const captured: Band[] = [];
  const files = await captureAll({ ...size, height }, 'png', (band) => {
    captured.push(band);
    return Promise.resolve({
      file: `${captured.length - 1}`,
      hasLittleDetail: band.top + band.height <= detailFrom,
    });
  });
  const bands = files.flatMap((file) => captured[Number(file)] ?? []);
  let next = 0;
  for (const band of bands) {
    assert.equal(band.top, next, 'the bands have no gap');
    next += band.height;
  }
  assert.equal(next, height, 'the bands are the whole image');
  assert.ok(bands.every((band, index) => index === bands.length - 1 || band.height === bands[0]?.height));
  return { rows: bands[0]?.height ?? 0, captures: captured.length };
}

describe('A tall image', () => {
  test('of text has bands of up to 3 million pixels', async () => {
    const { rows, captures } = await capture(Infinity);
    assert.ok(rows * size.width > 2_500_000 && rows * size.width <= 3_000_000, `${rows} rows`);
    assert.equal(captures, 8);
  });

  test('of photographs has bands of a million pixels', async () => {
    assert.deepEqual(await capture(0), { rows: 976, captures: 21 });
  });

  test('whose detail begins further down is captured again in small bands', async () => {
    const { rows, captures } = await capture(10_000);
    assert.equal(rows, 976);
    assert.ok(captures <= 21 + 4, `${captures} captures`);
  });

  test('is not captured in large bands if that saves nothing', async () => {
    assert.deepEqual(await capture(Infinity, { height: 1500 }), { rows: 976, captures: 2 });
  });
});
