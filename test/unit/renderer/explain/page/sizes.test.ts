import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharesOf } from '../../../../../renderer/explain/page/sizes.tsx';

test('the shares of an output are proportional to its bytes, and add up to 100', () => {
  const shares = sharesOf({ total: 400, fonts: 100, images: 200, rest: 100, largest: [] });
  assert.deepEqual(
    shares.map(({ part, percent }) => [part, percent]),
    [
      ['fonts', 25],
      ['images', 50],
      ['rest', 25],
    ],
  );
});

test('shares of zero bytes are left out', () => {
  const shares = sharesOf({ total: 100, fonts: 0, images: 0, rest: 100, largest: [] });
  assert.deepEqual(
    shares.map(({ part }) => part),
    ['rest'],
  );
  assert.deepEqual(sharesOf({ total: 0, fonts: 0, images: 0, rest: 0, largest: [] }), []);
});
