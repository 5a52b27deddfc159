import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare, type PixelData } from '../../../main/comparison/pixels.ts';

test('two identical drawings do not differ', () => {
  assert.deepEqual(compare(white(20, 10), white(20, 10)), { differing: 0, total: 200, mask: undefined });
});

test('the mask marks the position of a single black pixel', () => {
  const { differing, total, mask } = compare(white(20, 10), dotted(white(20, 10), 7, 3));
  assert.deepEqual([differing, total], [1, 200]);
  assert.deepEqual(marked(mask), [[7, 3]]);
});

test('the area that only the larger drawing covers counts as different', () => {
  const { differing, total, mask } = compare(dotted(white(10, 10), 2, 2), white(10, 14));
  assert.deepEqual([differing, total], [1 + 40, 140]);
  assert.deepEqual([mask?.width, mask?.height], [10, 14]);
  const found = marked(mask);
  assert.equal(found.length, 41);
  assert.deepEqual(found[0], [2, 2]);
  assert.deepEqual(found.at(-1), [9, 13]);
});

test('the mask is as wide as the wider drawing and as high as the taller one', () => {
  const { differing, total, mask } = compare(white(12, 5), white(6, 9));
  assert.deepEqual([mask?.width, mask?.height, total], [12, 9, 108]);
  assert.equal(differing, 108 - 30);
});

function white(width: number, height: number): PixelData {
  return { width, height, data: new Uint8ClampedArray(width * height * 4).fill(255) };
}

function dotted(pixels: PixelData, x: number, y: number): PixelData {
  pixels.data.set([0, 0, 0, 255], (y * pixels.width + x) * 4);
  return pixels;
}

function marked(mask: PixelData | undefined): number[][] {
  assert.ok(mask !== undefined);
  const all = Array.from({ length: mask.width * mask.height }, (_, at) => at);
  return all
    .filter((at) => (mask.data[at * 4 + 3] ?? 0) > 0)
    .map((at) => [at % mask.width, Math.floor(at / mask.width)]);
}
