import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAllowance } from '../../../main/engine/allowance.ts';

test('an allowance is spent, comes back as its share of the time, and is never more than its most', () => {
  let now = 0;
  const { take } = openAllowance(0.1, 20, () => now);
  assert.deepEqual([take(15), take(15), take(5), take(1)], [true, false, true, false]);
  now += 50;
  assert.deepEqual([take(6), take(5), take(1)], [false, true, false]);
  now += 1_000_000;
  assert.deepEqual([take(21), take(20), take(1)], [false, true, false]);
});
