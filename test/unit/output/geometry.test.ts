import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  fitInto,
  inverse,
  transformBox,
  transformPoint,
  multiply,
  overlap,
  transformAt,
  type Matrix,
} from '../../../main/output/geometry.ts';

const near = (actual: readonly number[], expected: readonly number[]) => {
  actual.forEach((value, index) => {
    assert.ok(
      Math.abs(value - (expected[index] ?? NaN)) < 1e-6,
      `${actual.join()} is not ${expected.join()}`,
    );
  });
};

test('a matrix and its inverse cancel out', () => {
  const number = fc.integer({ min: -50, max: 50 }).map((tenths) => tenths / 10);
  const six = fc.tuple(number, number, number, number, number, number);
  fc.assert(
    fc.property(six, number, number, (matrix: Matrix, x, y) => {
      fc.pre(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) > 0.01);
      near(transformPoint(inverse(matrix), ...transformPoint(matrix, x, y)), [x, y]);
      near(transformPoint(multiply(matrix, inverse(matrix)), x, y), [x, y]);
    }),
  );
});

test("a caller's matrix has its origin in the upper left corner, and y points downwards", () => {
  // The corner is at 10, 100; 20 to the right and 30 down is 30, 70.
  near(transformPoint(transformAt([1, 0, 20, 0, 1, 30], 10, 100), 10, 100), [30, 70]);
  near(transformPoint(transformAt([2, 0, 0, 0, 3, 0], 10, 100), 15, 90), [20, 70]);
  // x' = x + skewX y: a point 10 further down moves 5 to the right.
  near(transformPoint(transformAt([1, 0.5, 0, 0, 1, 0], 10, 100), 10, 90), [15, 90]);
  // y' = skewY x + y: a point 10 further right moves 5 down.
  near(transformPoint(transformAt([1, 0, 0, 0.5, 1, 0], 10, 100), 20, 100), [20, 95]);
});

test('a box rotated by 90 degrees swaps width and height', () => {
  assert.deepEqual(transformBox([0, 1, -1, 0, 0, 0], { left: 1, bottom: 2, width: 10, height: 4 }), {
    left: -6,
    bottom: 1,
    width: 4,
    height: 10,
  });
});

test('boxes that only touch do not overlap', () => {
  const box = { left: 0, bottom: 0, width: 10, height: 10 };
  assert.equal(overlap(box, { ...box, left: 10 }), undefined);
  assert.deepEqual(overlap(box, { ...box, left: 4, bottom: -4 }), {
    left: 4,
    bottom: 0,
    width: 6,
    height: 6,
  });
});

test('fitted content keeps its aspect ratio and is centred', () => {
  const sheet = { width: 100, height: 200 };
  assert.deepEqual(fitInto(sheet, { width: 10, height: 10 }), {
    left: 0,
    bottom: 50,
    width: 100,
    height: 100,
  });
  assert.deepEqual(fitInto(sheet, { width: 100, height: 400 }), {
    left: 25,
    bottom: 0,
    width: 50,
    height: 200,
  });
});
