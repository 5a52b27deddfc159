import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAmount, readDifference } from '../../../../renderer/accounts/amount.ts';

test('an amount is read with the separators of thousands that people write', () => {
  for (const text of ['20000', ' 20000 ', '20,000', '20.000', '20 000', '20\u00a0000', '20’000'])
    assert.equal(readAmount(text), 20_000, text);
  assert.equal(readAmount('1,234,567'), 1_234_567);
  assert.equal(readAmount('0'), 0);
});

test('what is no whole number of credits is none, never another number', () => {
  for (const text of ['', '-5', '1.5', '1,50', '2,0000', '1.234,567', 'many', '1e3', '1000000000000'])
    assert.equal(readAmount(text), undefined, text);
});

test('credits are added, and with a minus taken away', () => {
  assert.equal(readDifference('500'), 500);
  assert.equal(readDifference('+1,000'), 1000);
  assert.equal(readDifference('-500'), -500);
  assert.equal(readDifference('− 500'), -500);
  assert.equal(readDifference('--5'), undefined);
  assert.equal(readDifference(''), undefined);
});
