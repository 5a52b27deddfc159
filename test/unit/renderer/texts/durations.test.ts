import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duration } from '../../../../renderer/texts/text.ts';

test('a duration is rounded to its unit before the unit is chosen', () => {
  assert.equal(duration(0.44), '0.4 ms');
  assert.equal(duration(999.6), '1 sec');
  assert.equal(duration(2440), '2.4 sec');
  assert.equal(duration(59_960), '1 min 0 sec');
  assert.equal(duration(72_000), '1 min 12 sec');
  assert.equal(duration(119_900), '2 min 0 sec');
});
