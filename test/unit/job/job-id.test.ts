import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newJobId, timeOfJobId } from '../../../main/job/job.ts';

const times = fc.integer({ min: 0, max: 36 ** 10 - 1 });

test('a job id is 26 lower-case letters and digits, safe in a header and a file name', () => {
  fc.assert(fc.property(times, (now) => /^[a-z0-9]{26}$/.test(newJobId(now))));
  assert.match(newJobId(), /^[a-z0-9]{26}$/);
});

test('the ids of later jobs sort after those of earlier ones', () => {
  fc.assert(
    fc.property(
      times,
      times,
      (left, right) => left === right || newJobId(left) < newJobId(right) === left < right,
    ),
  );
});

test('no two jobs of one millisecond share an id', () => {
  assert.equal(new Set(Array.from({ length: 10_000 }, () => newJobId(1))).size, 10_000);
});

test('the time of a job id is that at which it was made', () => {
  fc.assert(fc.property(times, (now) => timeOfJobId(newJobId(now)) === now));
});
