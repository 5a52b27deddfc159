import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAllowance } from '../../../main/engine/allowance.ts';

test('an allowance that was overspent comes back as its share of the time goes by', () => {
  let now = 0;
  const { isLeft, spend } = openAllowance(0.1, 20, () => now);
  spend(15);
  assert.equal(isLeft(), true);
  spend(15);
  assert.equal(isLeft(), false);
  now = 99;
  assert.equal(isLeft(), false);
  now = 101;
  assert.equal(isLeft(), true);
});

test('an allowance saves up no more than its most', () => {
  let now = 0;
  const { isLeft, spend } = openAllowance(0.1, 20, () => now);
  now = 1_000_000;
  assert.equal(isLeft(), true);
  spend(20);
  assert.equal(isLeft(), false);
});
