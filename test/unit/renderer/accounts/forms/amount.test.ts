import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAmount, readDifference } from '../../../../../renderer/accounts/forms/amount.ts';

test('an amount is read with all common thousands separators', () => {
  for (const text of ['20000', ' 20000 ', '20,000', '20.000', '20 000', '20\u00a0000', '20’000'])
    assert.equal(readAmount(text), 20_000, text);
  assert.equal(readAmount('1,234,567'), 1_234_567);
  assert.equal(readAmount('0'), 0);
});

test('an amount that is not a whole number of credits is refused', () => {
  for (const text of ['', '-5', '1.5', '1,50', '2,0000', '1.234,567', 'many', '1e3', '1000000000000'])
    assert.equal(readAmount(text), undefined, text);
});

test('credits are added, and subtracted with a minus sign', () => {
  assert.equal(readDifference('500'), 500);
  assert.equal(readDifference('+1,000'), 1000);
  assert.equal(readDifference('-500'), -500);
  assert.equal(readDifference('− 500'), -500);
  assert.equal(readDifference('--5'), undefined);
  assert.equal(readDifference(''), undefined);
});
