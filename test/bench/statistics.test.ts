import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median, pairedDifference, pairedRatio, quantile, spreadOf } from './statistics.ts';

test('the median is the middle value, or the mean of the two middle values', () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([4, 1, 2, 9]), 3);
});

test('a quantile is interpolated between the two nearest values', () => {
  const hundred = Array.from({ length: 101 }, (_, index) => index);
  assert.equal(quantile(hundred, 0.99), 99);
  assert.equal(quantile([10, 20], 0.25), 12.5);
  assert.equal(quantile([7], 0.99), 7);
});

test('a spread has the median, the minimum and the maximum', () => {
  assert.deepEqual(spreadOf([3, 1, 2]), { median: 2, least: 1, most: 3 });
});

test('a round in which both sides are slower changes neither the paired ratio nor the paired difference', () => {
  const quick = [10, 5, 2.5];
  const slow = [5, 2.5, 1.25];
  assert.equal(pairedRatio(quick, slow), 2);
  assert.equal(pairedDifference([10, 110, 13], [8, 108, 10]), 2);
});

test('no values, values that are not finite, and unequal numbers of values are errors', () => {
  assert.throws(() => median([]), /nothing was measured/);
  assert.throws(() => median([1, NaN]), /not all values are finite/);
  assert.throws(() => pairedRatio([1, 2], [1]), /no pairs/);
  assert.throws(() => pairedRatio([1], [0]), /not all values are finite/);
});
